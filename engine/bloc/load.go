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
		err = Board{g, &p, nil}.complete(given)
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
	b := Board{g, &s.P, nil}
	if err := b.complete(given); err != nil {
		return err
	}
	if resting>>s.P.Step&1 == 0 {
		return wrong("step is %s; %s (R13.1)", stages[s.P.Step].name, flow.Under)
	}
	if err := b.check(how); err != nil {
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
func (b Board) complete(given codec.Given) error {
	for _, step := range []func(codec.Given) error{
		b.completeStep, b.completeSeats, b.completeClock, b.completeDistricts, b.completePieces, b.completeLoot, b.completeOps, b.completeWhere,
	} {
		if err := step(given); err != nil {
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
func (b Board) completeStep(given codec.Given) error {
	switch phase := given["phase"]; {
	case given.Has("step"):
	case given.Has("result"):
		b.Step = over
	case phase != nil:
		r := b.codec.Reader("phase")
		if b.Step = entries[r.Word("", phase, "phase")]; b.Step == layTile {
			b.Step = b.start.Step
		}
		if r.Failed() {
			return r.Err()
		}
	case given.Any("districts", "active", "dice", "hands", "barricades", "turn", "first_faction"):
		b.Step = menu
	}
	if stages[b.Step].phase != inSetUp && b.Districts == 0 {
		return wrong("city is missing; give its 25 tiles or \"beginner_city\"")
	}
	return nil
}

// completeSeats finds the factions in play (R2.7). Past the set-up, those left out sit in
// the order of factions.json.
func (b Board) completeSeats(given codec.Given) error {
	past := stages[b.Step].phase != inSetUp || b.Step > dealFactions
	if past && !given.Has("seats") {
		for s := range b.factions {
			b.Seats[s] = FactionID(s)
		}
	}
	for s, f := range b.Seats[:b.factions] {
		switch {
		case f == NoFaction && past:
			return wrong("seats: that of %d is empty (R2.7)", s)
		case f != NoFaction && (slices.Contains(b.Seats[:s], f) || s > 0 && b.Seats[s-1] == NoFaction):
			return wrong("seats: %s sits twice or behind an empty seat (R2.7)", f)
		}
	}
	return nil
}

// faction reads a faction in play.
func (b Board) readFaction(given codec.Given, field string) (FactionID, error) {
	r := b.codec.Reader(field)
	f := FactionID(r.Word("", given[field], "faction"))
	if !r.Failed() && !b.inPlay(f) {
		r.Fail("%s: %s are not in the game", field, f)
	}
	return f, r.Err()
}

// completeClock finds whose turn of which night it is.
func (b Board) completeClock(given codec.Given) error {
	ph := stages[b.Step].phase
	if given["first_faction"] != nil {
		f, err := b.readFaction(given, "first_faction")
		if err != nil {
			return err
		}
		b.FirstSeat = uint8(slices.Index(b.Seats[:], f))
	} else if ph != inSetUp {
		b.FirstSeat = 0
	}
	if ph == inSetUp {
		if b.Turn > 0 {
			return wrong("turn is %d, it must be 0 in the set-up", b.Turn)
		}
		return nil
	}
	b.Night = max(b.Night, 1)
	if given["active"] != nil {
		f, err := b.readFaction(given, "active")
		if err != nil {
			return err
		}
		turn := b.Turn
		for i := range b.factions {
			if b.order(i) == f {
				b.Turn = i
			}
		}
		if given.Has("turn") && b.Turn != turn {
			return wrong("active is %s, but turn %d is another's", f, turn)
		}
	} else if !given.Has("turn") && ph >= inSunrise1A && ph < isOver {
		b.Turn = b.factions
	}
	if ph >= inDice && ph <= inOps && b.Turn < b.factions && b.Step != beginTurn {
		b.Now.Who = b.order(b.Turn)
	}
	return nil
}

// completeDistricts reads what is in the districts. Without the field, a city that the
// options fix has its first police.
func (b Board) completeDistricts(given codec.Given) error {
	r := b.codec.Reader("districts")
	districts := given["districts"]
	if b.Districts == 0 || stages[b.Step].phase == inSetUp && b.Step <= placePolice {
		if m, ok := districts.(map[string]any); ok && len(m) > 0 {
			r.Fail("districts: the police are not placed yet (R2.1)")
		}
		return r.Err()
	}
	if districts == nil && !given.Has("city") && b.start.Districts != 0 {
		return nil // the city of the initial position, with its police
	}
	b.clearCity()
	for s := b.Districts; s != 0; s &= s - 1 {
		t := &b.box.tiles[b.Tile[s.First()]]
		b.Centers[0][s.First()] = t.Centers
		if t.Free {
			b.Liberated |= at(s.First())
		}
	}
	if districts != nil {
		b.readDistricts(r, districts)
	}
	return r.Err()
}

// completePieces finds what is not in the city; left out, it is what is left.
func (b Board) completePieces(given codec.Given) error {
	for _, x := range b.supplies() {
		if !given.Has(x.field) {
			*x.left = uint8(max(0, x.have-x.used))
		}
	}
	return nil
}

// completeLoot finds the loot deck; left out, it is all cards that are nowhere else.
func (b Board) completeLoot(given codec.Given) error {
	for t := range b.Deck {
		if !given.Has("loot_deck") {
			b.Deck[t] = uint8(max(0, int(b.box.loot[t].Copies)-b.lootElsewhere(t)))
		}
	}
	for f := range b.Hand {
		b.HandSize[f] = sum(b.Hand[f][:])
	}
	b.DrawnSize, b.DeckSize = sum(b.Drawn[:]), sum(b.Deck[:])
	return nil
}

// completeOps finds the police ops deck; left out, it is all cards that are nowhere else.
func (b Board) completeOps(given codec.Given) error {
	if given.Has("ops_deck") {
		return nil
	}
	b.Ops = b.opsDeck()
	for i, n := range b.opsElsewhere() {
		b.Ops[i] -= min(b.Ops[i], n)
	}
	return nil
}

// completeWhere finds what the step at which a position rests says of the procedure that
// begins there, and demands that phase and step agree.
func (b Board) completeWhere(given codec.Given) error {
	switch b.Step {
	case layTile:
		for b.Now.Laid < Cells && b.Tile[b.box.zigzag[b.Now.Laid]] != noTile {
			b.Now.Laid++
		}
	case chooseStart:
		for b.Now.Seat < b.factions && b.Place[b.Seats[b.Now.Seat]][OccFactionStart] != NoCell {
			b.Now.Seat++
		}
	case drawOps:
		b.endActions()
	}
	if phase := given["phase"]; phase != nil && given.Has("step") && phase != phaseNames[b.phaseOf()] {
		return wrong("phase is %v, but step %s is in %s", phase, stages[b.Step].name, phaseNames[b.phaseOf()])
	}
	return nil
}
