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

// Version 3 shows what was said in the last negotiation, the type of the counter that
// D1 places, who makes a proposal, and the column of an attack as it will be resolved.
// No network of an older layout has been kept.
var compactLayout = encoding.Layout{Game: "minuteman", Version: 3}

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

	globalSize  = 201
	talkSize    = 21 // the end of the globals
	chainSize   = 67
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

var (
	globalsAt = compactLayout.Add("globals", -1, 1, "phase 14; decision 46; I am the Government; turn/24; turns to the deadline/24; season 4; Revolution; turns since it/24; due Divisions/4, own Militia/6, others' Militia/12; track/100; builds to the next reaction column/19; riot index/15; reaction column by riots, by builds/8; own hand 4 (over 16, 10, 8, 6); sizes of the other hands 3/40; pool/40; piles 21 (share left: Networks, Minutemen, Militia of the three colours, own first; Militia of Canada, Mexico; Divisions armored, infantry, airborne, marine; Security; Foreign; Brigades of Canada, Mexico; Agents; CIGs); scenario 5; set-up variants 5; players 3; options 5; Air/Rail left/10; foreign intervention mine, other's, phases left/3; Canada held by the Rebel, Minuteman built there; Mexico the same; committed/16; Partisan cities held 8, cut 8; order of movement 3 (seat's distance from me/3, 0 for me or none); federalized 4 (me and the next seats); eliminated 3 (the next seats); owns more than half of the Minutemen 4; units on the map 7 over their limits; Militia - Army, Networks - CIGs, Minutemen - Agents over their limits; level if the game ended now 7, Decisive Government first; on display from the last negotiation, seats from mine on: truces 6 (pairs 1-2, 1-3, 1-4, 2-3, 2-4, 3-4), targets named 12 (for each speaker, the Rebels in that order), Rebel with an open pact of federalization 3", nil, globalSize)
	chainAt   = compactLayout.Add("decision", -1, 1, "attack type 4; chosen class 15; chosen hex: present, column, row (present and no column: a verb is chosen and the hex is next, or a pile, row 1 for that of Mexico); target the same; totals as they count: known attack, known defence, defence with means/40; column in which the attack would be resolved as it stands 7; die modifier; Informer doubles, ruthless, Betrayal tried, succeeded; build points/9, column/6, organizers/8, helpers/3; pieces to choose/6; price/60; chances of success, stop, elimination; Passage shown/6; retreat class 3; second half of D14b; type of the counter being placed at D1 5 (armored, infantry, airborne, marine, Security); proposal 4 (truce, TARGET, joint Revolution, federalization), its maker 4 (me and the next seats)", nil, chainSize)
	citiesAt  = compactLayout.Add("cities", -1, 1, "Population I hexes in order of number, zero where not in play: Riot, Unrest, Informer, Network weak, strong, underground, its owner (1 mine, 2/3, 1/3, 0 the next seats), its mark; Minutemen/3, strong ones/3, Agents/3, CIG step/6, Government Army; zone of the Government, of the Rebels; room/6; for the unit that is being moved: 1 where no die is needed, else the price column from 1 to 7 over 8, 0 where it may not go", nil, minuteman.Cities, citySize)
	mmAt      = compactLayout.Add("minutemen", -1, 1, "by counter, own colour first: on map, column, row, strong, underground, done, strength used in this turn, owner", nil, minuteman.Minutemen, mmSize)
	militiaAt = compactLayout.Add("militia", -1, 1, "three colours, own first, Canada, Mexico: on map, column, row, untried, attack/8, defence/8, done (1/2, 1 if it advanced), owner, surrounded", nil, minuteman.Militias, militiaSize)
	armyAt    = compactLayout.Add("army", -1, 1, "US, Security, Foreign, Canada, Mexico: on map, column, row, held by the Government, airborne 1/2 or marine 1, untried, attack/14, defence/12, pinned, Air/Rail, done (1/2, 1 if it advanced)", nil, minuteman.Armies, armySize)
	agentsAt  = compactLayout.Add("agents", -1, 1, "by counter: on map, column, row, strong, done, fought", nil, minuteman.Agents, agentSize)
	cigsAt    = compactLayout.Add("cigs", -1, 1, "by counter: on map, column, row, step/6, placed in this turn, has built or moved, attacked", nil, minuteman.CIGs, cigSize)
	unrestAt  = compactLayout.Add("unrest_elsewhere", -1, 1, "Unrests outside Population I by number: column, row", nil, unrestRows, 2)
	nearAt    = compactLayout.Add("near_hexes", -1, 1, "the chosen hex, its ring of 6, its ring of 12, clockwise from N: playable, side from the chosen hex passable, terrain 4, Population I, II, coast, cost for the chosen unit, or for Militia and Army where none is chosen,/3, zone of the Government, of the Rebels, Riot, Rebel defence, attack, Government defence, attack/20, chosen", nil, nearRows, nearSize)
	regionsAt = compactLayout.Add("regions", -1, 1, "Canada; Mexico; US columns to 13 rows to 11, from 12; 14-22 to 14, from 15; 23-29 to 14, from 15; 30-36 to 15, from 16; 37 up to 14, from 15: Riots, Unrests, Networks, strong Networks, Minutemen, Militia, its attack, Army, its attack, Agents, CIG steps, Informers, each over its limit", nil, regionRows, regionSize)
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
	e.mapBlocks(dst)
	e.units(dst)
	e.near(dst[nearAt:])
	e.globals(dst[globalsAt:])
	e.decision(dst[chainAt:])
}

// encoder is one observation on its way.
type encoder struct {
	s                  *minuteman.View
	me                 int
	g                  minuteman.Globals
	chain              minuteman.Chain
	government, rebels minuteman.HexSet
	ownerShare         [4]float32 // by seat
	level              int        // what the position is worth, and the Partisan cities
	held, cut          uint8
	done               doing
	count              [7]int               // units by kind and Informers
	mmOf               [4]int               // Minutemen by seat
	out                [minuteman.Piles]int // counters on the map, by the pile that they come from
}

func newEncoder(s *minuteman.View, me int) encoder {
	e := encoder{s: s, me: me, g: s.Globals(), chain: s.Chain()}
	e.government, e.rebels = s.Zones()
	e.level, e.held, e.cut = s.Standing()
	for owner := range e.g.Seats {
		e.ownerShare[owner] = e.share(owner)
	}
	const a3, a4, g3, g4 = 3, 4, 9, 10
	switch e.g.Phase {
	case a3, g3:
		e.done = moves
	case a4, g4:
		e.done = attacks
	}
	return e
}

// share scales the owner of a Rebel unit: 1 mine, then the next seats.
func (e *encoder) share(owner int) float32 {
	d := (owner - e.me + e.g.Seats) % e.g.Seats
	if e.g.Seats == 2 {
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

// did tells whether a unit has done it.
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
	if e.g.Seats == 2 || e.me == 0 {
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
