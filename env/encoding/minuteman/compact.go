// Package minuteman encodes Minuteman: The Second American Revolution, in two ways:
// the compact view of 3,875 numbers, and planes of numbers for every hex.
//
// Everything is seen by the acting seat: with several Rebels its own colour comes
// first, and the other seats follow in order.
package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
	"powderkeg/env/encoding"
)

var compactLayout = encoding.Layout{Game: "minuteman", Version: 1}

// Columns and rows of hexes are divided by these.
const (
	columns = 50
	rows    = 33
)

const (
	globalSize  = 180
	chainSize   = 58
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
	globalsAt = compactLayout.Add("globals", -1, 1, "phase 14; decision 46; I am the Government; turn/24; turns to the deadline/24; season 4; Revolution; turns since it/24; due Divisions/4, own Militia/6, others' Militia/12; track/100; builds to the next reaction column/19; riot index/15; reaction column by riots, by builds/8; own hand 4 (over 16, 10, 8, 6); sizes of the other hands 3/40; pool/40; piles 21 (share left: Networks, Minutemen, Militia of the three colours, own first; Militia of Canada, Mexico; Divisions armored, infantry, airborne, marine; Security; Foreign; Brigades of Canada, Mexico; Agents; CIGs); scenario 5; set-up variants 5; players 3; options 5; Air/Rail left/10; foreign intervention mine, other's, phases left/3; Canada held by the Rebel, Minuteman built there; Mexico the same; committed/16; Partisan cities held 8, cut 8; order of movement 3 (seat's distance from me/3, 0 for me or none); federalized 4 (me and the next seats); eliminated 3 (the next seats); owns more than half of the Minutemen 4; units on the map 7 over their limits; Militia - Army, Networks - CIGs, Minutemen - Agents over their limits; level if the game ended now 7, Decisive Government first", nil, globalSize)
	chainAt   = compactLayout.Add("decision", -1, 1, "attack type 4; chosen class 15; chosen hex: present, column, row; target the same; attack sum, known defence, mean defence/40; column of the table 7; die modifier; Informer doubles, ruthless, Betrayal tried, succeeded; build points/9, column/6, organizers/8, helpers/3; pieces to choose/6; price/60; chances of success, stop, elimination; Passage shown/6; retreat class 3; second half of D14b; proposal 4", nil, chainSize)
	citiesAt  = compactLayout.Add("cities", -1, 1, "Population I hexes in order of number, zero where not in play: Riot, Unrest, Informer, Network weak, strong, underground, its owner (1 mine, 2/3, 1/3, 0 the next seats), its mark; Minutemen/3, strong ones/3, Agents/3, CIG step/6, Government Army; zone of the Government, of the Rebels; room/6; for the unit that is being moved: price column + 1 over 8, 1 where no die is needed, 0 where it may not go", nil, minuteman.Cities, citySize)
	mmAt      = compactLayout.Add("minutemen", -1, 1, "by counter, own colour first: on map, column, row, strong, underground, done, strength used in this turn, owner", nil, minuteman.Minutemen, mmSize)
	militiaAt = compactLayout.Add("militia", -1, 1, "three colours, own first, Canada, Mexico: on map, column, row, untried, attack/8, defence/8, done (1/2, 1 if it advanced), owner, surrounded", nil, minuteman.Militias, militiaSize)
	armyAt    = compactLayout.Add("army", -1, 1, "US, Security, Foreign, Canada, Mexico: on map, column, row, held by the Government, airborne 1/2 or marine 1, untried, attack/14, defence/12, pinned, Air/Rail, done (1/2, 1 if it advanced)", nil, minuteman.Armies, armySize)
	agentsAt  = compactLayout.Add("agents", -1, 1, "by counter: on map, column, row, strong, done, fought", nil, minuteman.Agents, agentSize)
	cigsAt    = compactLayout.Add("cigs", -1, 1, "by counter: on map, column, row, step/6, placed in this turn, has built or moved, attacked", nil, minuteman.CIGs, cigSize)
	unrestAt  = compactLayout.Add("unrest_elsewhere", -1, 1, "Unrests outside Population I by number: column, row", nil, unrestRows, 2)
	nearAt    = compactLayout.Add("near_hexes", -1, 1, "the chosen hex, its ring of 6, its ring of 12, clockwise from N: playable, side from the chosen hex passable, terrain 4, Population I, II, coast, points to enter/3, zone of the Government, of the Rebels, Riot, Rebel defence, attack, Government defence, attack/20, chosen", nil, nearRows, nearSize)
	regionsAt = compactLayout.Add("regions", -1, 1, "Canada; Mexico; US columns to 13 rows to 11, from 12; 14-22 to 14, from 15; 23-29 to 14, from 15; 30-36 to 15, from 16; 37 up to 14, from 15: Riots, Unrests, Networks, strong Networks, Minutemen, Militia, its attack, Army, its attack, Agents, CIG steps, Informers, each over its limit", nil, regionRows, regionSize)
)

// Compact is the compact view, the same for all options.
type Compact struct{}

// Layout implements encoding.Encoder.
func (Compact) Layout() *encoding.Layout { return &compactLayout }

// Encode implements encoding.Encoder.
func (Compact) Encode(dst []float32, view engine.State, p engine.Player) {
	s := view.(*minuteman.State)
	dst = dst[:compactLayout.Size]
	clear(dst)
	e := encoder{s: s, me: int(p), g: s.Globals(), chain: s.Chain()}
	e.government, e.rebels = s.Zones()
	e.regionOf = dst[regionsAt:]
	e.regions()
	e.units(dst)
	e.cities(dst[citiesAt:])
	e.elsewhere(dst[unrestAt:])
	e.near(dst[nearAt:])
	e.globals(dst[globalsAt:])
	e.decision(dst[chainAt:])
	clip(dst[globalsAt : chainAt+chainSize])
	clip(dst[nearAt : nearAt+nearRows*nearSize])
}

// clip bounds what play can drive beyond its scale: the track, sums of strengths.
func clip(dst []float32) {
	for i, x := range dst {
		dst[i] = max(-1, min(1, x))
	}
}

// encoder is one observation on its way.
type encoder struct {
	s                  *minuteman.State
	me                 int
	g                  minuteman.Globals
	chain              minuteman.Chain
	government, rebels minuteman.HexSet
	regionOf           []float32 // the block of regions
	count              [7]int    // units by kind and Informers
	mmOf               [4]int    // Minutemen by seat
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// share scales the owner of a Rebel unit: 1 mine, then the next seats.
func (e *encoder) share(owner int) float32 {
	d := (owner - e.me + e.g.Seats) % e.g.Seats
	if e.g.Seats == 2 {
		return flag(d == 0)
	}
	return 1 - float32(d)/3
}

// colour returns which colour stands in place i, so that the observer's comes
// first.
func (e *encoder) colour(i int) int {
	if e.g.Seats == 2 || e.me == 0 {
		return i
	}
	return (i + e.me - 1) % 3
}

// place writes that a unit is on the map and where.
func (e *encoder) place(dst []float32, h int) {
	f := e.s.Facts(h)
	dst[0], dst[1], dst[2] = 1, float32(f.Column)/columns, float32(f.Row)/rows
}

// done tells whether a unit has acted, as the phase is.
func (e *encoder) done(u *minuteman.Unit) bool {
	const a3, g3, a4, g4 = 3, 9, 4, 10
	switch e.g.Phase {
	case a3, g3:
		return u.Moved
	case a4, g4:
		return u.Attacked
	}
	return u.Acted
}

func half(done, advanced bool) float32 {
	if advanced {
		return 1
	}
	return flag(done) / 2
}

// units writes the blocks of Minutemen, Militia, Army, Agents and CIGs.
func (e *encoder) units(dst []float32) {
	const perColour, militiaPerColour, coloured = 12, 8, 24
	for i := range minuteman.Minutemen {
		slot := minuteman.FirstMinuteman + e.colour(i/perColour)*perColour + i%perColour
		u := e.s.Unit(slot)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(slot, &u)
		row := dst[mmAt+i*mmSize:]
		e.place(row, u.Hex)
		row[3], row[4], row[5], row[6], row[7] = float32(u.Step), flag(u.Underground), flag(e.done(&u)), flag(u.Fought), e.share(u.Owner)
		e.count[1]++
		e.mmOf[u.Owner]++
	}
	for i := range minuteman.Militias {
		slot := i
		if i < coloured {
			slot = e.colour(i/militiaPerColour)*militiaPerColour + i%militiaPerColour
		}
		u := e.s.Unit(minuteman.FirstMilitia + slot)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(minuteman.FirstMilitia+slot, &u)
		row := dst[militiaAt+i*militiaSize:]
		e.place(row, u.Hex)
		row[3], row[4], row[5], row[6], row[7] = flag(u.Untried), u.Attack/8, u.Defence/8, half(e.done(&u), u.Advanced), e.share(u.Owner)
		row[8] = flag(e.s.Surrounded(minuteman.FirstMilitia+slot, e.against(&u)))
		e.count[2]++
	}
	for i := range minuteman.Armies {
		u := e.s.Unit(minuteman.FirstArmy + i)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(minuteman.FirstArmy+i, &u)
		row := dst[armyAt+i*armySize:]
		e.place(row, u.Hex)
		row[3], row[4], row[5], row[6], row[7] = flag(!u.Rebel), flag(u.Airborne)/2+flag(u.Marine), flag(u.Untried), u.Attack/14, u.Defence/12
		row[8], row[9], row[10] = flag(u.Pinned), flag(u.AirRail), half(e.done(&u), u.Advanced)
		e.count[3]++
	}
	for i := range minuteman.Agents {
		u := e.s.Unit(minuteman.FirstAgent + i)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(minuteman.FirstAgent+i, &u)
		row := dst[agentsAt+i*agentSize:]
		e.place(row, u.Hex)
		row[3], row[4], row[5] = float32(u.Step), flag(e.done(&u)), flag(u.Fought)
		e.count[4]++
	}
	for i := range minuteman.CIGs {
		u := e.s.Unit(minuteman.FirstCIG + i)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(minuteman.FirstCIG+i, &u)
		row := dst[cigsAt+i*cigSize:]
		e.place(row, u.Hex)
		row[3], row[4], row[5], row[6] = float32(u.Step)/6, flag(u.PlacedNow), flag(u.Acted || u.Moved), flag(u.Attacked)
		e.count[5]++
	}
}

// against returns the zone of the other team than the unit's.
func (e *encoder) against(u *minuteman.Unit) *minuteman.HexSet {
	if !u.Rebel || u.Owner == e.g.Federalized {
		return &e.rebels
	}
	return &e.government
}

// cities writes the Population I hexes.
func (e *encoder) cities(dst []float32) {
	var prices [minuteman.Cities]float32
	e.s.CityPrices(&prices)
	playable := e.s.Playable()
	for c := range minuteman.Cities {
		h := e.s.CityHex(c)
		if !playable.Has(h) {
			continue
		}
		row := dst[c*citySize : (c+1)*citySize]
		row[0], row[1], row[2] = flag(e.s.Riot(h)), flag(e.s.Unrest(h)), flag(e.s.Informer(h))
		if row[2] > 0 {
			e.count[6]++
		}
		row[13], row[14], row[15], row[16] = flag(e.government.Has(h)), flag(e.rebels.Has(h)), 1, prices[c]
		e.s.UnitsIn(h, func(slot int) { e.cityUnit(row, slot) })
	}
}

func (e *encoder) cityUnit(row []float32, slot int) {
	u := e.s.Unit(slot)
	row[15] -= 1. / 6
	switch {
	case slot < minuteman.FirstMinuteman:
		row[3+u.Step] = 1
		row[5], row[6], row[7] = flag(u.Underground), e.share(u.Owner), flag(u.Acted || u.Attacked)
		e.count[0]++
		e.inRegion(slot, &u)
	case slot < minuteman.FirstMilitia:
		row[8] += 1. / 3
		row[9] += float32(u.Step) / 3
	case slot >= minuteman.FirstCIG:
		row[11] = float32(u.Step) / 6
	case slot >= minuteman.FirstAgent:
		row[10] += 1. / 3
	case slot >= minuteman.FirstArmy && !u.Rebel:
		row[12] = 1
	}
}

// elsewhere writes the Unrests outside the cities.
func (e *encoder) elsewhere(dst []float32) {
	set := e.s.UnrestSet()
	n := 0
	for h := set.Next(0); h != minuteman.NoHex && n < unrestRows; h = set.Next(h + 1) {
		if f := e.s.Facts(h); f.City < 0 {
			dst[2*n], dst[2*n+1] = float32(f.Column)/columns, float32(f.Row)/rows
			n++
		}
	}
}
