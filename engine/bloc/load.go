package bloc

import (
	"fmt"
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	codec "powderkeg/engine/position"
)

// Load implements engine.Game. What needs no choice is carried out first.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	s := g.state(&g.start)
	return flow.Load(g, s, data, func(rest []byte) error { return g.load(s, rest, how) }, g.print)
}

// print writes what a document says, as far as its fields mean the same wherever the game stands.
func (g *game) print(data []byte) ([]byte, error) {
	p := g.start
	given, err := g.codec.Decode(data, &p)
	if err == nil {
		err = g.complete(&p, given)
	}
	if err != nil {
		return nil, err
	}
	return g.codec.Echo(given, &p)
}

// load reads a position at rest.
func (g *game) load(s *State, data []byte, how engine.Strictness) error {
	given, err := g.codec.Decode(data, &s.P)
	if err != nil {
		return err
	}
	if err := g.complete(&s.P, given); err != nil {
		return err
	}
	if resting>>s.P.Step&1 == 0 {
		return wrong("step is %s; %s (R13.1)", stages[s.P.Step].name, flow.Under)
	}
	if err := g.check(&s.P, how); err != nil {
		return wrong("%v", err)
	}
	s.Settle()
	if s.P.Actor >= 0 && s.P.Choices().Size() == 0 {
		return wrong("step %s: nothing is legal in it (R13.1)", stages[s.P.Step].name)
	}
	if decision := given["decision"]; decision != nil && flow.Name(s.P.Ask, table) != decision {
		return wrong("decision is %v, but the rest of the position does not wait for it; leave it out to have it found", decision)
	}
	if err := g.codec.Derived(given, &s.P); err != nil {
		return fmt.Errorf("%w; %s (R13.1)", err, flow.Under)
	}
	return nil
}

// complete finds what a document leaves out, and what is kept with other fields.
func (g *game) complete(p *Position, given codec.Given) error {
	for _, step := range []func(*Position, codec.Given) error{
		g.completeStep, g.completeSeats, g.completeClock, g.completeDistricts, g.completePieces, g.completeLoot, g.completeOps, g.completeWhere,
	} {
		if err := step(p, given); err != nil {
			return err
		}
	}
	return nil
}

// entries say where a phase begins, for positions that name no step.
var entries = [...]Stage{
	inSetUp: layTile, inDice: beginTurn, inActions: menu, inOps: drawOps, inSunrise1A: repairVans, inSunrise1B: scanVans,
	inSunrise1C: scanCops, inSunrise2: scanSound, inSunrise3: nextNight, isOver: over,
}

// completeStep finds out where the game is: at the step that is named, at the beginning of
// the phase, or at the menu of the active faction.
func (g *game) completeStep(p *Position, given codec.Given) error {
	switch phase := given["phase"]; {
	case given.Has("step"):
	case given.Has("result"):
		p.Step = over
	case phase != nil:
		r := g.codec.Reader("phase")
		if p.Step = entries[r.Word("", phase, "phase")]; p.Step == layTile {
			p.Step = g.start.Step
		}
		if r.Failed() {
			return r.Err()
		}
	case given.Any("districts", "active", "dice", "hands", "barricades", "turn", "first_faction"):
		p.Step = menu
	}
	if stages[p.Step].phase != inSetUp && p.Districts == 0 {
		return wrong("city is missing; give its 25 tiles or \"beginner_city\"")
	}
	return nil
}

// completeSeats finds the factions in play (R2.7). Past the set-up, those left out sit in
// the order of factions.json.
func (g *game) completeSeats(p *Position, given codec.Given) error {
	past := stages[p.Step].phase != inSetUp || p.Step > dealFactions
	if past && !given.Has("seats") {
		for s := range g.factions {
			p.Seats[s] = FactionID(s)
		}
	}
	for s, f := range p.Seats[:g.factions] {
		switch {
		case f == NoFaction && past:
			return wrong("seats: that of %d is empty (R2.7)", s)
		case f != NoFaction && (slices.Contains(p.Seats[:s], f) || s > 0 && p.Seats[s-1] == NoFaction):
			return wrong("seats: %s sits twice or behind an empty seat (R2.7)", f)
		}
	}
	return nil
}

// faction reads a faction in play.
func (g *game) readFaction(p *Position, given codec.Given, field string) (FactionID, error) {
	r := g.codec.Reader(field)
	f := FactionID(r.Word("", given[field], "faction"))
	if !r.Failed() && !g.inPlay(p, f) {
		r.Fail("%s: %s are not in the game", field, f)
	}
	return f, r.Err()
}

// completeClock finds whose turn of which night it is.
func (g *game) completeClock(p *Position, given codec.Given) error {
	ph := stages[p.Step].phase
	if given["first_faction"] != nil {
		f, err := g.readFaction(p, given, "first_faction")
		if err != nil {
			return err
		}
		p.FirstSeat = uint8(slices.Index(p.Seats[:], f))
	} else if ph != inSetUp {
		p.FirstSeat = 0
	}
	if ph == inSetUp {
		if p.Turn > 0 {
			return wrong("turn is %d, it must be 0 in the set-up", p.Turn)
		}
		return nil
	}
	p.Night = max(p.Night, 1)
	if given["active"] != nil {
		f, err := g.readFaction(p, given, "active")
		if err != nil {
			return err
		}
		turn := p.Turn
		for i := range g.factions {
			if g.order(p, i) == f {
				p.Turn = i
			}
		}
		if given.Has("turn") && p.Turn != turn {
			return wrong("active is %s, but turn %d is another's", f, turn)
		}
	} else if !given.Has("turn") && ph >= inSunrise1A && ph < isOver {
		p.Turn = g.factions
	}
	if ph >= inDice && ph <= inOps && p.Turn < g.factions && p.Step != beginTurn {
		p.Now.Who = g.order(p, p.Turn)
	}
	return nil
}

// completeDistricts reads what is in the districts. Without the field, a city that the
// options fix has its first police.
func (g *game) completeDistricts(p *Position, given codec.Given) error {
	r := g.codec.Reader("districts")
	districts := given["districts"]
	if p.Districts == 0 || stages[p.Step].phase == inSetUp && p.Step <= placePolice {
		if m, ok := districts.(map[string]any); ok && len(m) > 0 {
			r.Fail("districts: the police are not placed yet (R2.1)")
		}
		return r.Err()
	}
	if districts == nil && !given.Has("city") && g.start.Districts != 0 {
		return nil // the city of the initial position, with its police
	}
	g.clearCity(p)
	for s := p.Districts; s != 0; s &= s - 1 {
		t := &g.box.tiles[p.Tile[s.First()]]
		p.Centers[0][s.First()] = t.Centers
		if t.Free {
			p.Liberated |= at(s.First())
		}
	}
	if districts != nil {
		g.readDistricts(r, p, districts)
	}
	return r.Err()
}

// completePieces finds what is not in the city; left out, it is what is left.
func (g *game) completePieces(p *Position, given codec.Given) error {
	for _, x := range g.supplies(p) {
		if !given.Has(x.field) {
			*x.left = uint8(max(0, x.have-x.used))
		}
	}
	return nil
}

// completeLoot finds the loot deck; left out, it is all cards that are nowhere else.
func (g *game) completeLoot(p *Position, given codec.Given) error {
	for t := range p.Deck {
		if !given.Has("loot_deck") {
			p.Deck[t] = uint8(max(0, int(g.box.loot[t].Copies)-p.lootElsewhere(t)))
		}
	}
	for f := range p.Hand {
		p.HandSize[f] = sum(p.Hand[f][:])
	}
	p.DrawnSize, p.DeckSize = sum(p.Drawn[:]), sum(p.Deck[:])
	return nil
}

// completeOps finds the police ops deck; left out, it is all cards that are nowhere else.
func (g *game) completeOps(p *Position, given codec.Given) error {
	if given.Has("ops_deck") {
		return nil
	}
	p.Ops = g.opsDeck()
	for i, n := range g.opsElsewhere(p) {
		p.Ops[i] -= min(p.Ops[i], n)
	}
	return nil
}

// completeWhere finds what the step at which a position rests says of the procedure that
// begins there, and demands that phase and step agree.
func (g *game) completeWhere(p *Position, given codec.Given) error {
	switch p.Step {
	case layTile:
		for p.Now.Laid < Cells && p.Tile[g.box.zigzag[p.Now.Laid]] != noTile {
			p.Now.Laid++
		}
	case chooseStart:
		for p.Now.Seat < g.factions && p.Place[p.Seats[p.Now.Seat]][OccFactionStart] != NoCell {
			p.Now.Seat++
		}
	case drawOps:
		g.endActions(p, nil)
	}
	if phase := given["phase"]; phase != nil && given.Has("step") && phase != phaseNames[p.phaseOf()] {
		return wrong("phase is %v, but step %s is in %s", phase, stages[p.Step].name, phaseNames[p.phaseOf()])
	}
	return nil
}
