package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// encodePlain is the compact view as the specification tells it, block by block and
// hex by hex. The encoder must write the same numbers.
func encodePlain(dst []float32, view engine.View, p engine.Player) {
	s := view.(*minuteman.View)
	clear(dst)
	e := plain{s: s, me: int(p), g: s.Globals(), chain: s.Chain()}
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

// plain is one observation on its way.
type plain struct {
	s                  *minuteman.View
	me                 int
	g                  minuteman.Globals
	chain              minuteman.Chain
	government, rebels minuteman.HexSet
	regionOf           []float32 // the block of regions
	count              [7]int    // units by kind and Informers
	mmOf               [4]int    // Minutemen by seat
}

// share scales the owner of a Rebel unit: 1 mine, then the next seats.
func (e *plain) share(owner int) float32 {
	d := (owner - e.me + e.g.Seats) % e.g.Seats
	if e.g.Seats == 2 {
		return flag(d == 0)
	}
	return 1 - float32(d)/3
}

// colour returns which colour stands in place i, so that the observer's comes
// first.
func (e *plain) colour(i int) int {
	if e.g.Seats == 2 || e.me == 0 {
		return i
	}
	return (i + e.me - 1) % 3
}

// place writes that a unit is on the map and where.
func (e *plain) place(dst []float32, h int) {
	f := e.s.Facts(h)
	dst[0], dst[1], dst[2] = 1, float32(f.Column)/columns, float32(f.Row)/rows
}

// done tells whether a unit has acted, as the phase is.
func (e *plain) done(u *minuteman.Unit) bool {
	const a3, g3, a4, g4 = 3, 9, 4, 10
	switch e.g.Phase {
	case a3, g3:
		return u.Moved
	case a4, g4:
		return u.Attacked
	}
	return u.Acted
}

// units writes the blocks of Minutemen, Militia, Army, Agents and CIGs.
func (e *plain) units(dst []float32) {
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
func (e *plain) against(u *minuteman.Unit) *minuteman.HexSet {
	if !u.Rebel || u.Owner == e.g.Federalized {
		return &e.rebels
	}
	return &e.government
}

// cities writes the Population I hexes.
func (e *plain) cities(dst []float32) {
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

func (e *plain) cityUnit(row []float32, slot int) {
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
func (e *plain) elsewhere(dst []float32) {
	set := e.s.UnrestSet()
	n := 0
	for h := set.Next(0); h != minuteman.NoHex && n < unrestRows; h = set.Next(h + 1) {
		if f := e.s.Facts(h); f.City < 0 {
			dst[2*n], dst[2*n+1] = float32(f.Column)/columns, float32(f.Row)/rows
			n++
		}
	}
}

// globals writes what is not on the map. The counts of units are those that the
// other blocks have found.
func (e *plain) globals(dst []float32) {
	const markersInGame, turns = 40, 24
	g := &e.g
	c := cursor{dst: dst[:globalSize]}
	c.oneHot(g.Phase, minuteman.Phases)
	c.oneHot(g.Decision, minuteman.Decisions)
	c.put(flag(e.me == g.Government))
	c.put(float32(g.Turn) / turns)
	c.put(float32(max(0, g.Deadline-g.Turn)) / turns)
	c.oneHot(g.Season, 4)
	c.put(flag(g.RevolutionTurn > 0))
	if g.RevolutionTurn > 0 {
		c.put(float32(g.Turn-g.RevolutionTurn) / turns)
	} else {
		c.put(0)
	}
	others := 0
	for s, n := range g.Due {
		if s != g.Government && s != e.me {
			others += n
		}
	}
	own := 0
	if e.me != g.Government {
		own = g.Due[e.me]
	}
	c.put(float32(g.Due[g.Government]) / 4)
	c.put(float32(own) / 6)
	c.put(float32(others) / 12)
	c.put(float32(g.Track) / 100)
	c.put(float32(g.BuildsToNext) / 19)
	c.put(float32(g.RiotIndex) / 15)
	c.put(float32(g.RiotColumn) / 8)
	c.put(float32(g.BuildColumn) / 8)
	for m, most := range [4]float32{16, 10, 8, 6} {
		c.put(float32(g.Hand[e.me][m]) / most)
	}
	for i := 1; i <= 3; i++ {
		if i < g.Seats {
			c.put(float32(g.HandSize[(e.me+i)%g.Seats]) / markersInGame)
		} else {
			c.put(0)
		}
	}
	c.put(float32(g.Pool) / markersInGame)
	e.piles(&c)
	e.rules(&c)
	e.affairs(&c)
	e.balance(&c)
}

// piles writes the share of each kind's counters that are off the map.
func (e *plain) piles(c *cursor) {
	all, drawn := e.s.Counters()
	left := *all
	for i, n := range drawn {
		left[i] -= n
	}
	for slot := range minuteman.Units {
		if u := e.s.Unit(slot); u.Hex != minuteman.NoHex {
			left[u.Pile]--
		}
	}
	for i := range left {
		k := i
		if i < 9 {
			k = i/3*3 + e.colour(i%3)
		}
		c.put(float32(left[k]) / float32(all[k]))
	}
}

// rules writes scenario, variants, players and options.
func (e *plain) rules(c *cursor) {
	g := &e.g
	c.oneHot(g.Scenario, 5)
	for _, b := range [5]bool{g.Unprepared, g.Prepared, g.Uncoordinated, g.Organized, g.Dispersed} {
		c.put(flag(b))
	}
	c.oneHot(g.Seats-2, 3)
	for _, b := range [5]bool{g.Neighbours, g.Foreign, g.AirAssault, g.Amphibious, g.Elite} {
		c.put(flag(b))
	}
}

// affairs writes Air/Rail, foreign affairs, the Partisan cities and the players.
func (e *plain) affairs(c *cursor) {
	g := &e.g
	c.put(float32(g.AirRailHalves) / 20)
	c.put(flag(g.ForeignSeat == e.me))
	c.put(flag(g.ForeignSeat >= 0 && g.ForeignSeat != e.me))
	c.put(float32(g.ForeignLeft) / 3)
	for country := 1; country <= 2; country++ {
		c.put(float32(g.Sides[country]))
		c.put(flag(g.Built[country]))
	}
	c.put(float32(g.Committed) / 16)
	_, held, cut := e.s.Standing()
	for _, set := range [2]uint8{held, cut} {
		for i := range 8 {
			c.put(float32(set >> i & 1))
		}
	}
	for _, seat := range g.Order {
		d := 0
		if seat >= 0 {
			d = (seat - e.me + g.Seats) % g.Seats
		}
		c.put(float32(d) / 3)
	}
	for i := range 4 {
		c.put(flag(i < g.Seats && g.Federalized == (e.me+i)%g.Seats))
	}
	for i := 1; i < 4; i++ {
		c.put(flag(i < g.Seats && g.Eliminated>>((e.me+i)%g.Seats)&1 != 0))
	}
}

// balance writes the counts of units and what the position is worth.
func (e *plain) balance(c *cursor) {
	g := &e.g
	for i := range 4 {
		c.put(flag(i < g.Seats && 2*e.mmOf[(e.me+i)%g.Seats] > e.count[1]))
	}
	limits := [7]float32{minuteman.Nets, minuteman.Minutemen, minuteman.Militias, minuteman.Armies, minuteman.Agents, minuteman.CIGs, minuteman.Informers}
	for i, n := range e.count {
		c.put(float32(n) / limits[i])
	}
	c.put(float32(e.count[2]-e.count[3]) / minuteman.Armies)
	c.put(float32(e.count[0]-e.count[5]) / minuteman.Nets)
	c.put(float32(e.count[1]-e.count[4]) / minuteman.Minutemen)
	level, _, _ := e.s.Standing()
	c.oneHot(level+3, 7)
	e.talk(c)
}

// talk writes what was said in the last negotiation, seat by seat.
func (e *plain) talk(c *cursor) {
	g := &e.g
	var seats, rebels []int
	for i := range g.Seats {
		s := (e.me + i) % g.Seats
		seats = append(seats, s)
		if s != g.Government {
			rebels = append(rebels, s)
		}
	}
	for _, pair := range [6][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}} {
		c.put(flag(pair[1] < len(seats) && g.TruceOf(seats[pair[0]], seats[pair[1]])))
	}
	for i := range 4 {
		for k := range 3 {
			c.put(flag(i < len(seats) && k < len(rebels) && g.Named[seats[i]] == rebels[k]))
		}
	}
	for k := range 3 {
		c.put(flag(k < len(rebels) && g.Pact == rebels[k]))
	}
}

// decision writes the chain of choices under way.
func (e *plain) decision(dst []float32) {
	v := &e.chain
	c := cursor{dst: dst[:chainSize]}
	c.oneHot(v.Attack, 4)
	c.oneHot(v.Class, minuteman.Classes)
	if v.Hex == minuteman.NoHex {
		c.dst[c.n], c.dst[c.n+2] = flag(v.Begun), flag(v.Mexico)/rows
	}
	for _, h := range [2]int{v.Hex, v.Target} {
		if h != minuteman.NoHex {
			e.place(c.dst[c.n:], h)
		}
		c.n += 3
	}
	c.put(v.AttackSum / 40)
	c.put(v.Known / 40)
	c.put(v.Defence / 40)
	c.oneHot(v.Column, 7)
	c.put(float32(v.Modifier))
	for _, b := range [4]bool{v.Doubled, v.Ruthless, v.Tried, v.Betrayed} {
		c.put(flag(b))
	}
	c.put(float32(v.Points) / 9)
	c.put(float32(v.BuildColumn) / 6)
	c.put(float32(v.Organizers) / 8)
	c.put(float32(v.Helpers) / 3)
	c.put(float32(v.Left) / 6)
	c.put(float32(v.Price) / 60)
	c.put(v.Success)
	c.put(v.Stop)
	c.put(v.Lost)
	c.put(float32(v.Shown) / 6)
	c.oneHot(v.RetreatClass, 3)
	c.put(flag(v.Second))
	c.oneHot(v.Placing, 5)
	c.oneHot(v.Proposal, 4)
	maker := -1
	for i := range e.g.Seats {
		if (e.me+i)%e.g.Seats == v.Maker {
			maker = i
		}
	}
	c.oneHot(maker, 4)
}

// near writes the chosen hex and the two rings around it.
func (e *plain) near(dst []float32) {
	focus := e.chain.Hex
	if focus == minuteman.NoHex {
		focus = e.chain.Target
	}
	if focus == minuteman.NoHex {
		return
	}
	f := e.s.Facts(focus)
	e.nearHex(dst, focus, true)
	for i, h := range f.Beside {
		if h == minuteman.NoHex {
			continue
		}
		e.nearHex(dst[(1+i)*nearSize:], h, f.Near[i] != minuteman.NoHex)
		// Of the ring of 12, place 2i lies straight on, place 2i+1 one further clockwise.
		r := e.s.Facts(h)
		for k := range 2 {
			if x := r.Beside[(i+k)%6]; x != minuteman.NoHex {
				e.nearHex(dst[(7+2*i+k)*nearSize:], x, r.Near[(i+k)%6] != minuteman.NoHex && f.Near[i] != minuteman.NoHex)
			}
		}
	}
}

func (e *plain) nearHex(dst []float32, h int, passable bool) {
	f := e.s.Facts(h)
	c := cursor{dst: dst[:nearSize]}
	c.put(flag(e.s.Playable().Has(h)))
	c.put(flag(passable))
	c.oneHot(f.Terrain, 4)
	c.oneHot(f.Population-1, 2)
	c.put(flag(f.Coast))
	var costs minuteman.EntryCosts
	costs.SetUnit(e.s, e.chain.Moving)
	c.put(float32(costs.Of(e.s, h)) / 3)
	c.put(flag(e.government.Has(h)))
	c.put(flag(e.rebels.Has(h)))
	c.put(flag(e.s.Riot(h)))
	var defence, attack [2]float32
	e.s.UnitsIn(h, func(slot int) {
		u := e.s.Unit(slot)
		side := 0
		if !u.Rebel {
			side = 1
		}
		a, d := e.s.Strengths(slot)
		attack[side] += a
		defence[side] += d
	})
	for side := range 2 {
		c.put(defence[side] / 20)
		c.put(attack[side] / 20)
	}
	c.put(flag(h == e.chain.Target))
}

// region returns which of the twelve regions a hex belongs to.
func region(f *minuteman.HexFacts) int {
	if f.Country != 0 {
		return f.Country - 1
	}
	ends, cuts := [5]int{13, 22, 29, 36, columns}, [5]int{11, 14, 14, 15, 14}
	for i, end := range ends {
		if f.Column <= end {
			if f.Row <= cuts[i] {
				return 2 + 2*i
			}
			return 3 + 2*i
		}
	}
	return regionRows - 1
}

// regions adds up the markers in each part of the map; the units are added as they
// are met.
func (e *plain) regions() {
	at := func(h int) []float32 {
		return e.regionOf[region(e.s.Facts(h))*regionSize:][:regionSize]
	}
	for c := range minuteman.Cities {
		h := e.s.CityHex(c)
		if e.s.Riot(h) {
			at(h)[0] += 1. / minuteman.Cities
		}
		if e.s.Informer(h) {
			at(h)[11] += 1. / minuteman.Informers
		}
	}
	set := e.s.UnrestSet()
	for h := set.Next(0); h != minuteman.NoHex; h = set.Next(h + 1) {
		at(h)[1] += 1. / minuteman.Cities
	}
}

// inRegion adds a unit to its part of the map.
func (e *plain) inRegion(slot int, u *minuteman.Unit) {
	row := e.regionOf[region(e.s.Facts(u.Hex))*regionSize:][:regionSize]
	switch {
	case slot < minuteman.FirstMinuteman:
		row[2] += 1. / minuteman.Nets
		row[3] += float32(u.Step) / minuteman.Nets
	case slot < minuteman.FirstMilitia:
		row[4] += 1. / minuteman.Minutemen
	case slot < minuteman.FirstArmy:
		row[5] += 1. / minuteman.Militias
		row[6] += u.Attack / (8 * minuteman.Militias)
	case slot < minuteman.FirstAgent:
		row[7] += 1. / minuteman.Armies
		row[8] += u.Attack / (14 * minuteman.Armies)
	case slot < minuteman.FirstCIG:
		row[9] += 1. / minuteman.Agents
	default:
		row[10] += float32(u.Step) / (6 * minuteman.CIGs)
	}
}
