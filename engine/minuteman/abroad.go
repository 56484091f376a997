package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// enterCountry implements R29.2: when US forces of the Government enter Canada or
// Mexico, the country's Brigades belong to the Rebel for good. Agents do not count
// where a Minuteman's build has succeeded (R29.6), Foreign Divisions never.
// a Brigade without room among the Rebel's Armies is eliminated.
func (g *game) enterCountry(p *Position, w *flow.Witness, u UnitID, h HexID) {
	c := g.hexes[h].country
	if !g.Neighbours || c == us || p.Sides[c] != 0 || g.isRebel(p, u) {
		return
	}
	switch g.kind[u] {
	case army:
		if g.groupOf(p, u) >= foreign {
			return
		}
	case agent:
		if p.Built[c] {
			return
		}
	}
	if p.Sides[c] = 1; w != nil {
		w.All("brigades", "R29.2", flow.Arg("country", countryNames[c]), g.unitArg(u))
	}
	brigade := canadianBrigade
	if c == mexico {
		brigade = mexicanBrigade
	}
	for v := UnitID(armyFirst); v < agtFirst; v++ {
		if p.Units[v].Hex == noHex || g.groupOf(p, v) != brigade {
			continue
		}
		if g.armyIn(p, true, p.Units[v].Hex) != noUnit { // one Army a side in a hex
			g.eliminate(p, w, "R29.2", v)
			continue
		}
		if p.Units[v].Marks = p.Units[v].Marks&^pinned | rebelHeld; w != nil {
			w.All("changed_sides", "R29.2", g.unitArg(v), g.hexArg(p.Units[v].Hex), flow.Arg("side", "Rebel"))
		}
	}
}

// arrival implements R29.4: one Militia each of Canada and Mexico, if one stands in
// its country. It is no build and goes on after the Revolution (Ruling 50). Canada and
// Mexico are in games of two players only (R22.3), where the Rebel is seat 1 though a
// position may name nobody in flow.seat.
func (g *game) arrival(p *Position) bool {
	if p.Builds.Abroad == 2 || !g.Neighbours {
		p.Builds = RebelBuilds{Step: stepAttempts}
		p.Seat = g.nextRebel(p, 0)
		return false
	}
	if set := g.arrivalPlaces(p); !set.empty() {
		return p.decide(askArrival, 1)
	}
	p.Builds.Abroad++
	return false
}

// arrivalPlaces is the set of D15: vacant hexes of the country, not Population I.
func (g *game) arrivalPlaces(p *Position) hexSet {
	var set hexSet
	gr, c := canadianMilitia+group(p.Builds.Abroad), canada+country(p.Builds.Abroad)
	at := false
	for u := UnitID(milFirst); u < armyFirst; u++ {
		if h := p.Units[u].Hex; h != noHex && g.groupOf(p, u) == gr && g.hexes[h].country == c {
			at = true
		}
	}
	if !at || !g.groupLeft(p, gr) {
		return set
	}
	set = g.board.country[c]
	set.remove(&p.Occupied)
	set.remove(&g.pop1)
	return set
}

func (g *game) arrive(p *Position, _ *flow.Witness, a engine.Action) {
	p.Draw = Draw{Groups: 1 << (canadianMilitia + group(p.Builds.Abroad)), Hex: HexID(a - actHex), Ask: askMilitia}
	p.Builds.Abroad++
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
func (g *game) mayCallForeign(p *Position, seat SeatID) bool {
	return g.Foreign && p.Foreign.Stage == foreignNone && (seat == p.Gov || p.RevTurn > 0 && g.active(p, seat))
}

// declareForeign sets the clock: the second own Movement Phase, one whose window
// saw the declaration not counted.
func (g *game) declareForeign(p *Position, w *flow.Witness) {
	p.Foreign.Seat, p.Foreign.Stage, p.Foreign.Left = SeatID(p.Actor), foreignWaits, 2
	if own := p.Phase == phaseG3; own == (p.Foreign.Seat == p.Gov) && (own || p.Phase == phaseA3) {
		p.Foreign.Left++
	}
	if w != nil {
		w.All("foreign_called", "R30", seatArg(p.Foreign.Seat))
	}
}

// foreignArrival implements R30 and R28.11 at the start of the Movement Phase of a seat.
func (g *game) foreignArrival(p *Position, seat SeatID) bool {
	if p.Foreign.Seat == seat {
		switch p.Foreign.Stage {
		case foreignWaits:
			if p.Foreign.Left--; p.Foreign.Left == 0 {
				p.Foreign.Stage = foreignNumberDie
				return false
			}
		case foreignNumberDie, foreignPlaceDie:
			return p.chance(askForeignDie)
		case foreignPlacing:
			if set := g.foreignPlaces(p, seat); p.Foreign.Count > 0 && !set.empty() {
				return p.decide(askReinforce, seat)
			}
			p.Foreign.Stage, p.Foreign.Count = foreignDone, 0
		}
	}
	p.Moves.Step, p.LastHex, p.Placed, p.Late = p.Moves.Step+1, 0, 0, false
	return false
}

// foreignWeight is 0 for a face that would be rolled again: a country off the map for
// the place of foreign intervention (Ruling 46).
func (g *game) foreignWeight(p *Position, i int) uint32 {
	return b2u(p.Foreign.Stage != foreignPlaceDie || i < 4 || g.Neighbours || g.Scenario == Occupation)
}

// foreignRoll implements C16.
func (g *game) foreignRoll(p *Position, w *flow.Witness, i int) {
	die := i + 1
	if p.Foreign.Stage == foreignNumberDie {
		p.Foreign.Count, p.Foreign.Stage = uint8(die), foreignPlaceDie
		if w != nil {
			w.All("foreign_number", "R30", flow.Arg("number", die))
		}
		return
	}
	p.Foreign.Place, p.Foreign.Stage, p.LastHex = uint8(die), foreignPlacing, 0
	if w != nil {
		w.All("foreign_place", "R30", flow.Arg("place", die))
	}
}

// foreignPlaces implements R30 and Ruling 46: coast hexes of the place that was rolled,
// ascending.
func (g *game) foreignPlaces(p *Position, seat SeatID) hexSet {
	if !g.groupLeft(p, foreign) {
		return hexSet{}
	}
	var set hexSet
	switch {
	case p.Foreign.Place <= 2:
		set = g.eastSea
		set.intersect(&g.board.country[us])
	case p.Foreign.Place <= 4:
		set = g.westSea
		set.intersect(&g.board.country[us])
	case p.Foreign.Place == 5:
		set = g.coast
		set.intersect(&g.board.country[mexico])
	default:
		set = g.coast
		set.intersect(&g.board.country[canada])
	}
	set.intersect(&g.open)
	set = set.from(p.LastHex)
	for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
		if set.has(h) && g.roomFor(p, army, seat != p.Gov, h) == 0 {
			set.del(h)
		}
	}
	return set
}

func (g *game) placeForeign(p *Position, a engine.Action) {
	if a == actDone {
		p.Foreign.Count = 0
		return
	}
	p.Foreign.Count--
	p.LastHex = HexID(a-actHex) + 1
	p.Draw = Draw{Groups: 1 << foreign, Hex: HexID(a - actHex), Ask: askForeignDivision, Marks: moved}
	if p.Foreign.Seat != p.Gov {
		p.Draw.Marks |= rebelHeld
	}
}
