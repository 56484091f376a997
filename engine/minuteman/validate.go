package minuteman

import (
	"slices"

	"powderkeg/engine/flow"
)

// Check implements flow.Rules. It checks every limit of the rules that holds between any two decisions
// (R1.3 to R1.7, R3.1, R19): counters on the map plus counters in their piles are
// the counter sheet because every unit is a counter and is in one place.
func (g *game) Check(p *Position) error {
	seen := 0
	for h := range HexID(numHexes) {
		var c [numKinds]int
		n, armies := 0, [2]int{}
		for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
			if p.Units[u].Hex != h {
				return wrong("%s is listed in %s and stands elsewhere", g.name[u], g.hexes[h].id)
			}
			if n++; n > hexLimit {
				return wrong("%s holds more than %d units (R1.7)", g.hexes[h].id, hexLimit)
			}
			k := g.kind[u]
			c[k]++
			if k == army {
				armies[b2u(p.Units[u].Marks&rebelHeld != 0)]++
			}
			if err := g.validateUnit(p, u); err != nil {
				return err
			}
		}
		seen += n
		if p.Occupied.has(h) != (n > 0) {
			return wrong("%s is not marked as it is occupied", g.hexes[h].id)
		}
		for k, n := range c {
			limit := g.limit(p, kind(k))
			if kind(k) == militia && !p.Original { // R28.8: a stack may stay
				limit = 3
			}
			if kind(k) == army {
				n, limit = max(armies[0], armies[1]), 1 // of each side (Ruling 23)
			}
			if n > limit {
				return wrong("%s holds %d units of kind %s, at most %d (R1.3, R1.7)", g.hexes[h].id, n, kindNames[k], limit)
			}
		}
		if p.Unrest.has(h) && (g.riotAt(p, h) || !g.playable.has(h)) {
			return wrong("%s can not hold an Unrest: it has a Riot or is off the map (R1.5, R3.1)", g.hexes[h].id)
		}
	}
	for u := range p.Units {
		if p.Units[u].Hex != noHex {
			seen--
		}
		if p.OnMap.has(UnitID(u)) != (p.Units[u].Hex != noHex) {
			return wrong("%s is not marked as it stands on the map", g.name[u])
		}
	}
	if seen != 0 {
		return wrong("units stand in hexes that do not list them")
	}
	for i, set := range [2]*citySet{&p.Riot, &p.Informer} {
		for c := set.next(0); c != noCity; c = set.next(c + 1) {
			if !g.playable.has(g.cityHex[c]) {
				return wrong("%s: %s is off the map of this scenario (R3.1)", [2]string{"riots", "informers"}[i], g.hexes[g.cityHex[c]].id)
			}
		}
	}
	if n := p.Informer.count(); n > numInf {
		return wrong("%d Informers, there are %d (R1.3)", n, numInf)
	}
	if err := g.validateMarkers(p); err != nil {
		return err
	}
	return g.validateCounters(p)
}

// validateMarkers checks that seats hold the special markers that they show (R21).
func (g *game) validateMarkers(p *Position) error {
	var shown [maxSeats][numMarkers]uint8
	g.shownMarkers(p, &shown)
	for s := range shown {
		for m, n := range shown[s] {
			if p.Hand[s][m] < n {
				return wrong("seat %d shows %d %s markers and holds %d (R21)", s, n, markerNames[m], p.Hand[s][m])
			}
		}
	}
	return nil
}

// validateUnit checks one unit.
func (g *game) validateUnit(p *Position, u UnitID) error {
	x := &p.Units[u]
	h := &g.hexes[x.Hex]
	k := g.kind[u]
	if !g.playable.has(x.Hex) {
		return wrong("%s stands in %s, which is off the map of this scenario (R3.1)", g.name[u], h.id)
	}
	if (k == militia || k == army) && !g.inPlay(g.groupOf(p, u)) {
		return wrong("%s stands in %s, but counters of %s are not in this game (R22.3)", g.name[u], h.id, groupNames[g.groupOf(p, u)])
	}
	if g.Seats > 2 && int(g.colour[u]) >= g.Seats {
		return wrong("%s has the colour of nobody in a game of %d players (R28.1)", g.name[u], g.Seats)
	}
	if k == network && h.pop != 1 {
		return wrong("%s stands in %s, which is no Population I hex (R7.1, R22.1)", g.name[u], h.id)
	}
	if k == network && h.country != us && g.Scenario != Occupation {
		return wrong("%s stands in %s: there are no Networks in Canada and Mexico (R29.5)", g.name[u], h.id)
	}
	if g.Scenario == Partisan && h.front && x.Marks&frontLine == 0 {
		return wrong("%s stands in %s, where only the Divisions of the Front Line are (R25.1, R25.11)", g.name[u], h.id)
	}
	if x.Marks&rebelHeld != 0 && k == army && g.groupOf(p, u) < foreign {
		return wrong("%s is held by the Rebel: only Foreign Divisions and Brigades can be (R29.2, R30.1)", g.name[u])
	}
	if x.Marks&underground != 0 && (k > minuteman || p.RevTurn > 0) {
		return wrong("%s is underground (R6.1, R20.2)", g.name[u])
	}
	if x.Marks&(rebelHeld|pinned|frontLine) != 0 && k != army || x.Marks&untried != 0 && k != army && k != militia {
		return wrong("%s bears a mark that its kind never has (R2)", g.name[u])
	}
	if x.Marks&rebelHeld != 0 && g.Seats > 2 && (p.Foreign.Seat == noSeat || p.Foreign.Seat == p.Gov) {
		return wrong("%s is held by a Rebel, but none has called Foreign Divisions (R28.11)", g.name[u])
	}
	return nil
}

// inPlay implements R22.3, R26.4, R29 and R30: whether a game has counters of a
// group. Security Divisions are no option: any position may hold them.
func (g *game) inPlay(gr group) bool {
	switch gr {
	case canadianMilitia, mexicanMilitia:
		return g.Neighbours || g.Scenario == Occupation
	case canadianBrigade, mexicanBrigade:
		return g.Neighbours
	case foreign:
		return g.Foreign
	}
	return true
}

// validateCounters checks the counters of Militia and Army (R1.6, R19): each in
// one place, of the slot's kind, and among those that an untried unit can be.
func (g *game) validateCounters(p *Position) error {
	var used [numMasked]bool
	take := func(c CounterID) error {
		if int(c) >= numMasked || used[c] {
			return wrong("a counter of Militia or Army is in two places (R1.6)")
		}
		used[c] = true
		return nil
	}
	for i, c := range p.Counter {
		u := UnitID(milFirst + i)
		if p.Units[u].Hex == noHex {
			continue
		}
		if err := take(c); err != nil {
			return err
		}
		gr := g.masked[c].group
		if !g.inBlock(u, gr) {
			return wrong("%s can not be the counter %s (R1.3)", g.name[u], g.masked[c].id)
		}
		hidden := p.Units[u].Marks&untried != 0
		if hidden && p.Cand[i]>>(c-g.groupFirst[gr])&1 == 0 || !hidden && p.Cand[i] != 0 {
			return wrong("%s: can_be does not agree with its counter (R19)", g.name[u])
		}
		if open := g.openCounters(p, gr); p.Cand[i]&open != 0 {
			return wrong("%s: can_be names a counter that lies revealed (R19)", g.name[u])
		}
	}
	for _, c := range p.Queue[:p.Queued] {
		if err := take(c); err != nil {
			return err
		}
		if !queuedGroups.has(g.masked[c].group) {
			return wrong("set_up.queue: %s is no Division of the US, only these are drawn before they are placed (R22.1)", g.masked[c].id)
		}
	}
	return nil
}

// validate checks that the parts of a position at rest that say how far a phase has come fit
// together, so that the game can go on from it.
func (g *game) validate(p *Position) error {
	if err := g.validatePlayers(p); err != nil {
		return err
	}
	switch {
	case p.Phase == setUp && p.Turn > 0:
		return wrong("turn is %d in the set-up, it must be 0", p.Turn)
	case int(p.SetUp.Step) > len(g.plan):
		return wrong("set_up.step is %d, the set-up has %d steps", p.SetUp.Step, len(g.plan))
	case p.Phase == setUp && p.LastClass > 0:
		return wrong("flow.last_class is %d, in the set-up it must be 0; %s", p.LastClass, flow.Under)
	case p.SetUp.Done > 0 && (g.setUpOp(p) == opChits || g.setUpOp(p) == opInformers || g.setUpOp(p) == opCivil):
		return wrong("set_up.done is %d, in step %d of the set-up it must be 0; %s", p.SetUp.Done, p.SetUp.Step, flow.Under)
	case g.setUpOp(p) != opNone && g.setUpOp(p) != opMarker && int(p.SetUp.Done) > g.plan[p.SetUp.Step].n:
		return wrong("set_up.done is %d, step %d of the set-up has %d pieces (R22.1)", p.SetUp.Done, p.SetUp.Step, g.plan[p.SetUp.Step].n)
	case p.SetUp.CigStep == 0 && g.setUpOp(p) == opCIGs && g.Scenario == Occupation:
		return wrong("set_up.cig_step is 0, the step of the CIG is 1 to 6 (R26.1)")
	case p.RevTurn > 0 && !g.sc.Revolution:
		return wrong("revolution_turn: there is no Revolution in this scenario (R25.3)")
	case p.RevTurn > p.Turn:
		return wrong("revolution_turn is %d in turn %d (R20.1)", p.RevTurn, p.Turn)
	case p.Original && int(p.RevTurn) > g.sc.Deadline:
		return wrong("revolution_turn is %d, it can be %d at the latest (R20.1, R24.2)", p.RevTurn, g.sc.Deadline)
	case !g.Neighbours && (p.Sides[canada] != 0 || p.Sides[mexico] != 0 || p.Built[canada] || p.Built[mexico]):
		return wrong("country_sides and country_built belong to the option canada_mexico (R29.2, R29.6)")
	case p.Due[p.Gov] > slices.Max(g.Reinforcements.Divisions[:]) || slices.Max(p.Due[:]) > 6:
		return wrong("reinforcements_due are %v, at most 4 Divisions and 6 Militia each (R20.3)", p.Due)
	case int(p.Builds.Step) >= len(buildNames), int(p.Moves.Step) >= len(moveNames), int(p.GovBuilds) >= len(govBuildNames),
		int(p.Talks) >= len(talkNames), int(max(p.Moves.Moved, p.Struck)) > g.Seats:
		return wrong("flow: phase %s has fewer steps or places (R5.1)", phaseNames[p.Phase])
	case p.Phase == phaseA3 && p.Moves.Step > stepMove:
		return wrong("flow.moves is %s, phase A3 has steps to %s", moveNames[p.Moves.Step], moveNames[stepMove])
	case p.Phase != setUp && p.Phase != phaseN && p.Phase != over && int(p.Window) < g.Seats && p.Progress != Progress{}:
		return wrong("flow: phase %s has not begun before its %d windows are over (R5.2)", phaseNames[p.Phase], g.Seats)
	}
	return g.validateRiots(p)
}

// validatePlayers checks who plays what in a game of several players, and foreign
// intervention.
func (g *game) validatePlayers(p *Position) error {
	switch {
	case (p.Foreign.Stage == foreignNone) != (p.Foreign.Seat == noSeat) || p.Foreign.Stage != foreignNone && !g.Foreign ||
		p.Foreign.Stage == foreignWaits && p.Foreign.Left == 0:
		return wrong("foreign: seat and stage do not agree with each other or with the options (R30)")
	case (p.Fed != noSeat || p.Pact != noSeat) && g.Seats < 4:
		return wrong("players.federalized: only with four players (R28.5)")
	case p.Fed != noSeat && p.Pact != noSeat:
		return wrong("players: seat %d is federalized, so that seat %d can have no pact (R28.5)", p.Fed, p.Pact)
	case p.Fed == p.Gov || p.Pact == p.Gov:
		return wrong("players: seat %d is the Government and can not be federalized (R28.6)", p.Gov)
	case p.Gov != 0 && g.Seats == 2 || p.Gone.Has(p.Gov):
		return wrong("players.government is %d, who is eliminated or plays the Rebel", p.Gov)
	case (p.Truces != 0 || p.Named != [maxSeats]SeatID{noSeat, noSeat, noSeat, noSeat}) && g.Seats == 2:
		return wrong("players.truces and targets: only with three and four players (R28.5)")
	}
	return nil
}

// validateRiots checks the Riots that the Riot step has still to deal with (R7.1): what the map
// says of them is so. No seat that sees the map alone could tell such positions apart.
func (g *game) validateRiots(p *Position) error {
	if p.Phase != phaseA2 || p.Builds.Step != stepRiots {
		return nil
	}
	if int(p.Window) < g.Seats && (p.RiotsBefore != p.Riot || p.RiotsToDo != p.Riot) {
		return wrong("flow.riots_to_do: the Riot step has not begun, each Riot is still to come (R7.1)")
	}
	for c := p.RiotsToDo.next(0); c != noCity; c = p.RiotsToDo.next(c + 1) {
		if !p.RiotsBefore.has(c) || !p.Riot.has(c) {
			return wrong("flow.riots_to_do: %s had no Riot before the step, or has none now (R7.1)", g.hexes[g.cityHex[c]].id)
		}
	}
	return nil
}
