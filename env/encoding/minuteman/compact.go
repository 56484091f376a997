// Package minuteman encodes Minuteman: The Second American Revolution, in two ways:
// the compact view of 3,905 numbers, and planes of numbers for every hex.
//
// Everything is seen by the acting seat: with several Rebels its own colour comes
// first, and the other seats follow in order.
package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
	"powderkeg/env/encoding"
)

// Version 4 has the numbers of version 3, which were two fields, under names.
var compactLayout = encoding.Layout{Game: "minuteman", Version: 4,
	Renamed: map[int]string{3: "7b3f3672dbd076d6b1a2d3349617f8110e56ab74676e3f03348e547ea279c2b9"}}

// Columns and rows of hexes are divided by these.
const (
	columns = 50
	rows    = 33
)

var columnAt, rowAt = scale(columns), scale(rows)

// scale returns the shares that 0 to n have of n.
func scale(n int) []float32 {
	shares := make([]float32, n+1)
	for i := range shares {
		shares[i] = float32(i) / float32(n)
	}
	return shares
}

const (
	compactSize = 3905

	citySize    = 17
	mmSize      = 8
	militiaSize = 9
	armySize    = 11
	agentSize   = 6
	cigSize     = 7
	unrestRows  = 12
	nearRows    = 19
	nearSize    = 18
	regionRows  = 12
	regionSize  = 12
)

// Compact is the compact view, the same for all options.
type Compact struct{}

// Layout implements encoding.Encoder.
func (Compact) Layout() *encoding.Layout { return &compactLayout }

// Encode implements encoding.Encoder. It goes over the units once, each adding to all
// the numbers that it counts in; encodePlain in plain_test.go says the same block by
// block.
func (Compact) Encode(dst []float32, view engine.View, p engine.Player) {
	e := newEncoder(view.(*minuteman.View), int(p))
	e.compact(dst[:compactLayout.Size])
}

func (e *encoder) compact(dst []float32) {
	clear(dst)
	e.zones(dst)
	e.markers(dst)
	e.units(dst)
	e.rooms(dst, everyCity)
	e.prices(dst)
	e.near(dst[nearAt:])
	e.globals(dst[globalsAt:chainAt])
	e.decision(dst[chainAt:citiesAt])
}

// encoder is one observation on its way.
type encoder struct {
	s                  *minuteman.View
	me                 int
	p                  *minuteman.Position
	seats, gov         int // how many, and the Government's
	chain              minuteman.Chain
	government, rebels minuteman.HexSet
	ownerShare         [4]float32 // by seat
	level              int        // what the position is worth, and the Partisan cities
	held, cut          uint8
	done               doing
	count              [7]int                             // units by kind and Informers
	inCity             [unitKinds][minuteman.Cities]uint8 // units by kind and city
	crowd              [minuteman.Cities]uint8            // of all kinds
	with               [unitKinds]cities                  // the cities that have some
	mmOf               [4]int                             // Minutemen by seat
	out                [minuteman.Piles]int               // counters on the map, by the pile that they come from
}

func newEncoder(s *minuteman.View, me int) encoder {
	e := encoder{}
	e.look(s, me)
	e.government, e.rebels = s.Zones()
	e.level, e.held, e.cut = s.Standing()
	e.chain = s.Chain()
	return e
}

// look begins an observation.
func (e *encoder) look(s *minuteman.View, me int) {
	e.s, e.me, e.p, e.seats, e.gov, e.done = s, me, &s.P, s.Options().Seats, int(s.P.Gov), acts
	for owner := range e.seats {
		e.ownerShare[owner] = e.share(owner)
	}
	switch e.p.Phase {
	case minuteman.PhaseA3, minuteman.PhaseG3:
		e.done = moves
	case minuteman.PhaseA4, minuteman.PhaseG4:
		e.done = attacks
	}
}

// share scales the owner of a Rebel unit: 1 mine, then the next seats.
func (e *encoder) share(owner int) float32 {
	d := (owner - e.me + e.seats) % e.seats
	if e.seats == 2 {
		return flag(d == 0)
	}
	return 1 - float32(d)/3
}

// doing is what units do once in a phase.
type doing uint8

const (
	acts doing = iota
	moves
	attacks
)

// did reports whether a unit has done it.
func (d doing) did(u *minuteman.Unit) bool {
	switch d {
	case moves:
		return u.Moved
	case attacks:
		return u.Attacked
	}
	return u.Acted
}

// colour returns which colour stands in place i, so that the observer's comes
// first.
func (e *encoder) colour(i int) int {
	if e.seats == 2 || e.me == 0 {
		return i
	}
	return (i + e.me - 1) % 3
}

// place writes that something is on the map and where.
func place(dst []float32, f *minuteman.HexFacts) {
	dst[0], dst[1], dst[2] = 1, columnAt[f.Column], rowAt[f.Row]
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func half(done, advanced bool) float32 {
	if advanced {
		return 1
	}
	return flag(done) / 2
}

// bounded keeps what play can drive beyond its scale: the track, sums of strengths.
func bounded(x float32) float32 { return max(-1, min(1, x)) }
