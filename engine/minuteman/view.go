package minuteman

import "powderkeg/engine"

// What encoders and agents read. All methods work on views; hidden strengths come
// as means over the counters that a unit can be. Hexes are indices into
// data/map.json, units are slots in the order Network, Minuteman, Militia, Army,
// Agent, CIG. None of the methods allocates.

// Sizes and first slots of the kinds.
const (
	Hexes     = numHexes
	Cities    = numCities
	Units     = numUnits
	Nets      = numNets
	Minutemen = numMM
	Militias  = numMil
	Armies    = numArmy
	Agents    = numAgts
	CIGs      = numCIGs
	Informers = numInf

	FirstNet       = netFirst
	FirstMinuteman = mmFirst
	FirstMilitia   = milFirst
	FirstArmy      = armyFirst
	FirstAgent     = agtFirst
	FirstCIG       = cigFirst

	Decisions = int(numDecisions)
	Phases    = int(over)
	Classes   = numClasses
	NoHex     = int(noHex)
)

// DecisionNames are the ids of the decisions, D1 to D83.
func DecisionNames() []string {
	var names []string
	for _, q := range newTable()[:numDecisions] {
		names = append(names, q.Name)
	}
	return names
}

// PhaseNames are the phases: setup, A1 to A5, B, G1 to G6, N.
func PhaseNames() []string { return append([]string{}, phaseNames[:over]...) }

// HexSet is a set of hexes by index.
type HexSet = hexSet

// Has reports whether a hex is in the set.
func (s *hexSet) Has(h int) bool { return s.has(HexID(h)) }

// Unit is what can be seen of a unit.
type Unit struct {
	Hex                                      int  // NoHex off the map
	Step                                     int  // 1 if strong; a CIG 1 to 6
	Owner                                    int  // seat
	Rebel                                    bool // on the Rebels' side of the counter sheet or held by one
	Underground, Untried, Pinned, AirRail    bool
	Moved, Acted, Attacked, Advanced, Fought bool
	PlacedNow, Airborne, Marine              bool
	Pile                                     int     // where its counter goes back to, as Piles numbers them
	Attack, Defence                          float32 // of Militia and Army; a mean if untried
}

// Unit returns a unit by slot.
func (s *View) Unit(u int) Unit {
	g, p := s.G, &s.P
	x := &p.Units[u]
	if x.Hex == noHex {
		return Unit{Hex: NoHex}
	}
	m := x.Marks
	v := Unit{
		Hex: int(x.Hex), Step: int(x.Step), Owner: int(p.Gov),
		Underground: m&underground != 0, Untried: m&untried != 0, Pinned: m&pinned != 0, AirRail: m&airRail != 0,
		Moved: m&moved != 0, Acted: m&acted != 0, Attacked: m&attacked != 0, Advanced: m&advanced != 0, Fought: m&fought != 0,
		PlacedNow: m&placedNow != 0, Pile: int(g.pileOf[u]),
	}
	if g.isRebel(p, UnitID(u)) {
		v.Rebel, v.Owner = true, int(g.owner(p, UnitID(u)))
	}
	if u >= milFirst && u < agtFirst {
		gr := g.groupOf(p, UnitID(u))
		v.Pile = firstGroupPile + int(gr)
		v.Airborne, v.Marine = gr == airborne, gr == marine
		a, d := g.maskedStrength(p, UnitID(u), mean)
		v.Attack, v.Defence = float32(a)/point, float32(d)/point
	}
	return v
}

// HexFacts is what is printed on a hex.
type HexFacts struct {
	Column, Row, Country, Terrain, Population int
	City                                      int // index among the Population I hexes, -1 elsewhere
	Region                                    int // 0 to 11: Canada, Mexico, ten parts of the US by columns and rows
	Coast                                     bool
	Near                                      [6]int // clockwise from N over passable sides, NoHex where there is none
	Beside                                    [6]int // the same over any side
}

// Facts returns what is printed on a hex; it must not be changed.
func (s *View) Facts(h int) *HexFacts { return &s.G.facts[h] }

// tellFacts writes down what Facts returns.
func tellFacts(b *box) {
	for h := range b.hexes {
		x := &b.hexes[h]
		f := &b.facts[h]
		*f = HexFacts{Column: int(x.col), Row: int(x.row), Country: int(x.country), Terrain: int(x.terrain), Population: int(x.pop), City: int(x.city),
			Coast: x.coast}
		f.Region = regionOf(f)
		for i := range f.Near {
			f.Near[i], f.Beside[i] = int(x.near[i]), int(x.beside[i])
		}
	}
}

// Regions is the number of parts that HexFacts.Region divides the map into.
const Regions = 12

// regionOf divides the US by columns, and each strip by rows.
func regionOf(f *HexFacts) int {
	strips := [...]struct{ end, cut int }{{13, 11}, {22, 14}, {29, 14}, {36, 15}, {lastColumn, 14}}
	if f.Country != int(us) {
		return f.Country - 1
	}
	i := 0
	for f.Column > strips[i].end {
		i++
	}
	if f.Row <= strips[i].cut {
		return 2 + 2*i
	}
	return 3 + 2*i
}

// CityHex returns the hex of a city.
func (s *View) CityHex(c int) int { return int(s.G.cityHex[c]) }

// Playable returns the hexes in play.
func (s *View) Playable() *HexSet { return &s.G.playable }

// MovePoints returns what Militia and Army pay to enter a hex now (R9).
func (s *View) MovePoints(h int) int {
	if s.P.isWinter() {
		return int(s.G.hexes[h].cost[1])
	}
	return int(s.G.hexes[h].cost[0])
}

// EntryCosts is what a unit pays to enter a hex now.
type EntryCosts struct {
	unit  int
	price [numHexes]uint8
}

// SetUnit names the unit, below 0 for none.
func (e *EntryCosts) SetUnit(s *View, u int) {
	if e.unit = u; u >= 0 && s.G.kind[u] == minuteman && s.P.RevTurn == 0 {
		s.G.prices(&s.P, s.G.owner(&s.P, UnitID(u)), &e.price)
	}
}

// Of returns the cost of a hex: a Minuteman before the Revolution pays the price of
// R8.3, others the points of R9 and R29.3. Without a unit it is what Militia and Army
// pay; a unit that does not move hex by hex pays nothing.
func (e *EntryCosts) Of(s *View, h int) int {
	g, p, u := s.G, &s.P, e.unit
	switch {
	case u < 0:
		return s.MovePoints(h)
	case g.kind[u] == cig:
		return 0
	case g.kind[u] == minuteman && p.RevTurn == 0:
		return int(e.price[h])
	case g.kind[u] == agent || g.kind[u] == minuteman || g.abroad(p, UnitID(u), HexID(h)):
		return 1
	}
	return s.MovePoints(h)
}

// Riot and Informer tell what lies in a hex.
func (s *View) Riot(h int) bool     { return s.G.riotAt(&s.P, HexID(h)) }
func (s *View) Informer(h int) bool { return s.G.informerAt(&s.P, HexID(h)) }

// Next returns the first hex of a set that is not below h, NoHex if there is none.
func (s *hexSet) Next(h int) int { return int(s.next(HexID(h))) }

// CitySet is a set of cities by index.
type CitySet = citySet

// Next returns the first city of a set that is not below c, -1 if there is none.
func (s *citySet) Next(c int) int { return int(s.next(CityID(c))) }

// UnitsIn calls f for each unit of a hex in order of arrival.
func (s *View) UnitsIn(h int, f func(u int)) {
	for u := s.P.Head[h]; u != noUnit; u = s.P.Units[u].Next {
		f(int(u))
	}
}

// Zones returns the hexes that the Government's team and the Rebels control.
func (s *View) Zones() (government, rebels HexSet) {
	return s.G.zone(&s.P, governmentTeam, noHex), s.G.zone(&s.P, rebelTeam, noHex)
}

// Surrounded reports whether a unit on the map is surrounded (R12.1). enemy is the
// zone of the other team, as Zones returns it.
func (s *View) Surrounded(u int, enemy *HexSet) bool {
	for _, n := range s.G.hexes[s.P.Units[u].Hex].near {
		if n != noHex && s.G.playable.has(n) && !enemy.has(n) {
			return false
		}
	}
	return s.G.surrounded(&s.P, UnitID(u))
}

// Options returns what the game is played by; it must not be changed.
func (s *View) Options() *Options { return &s.G.Options }

// Turns returns how many Game-Turns there are, and the last one in which the Revolution
// can be declared, 0 where there is none.
func (s *View) Turns() (all, deadline int) { return s.G.sc.Turns, s.G.sc.Deadline }

// Decision returns the question that is asked, -1 at a chance event and at the end.
func (s *View) Decision() int {
	if s.P.Actor < 0 {
		return -1
	}
	return int(s.P.Ask)
}

// Season returns the season, from spring on; Winter is the last.
func (s *View) Season() int { return (int(s.P.Turn) + 3) % 4 }

// Reactions is how the Government would react (R15).
type Reactions struct {
	RiotIndex      int // Riots and half the Unrests
	Riots, Builds  int // columns from 0
	BuildsToColumn int // builds to the next column, 0 in the last
}

// Reactions returns how the Government would react now.
func (s *View) Reactions() Reactions {
	g, p := s.G, &s.P
	r := Reactions{RiotIndex: g.riotIndex(p), Riots: g.reactionColumn(p, false), Builds: g.reactionColumn(p, true)}
	if end := g.Reaction.Builds[column(g.Reaction.Builds[:], int(p.Track))]; end != noEnd {
		r.BuildsToColumn = int(end) + 1 - int(p.Track)
	}
	return r
}

// Piles are numbered: Networks, Minutemen and Militia of the three colours, Militia
// of Canada and Mexico, Divisions by type, Security, Foreign, Brigades of Canada and
// Mexico, Agents, CIGs.
const (
	Piles          = firstGroupPile + int(numGroups) + 2
	firstGroupPile = 6
)

// Counters returns how many counters of each pile there are, and how many of them
// have been drawn and not yet placed.
func (s *View) Counters() (all *[Piles]int, drawn [Piles]int) {
	for _, c := range s.P.Queue[:s.P.Queued] {
		drawn[firstGroupPile+s.G.masked[c&^hiddenCounter].group]++
	}
	return &s.G.pileSize, drawn
}

// Standing tells what the position is worth: the level of the ladder if the game
// ended now, -3 to 3, with several players that of the winner, positive for the
// Rebels; and bit sets of the eight Partisan cities, by number, that the Rebel
// occupies and that are cut, none in other scenarios.
func (s *View) Standing() (level int, held, cut uint8) {
	g, p := s.G, &s.P
	c := g.partisanCities(p)
	switch {
	case g.Seats > 2:
		var winners SeatSet
		winners, level = g.standing(p)
		level = -g.afterForeign(p, winners, level)
	case p.Phase == over:
		level = int(p.End.Level)
	default:
		level = g.steps(p, g.level(p, &c))
	}
	return level, c.held, c.cut
}

// CityPrices writes for each city what it means to the unit that is being moved
// (D19): 1 where it gets without a die, else the price column over 8, counted from 1
// for the first that needs one to 7, 0 where it may not go, and zeroes where no unit is
// being moved.
func (s *View) CityPrices(dst *[numCities]float32) {
	g, p := s.G, &s.P
	*dst = [numCities]float32{}
	u := p.Move.Unit
	if p.Move.Stage != moveDest || p.Actor == engine.Terminal {
		return
	}
	ends := p.offered()
	if ends.empty() { // the view of another seat
		ends = g.destinations(p)
	}
	if g.kind[u] != minuteman || p.RevTurn > 0 {
		for c, h := range g.cityHex {
			if ends.has(h) {
				dst[c] = 1
			}
		}
		return
	}
	var price [numHexes]uint8
	var length [numHexes]uint32
	g.prices(p, g.owner(p, u), &price)
	g.lengths(p, u, p.Units[u].Hex, &price, false, &length)
	for c, h := range g.cityHex {
		if !ends.has(h) {
			continue
		}
		if n := int(length[h] / pathCost); n > g.freePrice() {
			dst[c] = float32(column(g.Minutemen.Columns[:], n)) / 8
		} else {
			dst[c] = 1
		}
	}
}

// Strengths returns the attack and defence of a unit on the map as everybody knows
// them: a mean if it is untried, the defence doubled underground.
func (s *View) Strengths(u int) (attack, defence float32) {
	a, d := s.G.attackOf(&s.P, UnitID(u), mean), s.G.defenceOf(&s.P, UnitID(u), mean)
	return float32(a) / point, float32(d) / point
}
