package minuteman

import (
	"math/bits"

	"powderkeg/engine/minuteman"
)

// zones writes who controls the cities.
func (e *encoder) zones(dst []float32) {
	for c := range minuteman.Cities {
		if h := e.s.CityHex(c); e.s.Playable().Has(h) {
			row := (*[citySize]float32)(dst[citiesAt+c*citySize:])
			row[13], row[14] = flag(e.government.Has(h)), flag(e.rebels.Has(h))
		}
	}
}

// markers writes what lies on the map beside units: in the cities, the Unrests elsewhere, and
// their sums by region.
func (e *encoder) markers(dst []float32) {
	s := e.s
	city := func(h int) []float32 { return dst[citiesAt+s.Facts(h).City*citySize:][:citySize] }
	region := func(h int) []float32 { return dst[regionsAt+s.Facts(h).Region*regionSize:][:regionSize] }
	for c := e.p.Riot.Next(0); c >= 0; c = e.p.Riot.Next(c + 1) {
		h := s.CityHex(c)
		city(h)[0] = 1
		region(h)[0] += 1. / minuteman.Cities
	}
	for c := e.p.Informer.Next(0); c >= 0; c = e.p.Informer.Next(c + 1) {
		h := s.CityHex(c)
		city(h)[2] = 1
		region(h)[11] += 1. / minuteman.Informers
		e.count[unitKinds]++
	}
	n := 0
	for h := e.p.Unrest.Next(0); h != minuteman.NoHex; h = e.p.Unrest.Next(h + 1) {
		f := s.Facts(h)
		region(h)[1] += 1. / minuteman.Cities
		if f.City >= 0 {
			city(h)[1] = 1
		} else if n < unrestRows {
			row := dst[unrestAt+2*n:]
			row[0], row[1] = columnAt[f.Column], rowAt[f.Row]
			n++
		}
	}
}

// prices writes what each city means to the unit that is being moved.
func (e *encoder) prices(dst []float32) {
	if e.chain.Moving < 0 {
		return
	}
	var prices [minuteman.Cities]float32
	e.s.CityPrices(&prices)
	for c, x := range prices {
		dst[citiesAt+c*citySize+16] = x
	}
}

// kind is a kind of unit: the slots that it has, where its numbers stand in the observation,
// and its piles. Kinds share no number but the room in cities.
type kind struct {
	first, end                                        int
	rowsAt, rowsEnd                                   int
	region, regionEnd, city, cityEnd, piles, pilesEnd int
}

var kinds = [unitKinds]kind{
	{minuteman.FirstNet, minuteman.FirstMinuteman, 0, 0, 2, 4, 3, 8, 0, 3},
	{minuteman.FirstMinuteman, minuteman.FirstMilitia, mmAt, militiaAt, 4, 5, 8, 10, 3, 6},
	{minuteman.FirstMilitia, minuteman.FirstArmy, militiaAt, armyAt, 5, 7, 0, 0, 6, 11},
	{minuteman.FirstArmy, minuteman.FirstAgent, armyAt, agentsAt, 7, 9, 12, 13, 11, 19},
	{minuteman.FirstAgent, minuteman.FirstCIG, agentsAt, cigsAt, 9, 10, 10, 11, 19, 20},
	{minuteman.FirstCIG, minuteman.Units, cigsAt, unrestAt, 10, 11, 11, 12, 20, 21},
}

// The kinds of units, in the order of their slots.
const (
	networksKind = iota
	minutemenKind
	militiaKind
	armyKind
	agentsKind
	cigsKind
	unitKinds
)

const mmPerColour, militiaPerColour, coloured = 12, 8, 24

func (e *encoder) networks(dst []float32) {
	for i := range minuteman.Nets {
		if e.p.OnMap.Has(i) {
			e.network(dst, i)
		}
	}
}

func (e *encoder) minutemen(dst []float32) {
	e.mmOf = [4]int{}
	for i := range minuteman.Minutemen {
		slot := minuteman.FirstMinuteman + e.colour(i/mmPerColour)*mmPerColour + i%mmPerColour
		if e.p.OnMap.Has(slot) {
			e.minuteman(dst, i, slot)
		}
	}
}

func (e *encoder) militias(dst []float32) {
	for i := range minuteman.Militias {
		slot := minuteman.FirstMilitia + i
		if i < coloured {
			slot = minuteman.FirstMilitia + e.colour(i/militiaPerColour)*militiaPerColour + i%militiaPerColour
		}
		if e.p.OnMap.Has(slot) {
			e.militia(dst, i, slot)
		}
	}
}

func (e *encoder) armies(dst []float32) {
	for i := range minuteman.Armies {
		if e.p.OnMap.Has(minuteman.FirstArmy + i) {
			e.army(dst, i)
		}
	}
}

func (e *encoder) agents(dst []float32) {
	for i := range minuteman.Agents {
		if e.p.OnMap.Has(minuteman.FirstAgent + i) {
			e.agent(dst, i)
		}
	}
}

func (e *encoder) cigs(dst []float32) {
	for i := range minuteman.CIGs {
		if e.p.OnMap.Has(minuteman.FirstCIG + i) {
			e.cig(dst, i)
		}
	}
}

// units writes the blocks of Minutemen, Militia, Army, Agents and CIGs, and what units add to
// cities and regions.
func (e *encoder) units(dst []float32) {
	for k := range kinds {
		e.unitsOf(k, dst)
	}
}

// unitsOf does so for one kind. It is no list of functions, so that nothing is allocated.
func (e *encoder) unitsOf(k int, dst []float32) {
	switch k {
	case networksKind:
		e.networks(dst)
	case minutemenKind:
		e.minutemen(dst)
	case militiaKind:
		e.militias(dst)
	case armyKind:
		e.armies(dst)
	case agentsKind:
		e.agents(dst)
	case cigsKind:
		e.cigs(dst)
	}
}

// rooms writes the room that the units leave in some cities.
func (e *encoder) rooms(dst []float32, some cities) {
	for c := range some.each {
		var playable int
		if e.s.Playable().Has(e.s.CityHex(c)) {
			playable = 1
		}
		dst[citiesAt+c*citySize+15] = room[playable][e.crowd[c]]
	}
}

// room is what so many units leave of a city, which is nothing where it is not in play. A
// sixth is taken off for each of them, which rounds otherwise than all sixths at once.
var room = func() (list [2][minuteman.Units + 1]float32) {
	list[1][0] = 1
	for n := range minuteman.Units {
		list[0][n+1], list[1][n+1] = list[0][n]-1./6, list[1][n]-1./6
	}
	return list
}()

// cities is a set of cities.
type cities [(minuteman.Cities + 63) / 64]uint64

func (s *cities) add(c int) { s[c>>6] |= 1 << (c & 63) }

func (s *cities) join(other *cities) {
	for i := range s {
		s[i] |= other[i]
	}
}

// each calls f for every city of the set.
func (s *cities) each(f func(c int) bool) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			if !f(i<<6 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

// everyCity holds all cities.
var everyCity = func() (s cities) {
	for c := range minuteman.Cities {
		s.add(c)
	}
	return s
}()

// met counts a unit and returns what is printed on its hex, its region's row and its
// city's, nil elsewhere, where it takes room.
func (e *encoder) met(dst []float32, k int, u *minuteman.Unit) (f *minuteman.HexFacts, region, city []float32) {
	e.count[k]++
	e.out[u.Pile]++
	f = e.s.Facts(u.Hex)
	region = dst[regionsAt+f.Region*regionSize:][:regionSize]
	if f.City >= 0 {
		city = dst[citiesAt+f.City*citySize:][:citySize]
		e.inCity[k][f.City]++
		e.crowd[f.City]++
		e.with[k].add(f.City)
	}
	return f, region, city
}

func (e *encoder) network(dst []float32, slot int) {
	u := e.s.Unit(slot)
	_, region, city := e.met(dst, networksKind, &u)
	city[3+u.Step] = 1
	city[5], city[6], city[7] = flag(u.Underground), e.ownerShare[u.Owner], flag(u.Acted || u.Attacked)
	region[2] += 1. / minuteman.Nets
	region[3] += float32(u.Step) / minuteman.Nets
}

func (e *encoder) minuteman(dst []float32, i, slot int) {
	u := e.s.Unit(slot)
	f, region, city := e.met(dst, minutemenKind, &u)
	e.mmOf[u.Owner]++
	row := dst[mmAt+i*mmSize:][:mmSize]
	place(row, f)
	row[3], row[4], row[5], row[6], row[7] = float32(u.Step), flag(u.Underground), flag(e.done.did(&u)), flag(u.Fought), e.ownerShare[u.Owner]
	region[4] += 1. / minuteman.Minutemen
	if city != nil {
		city[8] += 1. / 3
		city[9] += float32(u.Step) / 3
	}
}

func (e *encoder) militia(dst []float32, i, slot int) {
	u := e.s.Unit(slot)
	f, region, _ := e.met(dst, militiaKind, &u)
	against := &e.government
	if minuteman.SeatID(u.Owner) == e.p.Fed {
		against = &e.rebels
	}
	row := dst[militiaAt+i*militiaSize:][:militiaSize]
	place(row, f)
	row[3], row[4], row[5], row[6], row[7] = flag(u.Untried), u.Attack/8, u.Defence/8, half(e.done.did(&u), u.Advanced), e.ownerShare[u.Owner]
	row[8] = flag(e.s.Surrounded(slot, against))
	region[5] += 1. / minuteman.Militias
	region[6] += u.Attack / (8 * minuteman.Militias)
}

func (e *encoder) army(dst []float32, i int) {
	u := e.s.Unit(minuteman.FirstArmy + i)
	f, region, city := e.met(dst, armyKind, &u)
	row := dst[armyAt+i*armySize:][:armySize]
	place(row, f)
	row[3], row[4], row[5], row[6], row[7] = flag(!u.Rebel), flag(u.Airborne)/2+flag(u.Marine), flag(u.Untried), u.Attack/14, u.Defence/12
	row[8], row[9], row[10] = flag(u.Pinned), flag(u.AirRail), half(e.done.did(&u), u.Advanced)
	region[7] += 1. / minuteman.Armies
	region[8] += u.Attack / (14 * minuteman.Armies)
	if city != nil && !u.Rebel {
		city[12] = 1
	}
}

func (e *encoder) agent(dst []float32, i int) {
	u := e.s.Unit(minuteman.FirstAgent + i)
	f, region, city := e.met(dst, agentsKind, &u)
	row := dst[agentsAt+i*agentSize:][:agentSize]
	place(row, f)
	row[3], row[4], row[5] = float32(u.Step), flag(e.done.did(&u)), flag(u.Fought)
	region[9] += 1. / minuteman.Agents
	if city != nil {
		city[10] += 1. / 3
	}
}

func (e *encoder) cig(dst []float32, i int) {
	u := e.s.Unit(minuteman.FirstCIG + i)
	f, region, city := e.met(dst, cigsKind, &u)
	row := dst[cigsAt+i*cigSize:][:cigSize]
	place(row, f)
	row[3], row[4], row[5], row[6] = float32(u.Step)/6, flag(u.PlacedNow), flag(u.Acted || u.Moved), flag(u.Attacked)
	region[10] += float32(u.Step) / (6 * minuteman.CIGs)
	if city != nil {
		city[11] = float32(u.Step) / 6
	}
}
