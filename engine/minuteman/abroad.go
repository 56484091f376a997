package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// enterCountry implements R29.2: when US forces of the Government enter Canada or
// Mexico, the country's Brigades belong to the Rebel for good. Agents do not count
// where a Minuteman's build has succeeded (R29.6), Foreign Divisions never.
// a Brigade without room among the Rebel's Armies is eliminated.
func (g *game) enterCountry(p *position, w *flow.Witness, u UnitID, h HexID) {
	c := g.hexes[h].country
	if !g.neighbours || c == us || p.sides[c] != 0 || g.isRebel(p, u) {
		return
	}
	switch g.kind[u] {
	case army:
		if g.groupOf(p, u) >= foreign {
			return
		}
	case agent:
		if p.built[c] {
			return
		}
	}
	if p.sides[c] = 1; w != nil {
		w.All("brigades", "R29.2", flow.Arg("country", countryNames[c]), g.unitArg(u))
	}
	brigade := canadianBrigade
	if c == mexico {
		brigade = mexicanBrigade
	}
	for v := UnitID(armyFirst); v < agtFirst; v++ {
		if p.units[v].hex == noHex || g.groupOf(p, v) != brigade {
			continue
		}
		if g.armyIn(p, true, p.units[v].hex) != noUnit { // one Army a side in a hex
			g.eliminate(p, w, "R29.2", v)
			continue
		}
		if p.units[v].marks = p.units[v].marks&^pinned | rebelHeld; w != nil {
			w.All("changed_sides", "R29.2", g.unitArg(v), g.hexArg(p.units[v].hex), flow.Arg("side", "Rebel"))
		}
	}
}

// arrival implements R29.4: one Militia each of Canada and Mexico, if one stands in
// its country. It is no build and goes on after the Revolution (Ruling 50).
func (g *game) arrival(p *position) bool {
	if p.count == 2 || !g.neighbours {
		p.step, p.count = stepAttempts, 0
		p.seat = g.nextRebel(p, 0)
		return false
	}
	if set := g.arrivalPlaces(p); !set.empty() {
		return p.decide(askArrival, p.seat)
	}
	p.count++
	return false
}

// arrivalPlaces is the set of D15: vacant hexes of the country, not Population I.
func (g *game) arrivalPlaces(p *position) hexSet {
	var set hexSet
	gr, c := canadianMilitia+group(p.count), canada+country(p.count)
	at := false
	for u := UnitID(milFirst); u < armyFirst; u++ {
		if h := p.units[u].hex; h != noHex && g.groupOf(p, u) == gr && g.hexes[h].country == c {
			at = true
		}
	}
	if !at || !g.groupLeft(p, gr) {
		return set
	}
	set = g.board.country[c]
	set.remove(&p.occupied)
	set.remove(&g.pop1)
	return set
}

func (g *game) offerArrival(p *position) {
	set := g.arrivalPlaces(p)
	p.allowHexes(&set)
}

func (g *game) arrive(p *position, _ *flow.Witness, a engine.Action) {
	p.draw = draw{groups: 1 << (canadianMilitia + group(p.count)), hex: HexID(a - actHex), ask: askMilitia}
	p.count++
}

// foreignStage is how far foreign intervention has come (R30).
type foreignStage uint8

const (
	foreignNone foreignStage = iota
	foreignWaits
	foreignNumberDie
	foreignPlaceDie
	foreignPlacing
	foreignDone
)

var foreignStageNames = []string{"", "waits", "number_die", "place_die", "placing", "done"}

// mayCallForeign implements R30 and R28.11: once a game, a Rebel only after the
// Revolution and while he is not federalized.
func (g *game) mayCallForeign(p *position, seat SeatID) bool {
	return g.foreignHelp && p.foreignStage == foreignNone && (seat == p.gov || p.revTurn > 0 && g.active(p, seat))
}

// declareForeign sets the clock: the second own Movement Phase, one whose window
// saw the declaration not counted.
func (g *game) declareForeign(p *position, w *flow.Witness) {
	p.foreignSeat, p.foreignStage, p.foreignLeft = SeatID(p.Actor), foreignWaits, 2
	if own := p.phase == phaseG3; own == (p.foreignSeat == p.gov) && (own || p.phase == phaseA3) {
		p.foreignLeft++
	}
	if w != nil {
		w.All("foreign_called", "R30", seatArg(p.foreignSeat))
	}
}

// foreignArrival implements R30 and R28.11 at the start of the Movement Phase of a seat.
func (g *game) foreignArrival(p *position, seat SeatID) bool {
	if p.foreignSeat == seat {
		switch p.foreignStage {
		case foreignWaits:
			if p.foreignLeft--; p.foreignLeft == 0 {
				p.foreignStage = foreignNumberDie
				return false
			}
		case foreignNumberDie, foreignPlaceDie:
			return p.chance(askForeignDie)
		case foreignPlacing:
			if set := g.foreignPlaces(p, seat); p.foreignCount > 0 && !set.empty() {
				return p.decide(askReinforce, seat)
			}
			p.foreignStage, p.foreignCount = foreignDone, 0
		}
	}
	p.step, p.lastHex, p.placed, p.late = p.step+1, 0, 0, false
	return false
}

// foreignWeight is 0 for a face that would be rolled again: a country off the map for
// the place of foreign intervention (Ruling 46).
func (g *game) foreignWeight(p *position, i int) uint32 {
	return b2u(p.foreignStage != foreignPlaceDie || i < 4 || g.neighbours || g.borderless)
}

// foreignRoll implements C16.
func (g *game) foreignRoll(p *position, w *flow.Witness, i int) {
	die := i + 1
	if p.foreignStage == foreignNumberDie {
		p.foreignCount, p.foreignStage = uint8(die), foreignPlaceDie
		if w != nil {
			w.All("foreign_number", "R30", flow.Arg("number", die))
		}
		return
	}
	p.foreignPlace, p.foreignStage, p.lastHex = uint8(die), foreignPlacing, 0
	if w != nil {
		w.All("foreign_place", "R30", flow.Arg("place", die))
	}
}

// foreignPlaces implements R30 and Ruling 46: coast hexes of the place that was rolled,
// ascending.
func (g *game) foreignPlaces(p *position, seat SeatID) hexSet {
	if !g.groupLeft(p, foreign) {
		return hexSet{}
	}
	var set hexSet
	switch {
	case p.foreignPlace <= 2:
		set = g.eastSea
		set.intersect(&g.board.country[us])
	case p.foreignPlace <= 4:
		set = g.westSea
		set.intersect(&g.board.country[us])
	case p.foreignPlace == 5:
		set = g.coast
		set.intersect(&g.board.country[mexico])
	default:
		set = g.coast
		set.intersect(&g.board.country[canada])
	}
	set.intersect(&g.open)
	set = set.from(p.lastHex)
	for h := p.occupied.next(0); h != noHex; h = p.occupied.next(h + 1) {
		if set.has(h) && g.roomFor(p, army, seat != p.gov, h) == 0 {
			set.del(h)
		}
	}
	return set
}

func (g *game) placeForeign(p *position, a engine.Action) {
	if a == actDone {
		p.foreignCount = 0
		return
	}
	p.foreignCount--
	p.lastHex = HexID(a-actHex) + 1
	p.draw = draw{groups: 1 << foreign, hex: HexID(a - actHex), ask: askForeignDivision, marks: moved}
	if p.foreignSeat != p.gov {
		p.draw.marks |= rebelHeld
	}
}
