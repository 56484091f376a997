package minuteman

import (
	"math/bits"
	"slices"
)

// Check implements flow.Rules. It checks every limit of the rules that holds between any two decisions
// (R1.3 to R1.7, R3.1, R19): counters on the map plus counters in their piles are
// the counter sheet because every unit is a counter and is in one place.
func (g *game) Check(p *position) error {
	seen := 0
	for h := range HexID(numHexes) {
		var c [numKinds]int
		n, armies := 0, [2]int{}
		for u := p.head[h]; u != noUnit; u = p.units[u].next {
			if p.units[u].hex != h {
				return wrong("%s is listed in %s and stands elsewhere", g.name[u], g.hexes[h].id)
			}
			if n++; n > hexLimit {
				return wrong("%s holds more than %d units (R1.7)", g.hexes[h].id, hexLimit)
			}
			k := g.kind[u]
			c[k]++
			if k == army {
				armies[b2u(p.units[u].marks&rebelHeld != 0)]++
			}
			if err := g.validateUnit(p, u); err != nil {
				return err
			}
		}
		seen += n
		if p.occupied.has(h) != (n > 0) {
			return wrong("%s is not marked as it is occupied", g.hexes[h].id)
		}
		for k, n := range c {
			limit := g.limit(p, kind(k))
			if kind(k) == militia && !p.original { // R28.8: a stack may stay
				limit = 3
			}
			if kind(k) == army {
				n, limit = max(armies[0], armies[1]), 1 // of each side (Ruling 23)
			}
			if n > limit {
				return wrong("%s holds %d units of kind %s, at most %d (R1.3, R1.7)", g.hexes[h].id, n, kindNames[k], limit)
			}
		}
		if p.unrest.has(h) && (g.riotAt(p, h) || !g.playable.has(h)) {
			return wrong("%s can not hold an Unrest: it has a Riot or is off the map (R1.5, R3.1)", g.hexes[h].id)
		}
	}
	for u := range p.units {
		if p.units[u].hex != noHex {
			seen--
		}
		if p.onMap.has(UnitID(u)) != (p.units[u].hex != noHex) {
			return wrong("%s is not marked as it stands on the map", g.name[u])
		}
	}
	if seen != 0 {
		return wrong("units stand in hexes that do not list them")
	}
	for c := p.riot.next(0); c != noCity; c = p.riot.next(c + 1) {
		if !g.playable.has(g.cityHex[c]) {
			return wrong("riots: %s is off the map of this scenario (R3.1)", g.hexes[g.cityHex[c]].id)
		}
	}
	for c := p.informer.next(0); c != noCity; c = p.informer.next(c + 1) {
		if !g.playable.has(g.cityHex[c]) {
			return wrong("informers: %s is off the map of this scenario (R3.1)", g.hexes[g.cityHex[c]].id)
		}
	}
	if n := p.informer.count(); n > numInf {
		return wrong("%d Informers, there are %d (R1.3)", n, numInf)
	}
	return g.validateCounters(p)
}

// validateUnit checks one unit.
func (g *game) validateUnit(p *position, u UnitID) error {
	x := &p.units[u]
	h := &g.hexes[x.hex]
	k := g.kind[u]
	if !g.playable.has(x.hex) {
		return wrong("%s stands in %s, which is off the map of this scenario (R3.1)", g.name[u], h.id)
	}
	if (k == militia || k == army) && !g.inPlay(g.groupOf(p, u)) {
		return wrong("%s stands in %s, but counters of %s are not in this game (R22.3)", g.name[u], h.id, groupNames[g.groupOf(p, u)])
	}
	if g.seats > 2 && int(g.colour[u]) >= g.seats {
		return wrong("%s has the colour of nobody in a game of %d players (R28.1)", g.name[u], g.seats)
	}
	if k == network && h.pop != 1 {
		return wrong("%s stands in %s, which is no Population I hex (R7.1, R22.1)", g.name[u], h.id)
	}
	if k == network && h.country != us && !g.borderless {
		return wrong("%s stands in %s: there are no Networks in Canada and Mexico (R29.5)", g.name[u], h.id)
	}
	if g.partisan && h.front && x.marks&frontLine == 0 {
		return wrong("%s stands in %s, where only the Divisions of the Front Line are (R25.1, R25.11)", g.name[u], h.id)
	}
	if x.marks&rebelHeld != 0 && k == army && g.groupOf(p, u) < foreign {
		return wrong("%s is held by the Rebel: only Foreign Divisions and Brigades can be (R29.2, R30.1)", g.name[u])
	}
	if x.marks&underground != 0 && (k > minuteman || p.revTurn > 0) {
		return wrong("%s is underground (R6.1, R20.2)", g.name[u])
	}
	if x.marks&(rebelHeld|pinned|frontLine) != 0 && k != army || x.marks&untried != 0 && k != army && k != militia {
		return wrong("%s bears a mark that its kind never has (R2)", g.name[u])
	}
	if x.marks&rebelHeld != 0 && g.seats > 2 && (p.foreignSeat == noSeat || p.foreignSeat == p.gov) {
		return wrong("%s is held by a Rebel, but none has called Foreign Divisions (R28.11)", g.name[u])
	}
	return nil
}

// inPlay implements R22.3, R26.4, R29 and R30: whether a game has counters of a
// group. Security Divisions are no option: any position may hold them.
func (g *game) inPlay(gr group) bool {
	switch gr {
	case canadianMilitia, mexicanMilitia:
		return g.neighbours || g.borderless
	case canadianBrigade, mexicanBrigade:
		return g.neighbours
	case foreign:
		return g.foreignHelp
	}
	return true
}

// validateCounters checks the counters of Militia and Army (R1.6, R19): each in
// one place, of the slot's kind, and among those that an untried unit can be.
func (g *game) validateCounters(p *position) error {
	var used [numMasked]bool
	take := func(c uint8) error {
		if int(c) >= numMasked || used[c] {
			return wrong("a counter of Militia or Army is in two places (R1.6)")
		}
		used[c] = true
		return nil
	}
	for i, c := range p.counter {
		u := UnitID(milFirst + i)
		if p.units[u].hex == noHex {
			continue
		}
		if err := take(c); err != nil {
			return err
		}
		gr := g.masked[c].group
		if !g.inBlock(u, gr) {
			return wrong("%s can not be the counter %s (R1.3)", g.name[u], g.masked[c].id)
		}
		hidden := p.units[u].marks&untried != 0
		if hidden && p.cand[i]>>(c-g.groupFirst[gr])&1 == 0 || !hidden && p.cand[i] != 0 {
			return wrong("%s: can_be does not agree with its counter (R19)", g.name[u])
		}
		if open := g.openCounters(p, gr); p.cand[i]&open != 0 {
			return wrong("%s: can_be names a counter that lies revealed (R19)", g.name[u])
		}
	}
	for _, c := range p.queue[:p.queued] {
		if err := take(c); err != nil {
			return err
		}
	}
	return nil
}

// validateFlow checks that the parts of a position that say what is under way fit
// together, so that the game can go on from it.
func (g *game) validateFlow(p *position) error {
	if err := g.validatePlayers(p); err != nil {
		return err
	}
	switch {
	case p.phase == setUp && int(p.step) > len(g.plan):
		return wrong("flow.step is %d, the set-up has %d steps", p.step, len(g.plan))
	case p.phase == setUp && int(p.step) < len(g.plan) && int(p.queued) < len(g.plan[p.step].hexes) && g.plan[p.step].op == opFixed:
		return wrong("set_up.queue has too few counters for step %d", p.step)
	case p.revTurn > 0 && !g.sc.Revolution:
		return wrong("revolution_turn: there is no Revolution in this scenario (R25.3)")
	case p.revTurn > p.turn:
		return wrong("revolution_turn is %d in turn %d (R20.1)", p.revTurn, p.turn)
	case p.original && int(p.revTurn) > g.sc.Deadline:
		return wrong("revolution_turn is %d, it can be %d at the latest (R20.1, R24.2)", p.revTurn, g.sc.Deadline)
	case !g.neighbours && (p.sides[canada] != 0 || p.sides[mexico] != 0 || p.built[canada] || p.built[mexico]):
		return wrong("country_sides and country_built belong to the option canada_mexico (R29.2, R29.6)")
	case p.due[p.gov] > slices.Max(g.divisions[:]) || slices.Max(p.due[:]) > 6:
		return wrong("reinforcements_due are %v, at most 4 Divisions and 6 Militia each (R20.3)", p.due)
	case p.phase == setUp && (p.kill.stage != killNone || p.rising.stage != risingNone || p.combat.stage != combatNone || p.build.stage != buildNone || p.move.stage != moveNone):
		return wrong("nothing is built, moved or attacked in phase setup")
	case p.phase == over:
		return nil
	case (p.propose.kind != 0) != (p.phase == phaseN && p.part > 0 != (p.propose.sent)) || p.propose.sent && p.part > 0:
		return wrong("proposal: it does not fit phase %s, part %d (R28.5)", phaseNames[p.phase], p.part)
	case p.propose.kind != 0 && (p.seat == noSeat || g.receivers(p, p.seat, int(p.propose.kind)) == 0 || p.propose.sent && g.receivers(p, p.seat, int(p.propose.kind))>>p.propose.to&1 == 0):
		return wrong("proposal: nobody can make it, or get it (R28.5)")
	case p.phase != setUp && p.queued > 0:
		return wrong("set_up.queue: counters wait to be placed in the set-up only (R22.1)")
	case p.phase == phaseA3 && p.step > stepMove:
		return wrong("flow.step is %d, phase A3 has steps to %d", p.step, stepMove)
	case p.phase == phaseG1 && p.lastHex > 0 && !g.placedAt(p):
		return wrong("flow.last_hex is %d, but nothing was placed there (R15)", p.lastHex)
	case p.phase == phaseG1 && p.step == stepReactDie && int(p.column) >= len(g.riotColumns):
		return wrong("flow.die is %d, there are %d reaction columns (R15)", p.column, len(g.riotColumns))
	case p.build.stage != buildNone && (p.build.hex == noHex || g.gone(p, &p.build.helpers)):
		return wrong("build: it needs a hex, and helpers on the map (R7.4)")
	case p.rising.army != noUnit && p.rising.stage != risingNone && p.units[p.rising.army].hex == noHex:
		return wrong("rising.army: %s is not on the map", g.name[p.rising.army])
	case p.combat.stage != combatNone && p.combat.retreater != noUnit && p.units[p.combat.retreater].hex == noHex:
		return wrong("combat.retreating: %s is not on the map", g.name[p.combat.retreater])
	case p.build.newNet && !p.build.free:
		return wrong("build.new_network belongs to a free build (R20.9, R25.7)")
	case p.part > 0 && p.selHex == noHex:
		return wrong("flow.part is %d without a hex chosen before", p.part)
	case p.draw.groups != 0 && g.drawable(p) == counterSet{}:
		return wrong("draw: no counter of these groups is left (R1.6)")
	}
	if p.seat == noSeat && p.phase == phaseA1 || p.phase == phaseG2 && p.step == stepFedBuild && p.fed == noSeat {
		return nil
	}
	if err := g.validateChain(p); err != nil {
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
			if p.hand[s][m] < n {
				return wrong("seat %d shows %d %s markers and holds %d (R21)", s, n, markerNames[m], p.hand[s][m])
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
func (g *game) validatePlayers(p *position) error {
	switch {
	case (p.foreignStage == foreignNone) != (p.foreignSeat == noSeat) || p.foreignStage != foreignNone && !g.foreignHelp || p.foreignStage == foreignWaits && p.foreignLeft == 0:
		return wrong("foreign: seat and stage do not agree with each other or with the options (R30)")
	case (p.fed != noSeat || p.pact != noSeat) && g.seats < 4:
		return wrong("players.federalized: only with four players (R28.5)")
	case p.fed != noSeat && p.pact != noSeat:
		return wrong("players: seat %d is federalized, so that seat %d can have no pact (R28.5)", p.fed, p.pact)
	case p.fed == p.gov || p.pact == p.gov:
		return wrong("players: seat %d is the Government and can not be federalized (R28.6)", p.gov)
	case p.gov != 0 && g.seats == 2 || p.gone.has(p.gov):
		return wrong("players.government is %d, who is eliminated or plays the Rebel", p.gov)
	case (p.truces != 0 || p.named != [maxSeats]SeatID{noSeat, noSeat, noSeat, noSeat}) && g.seats == 2:
		return wrong("players.truces and targets: only with three and four players (R28.5)")
	case p.propose.kind != 0 && (p.propose.kind < actTruce || p.propose.kind > actFederalize):
		return wrong("proposal.verb %s is no proposal (R28.5)", g.actions[p.propose.kind])
	}
	return nil
}

// validateKill checks an assassination under way (R13).
func (g *game) validateKill(p *position) error {
	k := &p.kill
	if k.stage == killNone {
		return nil
	}
	set, informers := g.targets(p, k.seat, k.player)
	hexes := p.hexesOf(&set)
	switch {
	case p.hand[k.seat][assassin] < max(1, k.n):
		return wrong("assassination: seat %d holds no such number of Assassins (R13)", k.seat)
	case (k.stage == killOwner) != (g.seats > 2 && k.player == noSeat):
		return wrong("assassination: stage %s does not agree with the player named", killStageNames[k.stage])
	case k.stage >= killClass && (k.hex == noHex || !hexes.has(k.hex) && !(informers && g.informerAt(p, k.hex))):
		return wrong("assassination: there is nobody to be killed (R13)")
	case k.stage == killDie && k.n == 0:
		return wrong("assassination: no marker is shown (R13)")
	}
	return nil
}

// validateCombat checks an attack under way.
func (g *game) validateCombat(p *position) error {
	c := &p.combat
	switch {
	case c.stage == combatNone:
		return nil
	case c.stage > combatTarget && (c.target == noHex || c.stage > combatVictim && c.victim == noSeat):
		return wrong("combat: stage %s needs a target and a victim", combatStageNames[c.stage])
	case c.victim == c.seat:
		return wrong("combat: seat %d attacks itself", c.seat)
	case c.stage == combatLoss && g.noLoss(p):
		return wrong("combat: nobody is left to lose a step (R10.11)")
	case (c.stage == combatZone || c.stage == combatPassage || c.stage == combatZoneDie) && (c.retreater == noUnit || g.kind[c.retreater] != minuteman):
		return wrong("combat: stage %s is of a Minuteman that retreats (R11.3)", combatStageNames[c.stage])
	case (c.stage == combatPassage || c.stage == combatZoneDie) && c.zone == noHex:
		return wrong("combat: stage %s needs a zone (R11.3)", combatStageNames[c.stage])
	case c.stage == combatHalf && (c.left == 0 || c.attackers.count() < int(c.left)):
		return wrong("combat: %d of the attackers can not be eliminated (R10.12)", c.left)
	case c.stage == combatDie && c.kind == subversion && c.defenders.next(armyFirst) >= agtFirst:
		return wrong("combat: a Subversion needs a Division (R10.12)")
	case c.stage != combatReact && g.gone(p, &c.attackers, &c.defenders, &c.pending):
		return wrong("combat: a participant is not on the map")
	case c.informer && (c.target == noHex || !g.informerAt(p, c.target)):
		return wrong("combat: there is no Informer to defend (R10.4)")
	case c.stage >= combatDefender && c.stage <= combatDie && p.nobody(&c.attackers):
		return wrong("combat: nobody attacks (R10.1)")
	case c.stage == combatDie && c.kind == infiltration && p.nobody(&c.defenders) && !c.informer:
		return wrong("combat: nobody defends (R10.4)")
	case g.twoMinutemen(p):
		return wrong("combat: two Minutemen of one hex attack (R10.2)")
	case c.stage == combatBetrayalDie && (c.betrayals < 1 || c.betrayals > min(3, p.hand[c.seat][betrayal])):
		return wrong("combat: %d Betrayal markers can not have been shown (R10.7)", c.betrayals)
	}
	return nil
}

// validateChits checks the chits of the set-up (C2): none are out before their step, and
// in it as many are left as were not drawn, so that one can always be drawn.
func (g *game) validateChits(p *position) error {
	if p.phase != setUp || int(p.step) >= len(g.plan) {
		return nil
	}
	left, rows := 0, bits.OnesCount16(p.rows)
	for n, k := range p.chits {
		if left += int(k); k > 1 && p.rows>>n&1 != 0 {
			return wrong("set_up: number %d was drawn for a row, at most one chit of it is left (R22.1)", n+1)
		}
	}
	if g.plan[p.step].op != opChits || p.count == chitMinutemen {
		if left != 0 && left != 20 || rows != 0 {
			return wrong("set_up: chits and rows do not fit step %d (R22.1)", p.step)
		}
		return nil
	}
	if drawn := int(min(p.count, chitMoreRows)); p.count > chitMoreRows || rows < drawn-1 || p.count < chitMoreRows && rows != drawn-1 || left != 20-1-rows {
		return wrong("set_up: %d chits left and %d rows do not fit (R22.1)", left, rows)
	}
	return nil
}

// validateChain checks the tokens chosen so far of a decision that has several.
func (g *game) validateChain(p *position) error {
	if p.part == 0 {
		return nil
	}
	if p.draw.groups != 0 || p.kill.stage != killNone || p.rising.stage != risingNone || p.build.stage != buildNone || p.move.stage != moveNone {
		return wrong("flow.part is %d while something is under way", p.part)
	}
	if p.phase != setUp || int(p.step) >= len(g.plan) {
		return nil
	}
	switch g.plan[p.step].op {
	case opMoveNets:
		if u := g.first(p, network, p.selHex); p.selHex < p.lastHex || u == noUnit || p.units[u].marks&moved != 0 {
			return wrong("flow.hex: no Network of %s can be moved (R23)", g.hexes[p.selHex].id)
		}
	case opAbroad:
		if p.pile != canada && p.pile != mexico {
			return wrong("flow.country: %d names no pile (R29.1)", p.pile)
		}
	default:
		return wrong("flow.part is %d at a decision of one token", p.part)
	}
	return nil
}

// validateDraw checks a counter that is to be drawn and placed (C1, C7, C17).
func (g *game) validateDraw(p *position) error {
	d := &p.draw
	if d.groups == 0 {
		return nil
	}
	const allMilitia = 1<<(mexicanMilitia+1) - 1
	k, held := army, d.marks&rebelHeld != 0
	if d.groups&allMilitia != 0 {
		k = militia
	}
	switch {
	case k == militia && d.groups&^allMilitia != 0:
		return wrong("draw: groups of Militia and of Army together (R19)")
	case d.marks&^(moved|rebelHeld) != 0 || held && (d.groups != 1<<foreign || p.foreignSeat == noSeat || p.foreignSeat == p.gov):
		return wrong("draw: a unit can not be placed with these marks (R30)")
	case d.hex == noHex && p.phase != setUp:
		return wrong("draw: it needs a hex (R20.5)")
	case d.hex != noHex && (!g.open.has(d.hex) && p.phase != setUp || g.roomFor(p, k, held, d.hex) == 0):
		return wrong("draw: there is no room in %s (R1.7)", g.hexes[d.hex].id)
	}
	return nil
}

// validateMove checks a move under way (R8, R17).
func (g *game) validateMove(p *position) error {
	m := &p.move
	if m.stage == moveNone {
		return nil
	}
	if m.unit == noUnit || p.units[m.unit].hex == noHex {
		return wrong("move: the unit is not on the map")
	}
	k := g.kind[m.unit]
	switch {
	case m.mode < actNormal || m.mode > actAmphibious:
		return wrong("move.mode %s is none (R17.2, R31)", g.actions[m.mode])
	case p.phase != phaseA3 && p.phase != phaseG3 || k == network:
		return wrong("move: %s can not move in phase %s (R8.6, R17.2)", g.name[m.unit], phaseNames[p.phase])
	case m.stage > moveDest && (m.dest == noHex || !g.mayEnter(p, m.unit, m.dest)):
		return wrong("move: stage %s needs a destination with room (R17.3)", moveStageNames[m.stage])
	case (m.stage == movePassage || m.stage == moveDie) && k != minuteman:
		return wrong("move: stage %s is of a Minuteman (R8.3)", moveStageNames[m.stage])
	case m.stage == moveDest && m.mode > actNormal && !g.mayMoveSo(p, m.unit, m.mode):
		return wrong("move: %s can not move by %s (R17.2, R31)", g.name[m.unit], g.actions[m.mode])
	}
	return nil
}

// mayMoveSo reports whether a unit of the Government can move in a mode of D65.
func (g *game) mayMoveSo(p *position, u UnitID, mode uint8) bool {
	enemy := g.zone(p, 1, noHex)
	return p.phase == phaseG3 && mode >= actNormal && mode < actNormal+4 && g.modes(p, u, &enemy)>>(mode-actNormal)&1 != 0
}

// gone reports whether a unit of the sets is not on the map.
func (g *game) gone(p *position, sets ...*unitSet) bool {
	for _, s := range sets {
		for u := s.next(0); u != noUnit; u = s.next(u + 1) {
			if p.units[u].hex == noHex {
				return true
			}
		}
	}
	return false
}

// nobody reports whether no unit of a set is on the map.
func (p *position) nobody(set *unitSet) bool {
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		if p.units[u].hex != noHex {
			return false
		}
	}
	return true
}

// twoMinutemen reports whether two attackers are Minutemen of one hex.
func (g *game) twoMinutemen(p *position) bool {
	c := &p.combat
	for u := c.attackers.next(mmFirst); u < milFirst; u = c.attackers.next(u + 1) {
		if p.units[u].hex != noHex && !g.soleMinuteman(p, u) {
			return true
		}
	}
	return false
}

func (g *game) noLoss(p *position) bool {
	set := g.losses(p)
	return set.empty() && !g.lowInformer(p)
}
