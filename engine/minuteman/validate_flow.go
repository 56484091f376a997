package minuteman

import (
	"math/bits"
	"slices"
)

// validateFlow checks that the parts of a position that say what is under way fit
// together, so that the game can go on from it.
func (g *game) validateFlow(p *Position) error {
	if err := g.validatePlayers(p); err != nil {
		return err
	}
	switch {
	case int(p.SetUp.Step) > len(g.plan):
		return wrong("flow.step is %d, the set-up has %d steps", p.SetUp.Step, len(g.plan))
	case g.setUpOp(p) != opNone && g.setUpOp(p) != opArmies && g.plan[p.SetUp.Step].n > 0 && int(p.SetUp.Done) > g.plan[p.SetUp.Step].n:
		return wrong("flow.count is %d, step %d of the set-up has %d pieces (R22.1)", p.SetUp.Done, p.SetUp.Step, g.plan[p.SetUp.Step].n)
	case p.SetUp.CigStep > 6 || p.SetUp.CigStep == 0 && g.setUpOp(p) == opCIGs && g.Scenario == Occupation:
		return wrong("flow.die is %d, the step of the CIG is 1 to 6 (R26.1)", p.SetUp.CigStep)
	case g.setUpOp(p) == opFixed && int(p.Queued) < len(g.plan[p.SetUp.Step].hexes):
		return wrong("set_up.queue has too few counters for step %d", p.SetUp.Step)
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
	case p.Phase == setUp && (p.Kill.Stage != killNone || p.Rising.Stage != risingNone || p.Combat.Stage != combatNone || p.Build.Stage != buildNone || p.Move.Stage != moveNone):
		return wrong("nothing is built, moved or attacked in phase setup")
	case p.Phase == over:
		return nil
	case (p.Propose.Kind != 0) != (p.Phase == phaseN && p.Part > 0 != (p.Propose.Sent)) || p.Propose.Sent && p.Part > 0:
		return wrong("proposal: it does not fit phase %s, part %d (R28.5)", phaseNames[p.Phase], p.Part)
	case p.Propose.Kind != 0 && (p.Seat == noSeat || g.receivers(p, p.Seat, p.Propose.Kind) == 0 || p.Propose.Sent && g.receivers(p, p.Seat, p.Propose.Kind)>>p.Propose.To&1 == 0):
		return wrong("proposal: nobody can make it, or get it (R28.5)")
	case p.Phase != setUp && p.Queued > 0:
		return wrong("set_up.queue: counters wait to be placed in the set-up only (R22.1)")
	case p.Phase == phaseA3 && p.Moves.Step > stepMove:
		return wrong("flow.step is %d, phase A3 has steps to %d", p.Moves.Step, stepMove)
	case p.Phase == phaseG1 && p.Reaction.Step > stepPlaceAgents:
		return wrong("flow.step is %d, phase G1 has steps to %d (R15)", p.Reaction.Step, stepPlaceAgents)
	case p.Phase == phaseG1 && p.LastHex > 0 && !g.placedAt(p):
		return wrong("flow.last_hex is %d, but nothing was placed there (R15)", p.LastHex)
	case p.Phase == phaseG1 && p.Reaction.Step == stepReactDie && int(p.Reaction.Column) >= len(g.Reaction.Riots):
		return wrong("flow.die is %d, there are %d reaction columns (R15)", p.Reaction.Column, len(g.Reaction.Riots))
	case p.Build.Stage != buildNone && (p.Build.Hex == noHex || p.gone(&p.Build.Helpers)):
		return wrong("build: it needs a hex, and helpers on the map (R7.4)")
	case p.Rising.Army != noUnit && p.Rising.Stage != risingNone && p.Units[p.Rising.Army].Hex == noHex:
		return wrong("rising.army: %s is not on the map", g.name[p.Rising.Army])
	case p.Combat.Stage != combatNone && p.Combat.Retreater != noUnit && p.Units[p.Combat.Retreater].Hex == noHex:
		return wrong("combat.retreating: %s is not on the map", g.name[p.Combat.Retreater])
	case p.Build.NewNet && !p.Build.Free:
		return wrong("build.new_network belongs to a free build (R20.9, R25.7)")
	case p.Phase != setUp && p.Phase != phaseN && int(p.Window) < g.Seats && p.Progress != Progress{}:
		return wrong("flow: phase %s has not begun before its %d windows are over (R5.2)", phaseNames[p.Phase], g.Seats)
	case g.Seats == 2 && (p.Combat.Stage != combatNone && p.Struck > 0 || p.Move.Stage != moveNone && p.Moves.Moved > 0):
		return wrong("flow.count: a seat that is done with its moves or attacks makes one (R8.1, R10.1)")
	case p.Part > 0 && p.SelHex == noHex:
		return wrong("flow.part is %d without a hex chosen before", p.Part)
	case p.Draw.Groups != 0 && g.drawable(p) == counterSet{}:
		return wrong("draw: no counter of these groups is left (R1.6)")
	}
	if p.Seat == noSeat && p.Phase == phaseA1 || p.Phase == phaseG2 && p.GovBuilds == stepFedBuild && p.Fed == noSeat {
		return nil
	}
	if err := g.validateChain(p); err != nil {
		return err
	}
	if err := g.validateRiots(p); err != nil {
		return err
	}
	if err := g.validateDraw(p); err != nil {
		return err
	}
	if err := g.validateMove(p); err != nil {
		return err
	}
	if err := g.validateChits(p); err != nil {
		return err
	}
	var need [maxSeats][numMarkers]uint8
	g.shownMarkers(p, &need)
	for s := range need {
		for m, n := range need[s] {
			if p.Hand[s][m] < n {
				return wrong("seat %d shows %d %s markers and holds %d (R21)", s, n, markerNames[m], p.Hand[s][m])
			}
		}
	}
	if err := g.validateKill(p); err != nil {
		return err
	}
	return g.validateCombat(p)
}

// validatePlayers checks who plays what in a game of several players, and foreign
// intervention.
func (g *game) validatePlayers(p *Position) error {
	switch {
	case (p.Foreign.Stage == foreignNone) != (p.Foreign.Seat == noSeat) || p.Foreign.Stage != foreignNone && !g.Foreign || p.Foreign.Stage == foreignWaits && p.Foreign.Left == 0:
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
	case p.Propose.Kind != 0 && (p.Propose.Kind < actTruce || p.Propose.Kind > actFederalize):
		return wrong("proposal.verb %s is no proposal (R28.5)", g.actions[p.Propose.Kind])
	}
	return nil
}

// validateKill checks an assassination under way (R13).
func (g *game) validateKill(p *Position) error {
	k := &p.Kill
	if k.Stage == killNone {
		return nil
	}
	set, informers := g.targets(p, k.Seat, k.Player)
	hexes := p.hexesOf(&set)
	switch {
	case (k.Stage == killOwner) != (g.Seats > 2 && k.Player == noSeat):
		return wrong("assassination: stage %s does not agree with the player named", killStageNames[k.Stage])
	case k.Stage >= killClass && (k.Hex == noHex || !hexes.has(k.Hex) && !(informers && g.informerAt(p, k.Hex))):
		return wrong("assassination: there is nobody to be killed (R13)")
	case k.Stage == killDie && k.N == 0:
		return wrong("assassination: no marker is shown (R13)")
	}
	return nil
}

// validateCombat checks an attack under way.
func (g *game) validateCombat(p *Position) error {
	c := &p.Combat
	switch {
	case c.Stage == combatNone:
		return nil
	case c.Stage > combatTarget && (c.Target == noHex || c.Stage > combatVictim && c.Victim == noSeat):
		return wrong("combat: stage %s needs a target and a victim", combatStageNames[c.Stage])
	case c.Victim == c.Seat:
		return wrong("combat: seat %d attacks itself", c.Seat)
	case c.Stage == combatLoss && g.noLoss(p):
		return wrong("combat: nobody is left to lose a step (R10.11)")
	case (c.Stage == combatZone || c.Stage == combatPassage || c.Stage == combatZoneDie) && (c.Retreater == noUnit || g.kind[c.Retreater] != minuteman):
		return wrong("combat: stage %s is of a Minuteman that retreats (R11.3)", combatStageNames[c.Stage])
	case (c.Stage == combatPassage || c.Stage == combatZoneDie) && c.Zone == noHex:
		return wrong("combat: stage %s needs a zone (R11.3)", combatStageNames[c.Stage])
	case c.Stage == combatHalf && (c.Left == 0 || c.Attackers.count() < int(c.Left)):
		return wrong("combat: %d of the attackers can not be eliminated (R10.12)", c.Left)
	case c.Stage == combatDie && c.Kind == subversion && c.Defenders.next(armyFirst) >= agtFirst:
		return wrong("combat: a Subversion needs a Division (R10.12)")
	case c.Stage != combatReact && p.gone(&c.Attackers, &c.Defenders, &c.Pending):
		return wrong("combat: a participant is not on the map")
	case c.Informer && (c.Target == noHex || !g.informerAt(p, c.Target)):
		return wrong("combat: there is no Informer to defend (R10.4)")
	case c.Stage >= combatDefender && c.Stage <= combatDie && p.nobody(&c.Attackers):
		return wrong("combat: nobody attacks (R10.1)")
	case c.Stage == combatDie && c.Kind == infiltration && p.nobody(&c.Defenders) && !c.Informer:
		return wrong("combat: nobody defends (R10.4)")
	case g.twoMinutemen(p):
		return wrong("combat: two Minutemen of one hex attack (R10.2)")
	case c.Stage == combatBetrayalDie && (c.Betrayals < 1 || c.Betrayals > 3):
		return wrong("combat: %d Betrayal markers can not have been shown (R10.7)", c.Betrayals)
	}
	return nil
}

// validateChits checks the chits of the set-up (C2): none are out before their step, and
// in it as many are left as were not drawn, so that one can always be drawn.
func (g *game) validateChits(p *Position) error {
	if g.setUpOp(p) == opNone {
		return nil
	}
	left, rows := 0, bits.OnesCount16(p.Rows)
	for n, k := range p.Chits {
		if left += int(k); k > 1 && p.Rows>>n&1 != 0 {
			return wrong("set_up: number %d was drawn for a row, at most one chit of it is left (R22.1)", n+1)
		}
	}
	if g.setUpOp(p) != opChits || p.SetUp.Chits == chitMinutemen {
		if left != 0 && left != 20 || rows != 0 {
			return wrong("set_up: chits and rows do not fit step %d (R22.1)", p.SetUp.Step)
		}
		return nil
	}
	if c, drawn := p.SetUp.Chits, int(min(p.SetUp.Chits, chitMoreRows)); c > chitMoreRows || rows < drawn-1 || c < chitMoreRows && rows != drawn-1 || left != 20-1-rows {
		return wrong("set_up: %d chits left and %d rows do not fit (R22.1)", left, rows)
	}
	return nil
}

// validateChain checks the tokens chosen so far of a decision that has several.
func (g *game) validateChain(p *Position) error {
	if p.Part == 0 {
		return nil
	}
	if p.Draw.Groups != 0 || p.Kill.Stage != killNone || p.Rising.Stage != risingNone || p.Build.Stage != buildNone || p.Move.Stage != moveNone {
		return wrong("flow.part is %d while something is under way", p.Part)
	}
	switch g.setUpOp(p) {
	case opNone:
	case opMoveNets:
		if u := g.first(p, network, p.SelHex); p.SelHex < p.LastHex || u == noUnit || p.Units[u].Marks&moved != 0 {
			return wrong("flow.hex: no Network of %s can be moved (R23)", g.hexes[p.SelHex].id)
		}
	case opAbroad:
		if p.Pile != canada && p.Pile != mexico {
			return wrong("flow.country: %d names no pile (R29.1)", p.Pile)
		}
	default:
		return wrong("flow.part is %d at a decision of one token", p.Part)
	}
	return nil
}

// validatePart checks that the decision that comes has the token that is said to be next.
func (g *game) validatePart(p Position) error {
	if p.Part == 0 {
		return nil
	}
	for !g.Next(&p, nil) {
	}
	if n := p.chainLength(); p.Part >= n {
		return wrong("flow.part is %d at %s, it must be 0 to %d", p.Part, g.table[p.Ask].Name, n-1)
	}
	return nil
}

// validateRiots checks the Riot step and its free builds (R7.1, R20.9, R25.7): what the map
// says of them is so. No seat that sees the map alone could tell such positions apart.
func (g *game) validateRiots(p *Position) error {
	b := &p.Build
	step := p.Phase == phaseA2 && p.Builds.Step == stepRiots
	switch {
	case b.Stage != buildNone && b.Free != step:
		return wrong("build.free is %v in phase %s: builds are free in the Riot step (R7.1)", b.Free, phaseNames[p.Phase])
	case b.Stage == buildResult && b.Free && b.NewNet != g.newNetworkFree(p, b.Hex):
		return wrong("build.new_network is %v, the units of %s say otherwise (R20.9, R25.7)", b.NewNet, g.hexes[b.Hex].id)
	case step && int(p.Window) < g.Seats && (p.RiotsBefore != p.Riot || p.RiotsToDo != p.Riot):
		return wrong("flow.riots_to_do: the Riot step has not begun, each Riot is still to come (R7.1)")
	}
	for c := range CityID(numCities) {
		old := p.RiotsBefore.has(c) && p.Riot.has(c)
		behind := b.Stage != buildNone && g.cityHex[c] <= b.Hex
		if step && p.RiotsToDo.has(c) != (old && !behind) && (p.RiotsToDo.has(c) || b.Stage != buildNone) {
			return wrong("flow.riots_to_do: Riots are dealt with in ascending order, %s does not fit (R7.1)", g.hexes[g.cityHex[c]].id)
		}
	}
	return nil
}

// validateDraw checks a counter that is to be drawn and placed (C1, C7, C17).
func (g *game) validateDraw(p *Position) error {
	d := &p.Draw
	if d.Groups == 0 {
		return nil
	}
	const allMilitia = 1<<(mexicanMilitia+1) - 1
	k, held := army, d.Marks&rebelHeld != 0
	if d.Groups&allMilitia != 0 {
		k = militia
	}
	switch {
	case k == militia && d.Groups&^allMilitia != 0:
		return wrong("draw: groups of Militia and of Army together (R19)")
	case d.Marks&^(moved|rebelHeld) != 0 || held && (d.Groups != 1<<foreign || p.Foreign.Seat == noSeat || p.Foreign.Seat == p.Gov):
		return wrong("draw: a unit can not be placed with these marks (R30)")
	case d.Hex == noHex && (p.Phase != setUp || d.Groups&^queuedGroups != 0):
		return wrong("draw: it needs a hex (R20.5, R22.1)")
	case d.Hex != noHex && (!g.open.has(d.Hex) && p.Phase != setUp || g.roomFor(p, k, held, d.Hex) == 0):
		return wrong("draw: there is no room in %s (R1.7)", g.hexes[d.Hex].id)
	}
	return nil
}

// validateMove checks a move under way (R8, R17).
func (g *game) validateMove(p *Position) error {
	m := &p.Move
	if m.Stage == moveNone {
		return nil
	}
	if m.Unit == noUnit || p.Units[m.Unit].Hex == noHex {
		return wrong("move: the unit is not on the map")
	}
	k := g.kind[m.Unit]
	switch {
	case m.Mode < actNormal || m.Mode > actAmphibious:
		return wrong("move.mode %s is none (R17.2, R31)", g.actions[m.Mode])
	case p.Phase != phaseA3 && p.Phase != phaseG3 || k == network:
		return wrong("move: %s can not move in phase %s (R8.6, R17.2)", g.name[m.Unit], phaseNames[p.Phase])
	case p.Moves.Step != stepMove && (p.Phase != phaseG3 || p.Moves.Step != stepFedMove):
		return wrong("move: flow.step is %d, units move in step %d, those of a federalized Rebel in step %d of phase G3 (R8.1, R28.6)", p.Moves.Step, stepMove, stepFedMove)
	case m.Stage > moveDest && (m.Dest == noHex || !g.mayEnter(p, m.Unit, m.Dest)):
		return wrong("move: stage %s needs a destination with room (R17.3)", moveStageNames[m.Stage])
	case (m.Stage == movePassage || m.Stage == moveDie) && k != minuteman:
		return wrong("move: stage %s is of a Minuteman (R8.3)", moveStageNames[m.Stage])
	case m.Stage == moveDest && m.Mode > actNormal && !g.mayMoveSo(p, m.Unit, m.Mode):
		return wrong("move: %s can not move by %s (R17.2, R31)", g.name[m.Unit], g.actions[m.Mode])
	}
	return nil
}

// mayMoveSo reports whether a unit of the Government can move in a mode of D65.
func (g *game) mayMoveSo(p *Position, u UnitID, mode verb) bool {
	enemy := g.zone(p, rebelTeam, noHex)
	return p.Phase == phaseG3 && mode >= actNormal && mode < actNormal+4 && g.modes(p, u, &enemy)>>(mode-actNormal)&1 != 0
}

// gone reports whether a unit of the sets is not on the map.
func (p *Position) gone(sets ...*unitSet) bool {
	for _, s := range sets {
		for i, w := range s {
			if w&^p.OnMap[i] != 0 {
				return true
			}
		}
	}
	return false
}

// nobody reports whether no unit of a set is on the map.
func (p *Position) nobody(set *unitSet) bool {
	for i, w := range set {
		if w&p.OnMap[i] != 0 {
			return false
		}
	}
	return true
}

// twoMinutemen reports whether two attackers are Minutemen of one hex.
func (g *game) twoMinutemen(p *Position) bool {
	c := &p.Combat
	for u := c.Attackers.next(mmFirst); u < milFirst; u = c.Attackers.next(u + 1) {
		if p.Units[u].Hex != noHex && !g.soleMinuteman(p, u) {
			return true
		}
	}
	return false
}

func (g *game) noLoss(p *Position) bool {
	set := g.losses(p)
	return set.empty() && !g.lowInformer(p)
}
