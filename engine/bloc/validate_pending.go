package bloc

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// checkPending demands that what is under way is what the step is about, so that
// every step finds what it needs.
func (g *game) checkPending(p *position, _ engine.Strictness) error {
	if p.manifesting() || p.step == turnUp {
		if err := g.checkManifest(p); err != nil {
			return g.unfit(p, err)
		}
	}
	if err := g.checkStray(p); err != nil {
		return g.unfit(p, err)
	}
	var err error
	switch ph := stages[p.step].phase; {
	case ph == inSetUp:
		if err = g.checkSetUp(p); err == nil {
			err = g.checkStarts(p)
		}
	case p.step == beginTurn || p.step == repairVans || p.step == nextNight || p.step == over:
		err = g.demand(p.now == clearPending, "nothing is under way")
	case p.step == rollDice:
		err = g.demand(p.now.left+p.numDice() <= g.box.limits.Dice && g.onTurn(p) && g.justTurn(p), "at most %d dice are rolled, before anything else (R1.2, R4.3)", g.box.limits.Dice)
	case p.step == drawOps:
		err = g.demand(g.onTurn(p) && p.now.left <= 3 && (p.now.roll == 0 && g.justTurn(p) || p.now.roll == 2 && g.reacting(p)), "ops cards are due to the turn or a roll of 2 (R8.1)")
	case ph == inActions:
		err = g.checkAction(p)
	case ph >= inSunrise1B && ph <= inSunrise2:
		err = g.checkSunrise(p)
	}
	if err != nil {
		return g.unfit(p, err)
	}
	return nil
}

// checkStray demands that nothing is noted that has no meaning where the game stands:
// positions that differ in such a note alone would look different and not be.
func (g *game) checkStray(p *position) error {
	n := p.now
	c := clearPending
	c.who = n.who
	switch ph := stages[p.step].phase; {
	case p.manifesting() || p.step == turnUp:
		c.program, c.counter, c.cell, c.from, c.count, c.left, c.keep = n.program, n.counter, n.cell, n.from, n.count, n.left, n.keep
		c.last, c.enough, c.order, c.liberating, c.chooser = n.last, n.enough, n.order, n.liberating, n.chooser
	case ph >= inSunrise1A && ph <= inSunrise2:
		c.cell, c.scan, c.order, c.last, c.lostTo, c.decider, c.lost, c.left = n.cell, n.scan, n.order, n.last, n.lostTo, n.decider, n.lost, n.left
	case ph == inActions || ph == inOps:
		c.verb, c.program, c.counter, c.cell, c.from, c.count, c.left = n.verb, n.program, n.counter, n.cell, n.from, n.count, n.left
		c.keep, c.last, c.enough, c.basic, c.bonus, c.roll = n.keep, n.last, n.enough, n.basic, n.bonus, n.roll
		if n.verb == build || n.verb == swap {
			c.occ = n.occ
		}
		if n.verb == trade {
			c.partner, c.give, c.want = n.partner, n.give, n.want
		}
	default:
		return nil // looked at by step
	}
	return g.demand(n == c, "pending: something is noted that has no meaning here")
}

func (g *game) unfit(p *position, err error) error {
	return fmt.Errorf("step %s: %w", stages[p.step].name, err)
}

func (g *game) demand(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// onTurn reports whether who is the active faction.
func (g *game) onTurn(p *position) bool {
	return p.turn < g.factions && p.now.who == g.order(p, p.turn)
}

// justTurn reports whether nothing but a count of cards or dice is under way.
func (g *game) justTurn(p *position) bool {
	n := p.now
	n.left, n.who = 0, noFaction
	return n == clearPending
}

// checkSetUp demands the seat that is dealt to.
func (g *game) checkSetUp(p *position) error {
	n := p.now
	n.scan, n.order, n.who = 0, 0, noFaction
	if n != clearPending || p.now.order >= g.factions || p.now.scan > 0 && p.step > turnTile {
		return fmt.Errorf("nothing is under way in the set-up")
	}
	if p.step <= placePolice && (p.copsLeft != g.box.pieces.cops || p.vansLeft != g.box.pieces.vans) {
		return fmt.Errorf("staging holds all %d riot cops and %d vans until the police are placed (R2.5)", g.box.pieces.cops, g.box.pieces.vans)
	}
	switch p.step {
	case dealLoot, chooseStart:
		if p.now.who != p.seats[p.now.order] {
			return fmt.Errorf("pending: who is not the faction in seat %d (R2.8, R2.10)", p.now.order)
		}
	case dealAgendas:
		return g.demand(p.now.who != noFaction && g.inPlay(p, p.now.who) && p.agenda[p.now.who] == noAgenda && p.now.order == 0, "pending: who has no agenda card yet (R2.9)")
	default:
		return g.demand(p.now.who == noFaction && p.now.order == 0, "nobody acts")
	}
	return nil
}

// checkStarts demands that the factions have pieces in the city from the moment at which
// they choose their starting districts.
func (g *game) checkStarts(p *position) error {
	if p.step < dealLoot {
		for f := range uint8(numFactions) {
			if p.held(f) != 0 || p.mat[f] < blocsEach {
				return fmt.Errorf("%s has pieces in the city before factions are dealt (R2.7, R2.10)", g.factionKey(int(f)))
			}
		}
		return nil
	}
	if p.step > chooseStart {
		return nil
	}
	for s := range g.factions {
		f, started := p.seats[s], p.step == chooseStart && s < p.now.order
		if started != (p.held(f) != 0) || started != (p.mat[f] < blocsEach) {
			return fmt.Errorf("the faction in seat %d has started: %v (R2.10)", s, started)
		}
	}
	return nil
}

// effectIs reports whether the program under way is at an effect of the kind.
func (g *game) effectIs(p *position, o op) bool {
	e := g.current(p)
	return e != nil && e.Op == o
}

// hasCell reports whether the pending cell is a district.
func (p *position) hasCell() bool { return p.now.cell != noCell && p.districts.has(p.now.cell) }

// reacting reports whether a reaction roll can be under way: of an action or of a card.
func (g *game) reacting(p *position) bool {
	byVerb := p.now.program == noProgram && p.now.verb >= lootGraffiti && p.now.verb <= attackVan
	return p.hasCell() && (byVerb || g.effectIs(p, opReactionRoll))
}

// checkProgram demands a program that can be under way and a counter within it.
func (g *game) checkProgram(p *position) error {
	n := &p.now
	if n.program == noProgram {
		return g.demand(n.counter == 0, "pending: counter without a program")
	}
	if p.now.who == noFaction {
		return fmt.Errorf("pending: a program needs who")
	}
	if n.program < firstAbility {
		if g.box.loot[n.program].Window != turnWindow || n.verb != playCard {
			return fmt.Errorf("pending: %s is not played in a turn (R11.2)", g.box.loot[n.program].Key)
		}
	} else {
		v := verb(n.program - firstAbility)
		if g.box.abilities[v].key == "" || g.box.abilities[v].kind[p.now.who] == noOcc || n.verb != v {
			return fmt.Errorf("pending: %s have no such ability (R5.2)", typeNames[p.now.who])
		}
		if p.place[p.now.who][g.box.abilities[v].kind[p.now.who]] == noCell {
			return fmt.Errorf("pending: the occupation is not in the city (R5.2)")
		}
	}
	if n.counter == 0 || int(n.counter) > len(g.effects(p)) {
		return fmt.Errorf("pending: counter is %d, the program has %d effects", n.counter, len(g.effects(p)))
	}
	for _, e := range g.effects(p)[:n.counter] {
		if e.Op == opChooseCell && !p.hasCell() && p.step != cardCell {
			return fmt.Errorf("pending: cell is missing")
		}
	}
	return nil
}

// checkAction demands what a step of a turn needs (chapters 5 to 7).
func (g *game) checkAction(p *position) error {
	n := &p.now
	if !p.manifesting() {
		if !g.onTurn(p) {
			return fmt.Errorf("who is not the active faction (R4.2)")
		}
		if err := g.checkProgram(p); err != nil {
			return err
		}
	}
	if n.cell != noCell && !p.hasCell() || n.from != noCell && !p.districts.has(n.from) {
		return fmt.Errorf("pending: a cell that is no district")
	}
	die := p.bestDie()
	advanced := n.program == noProgram && n.verb >= lootGraffiti && n.verb <= swap
	attack := n.program == noProgram && n.verb >= attackDefeat && n.verb <= attackVan
	plain := n.program == noProgram
	switch p.step {
	case menu:
		idle := clearPending
		idle.who = n.who
		return g.demand(*n == idle, "nothing is under way at D2")
	case moveSource, moveCount, moveDestination:
		if !(plain && n.verb == move && die > 0) && !g.restsIn(p) {
			return fmt.Errorf("no movement is under way (R5.3)")
		}
		if p.step == moveSource {
			return nil
		}
		if n.from == noCell || !p.sources(p.now.who, g.fromClash(p)).has(n.from) {
			return fmt.Errorf("pending: nothing can move from there (R5.3)")
		}
		return g.demand(p.step == moveCount || n.count > 0 && n.count <= p.blocs[p.now.who][n.from], "pending: %d blocs cannot move (R5.3)", n.count)
	case barricadeCell:
		return g.demand(plain && n.verb == barricade && die > 0, "no barricade is under way (R5.7)")
	case barricadeArm:
		ok := plain && n.verb == barricade && die > 0 || g.restsIn(p)
		return g.demand(ok && p.hasCell() && n.last < numArms && n.left <= 5, "no barricade is under way (R5.7)")
	case advancedCell:
		return g.demand(advanced && die > 0, "no advanced action is under way (R6.1)")
	case chooseOccupation:
		if p.manifesting() {
			return g.demand(n.from != noCell && g.openCircles(p).has(n.from), "pending: nothing can be built there (R11.4)")
		}
		return g.demand(advanced && n.verb >= build && g.advancedFits(p), "no building is under way (R6.3)")
	case stopAction:
		return g.demand(advanced && g.advancedFits(p) && (n.verb < build || n.occ != noOcc && p.place[p.now.who][n.occ] == noCell), "no advanced action is under way (R6.5)")
	case drawLoot, discardDrawn:
		ok := advanced && n.verb <= lootBurn && p.hasCell() && p.centers[n.verb-lootGraffiti][n.cell] > 0 || g.restsIn(p)
		return g.demand(ok && n.left <= 3 && n.keep <= 3 && p.drawnSize <= 3, "no loot is drawn (R6.2)")
	case attackCell:
		return g.demand(attack && die > 0, "no attack is under way (R7.1)")
	case attackBoost:
		return g.demand(attack && p.hasCell() && g.mayAttack(p, n.verb, n.cell) && n.last < numBoosts, "no attack is under way (R7.1)")
	case kickArm:
		ok := attack && n.verb == attackKick || g.restsIn(p)
		return g.demand(ok && p.hasCell() && p.cops[n.cell] > 0 && n.count > 0, "no cops are kicked out (R7.3)")
	case attackOn:
		return g.demand(attack && p.hasCell(), "no attack is under way (R7.5)")
	case rollReaction:
		return g.demand(g.reacting(p), "no reaction roll is due (R6.6)")
	case answerReaction:
		return g.demand(g.reacting(p) && n.roll > 0 && n.roll <= sides, "no reaction roll is answered (R6.6)")
	case rollExtra:
		return g.demand(g.reacting(p) && n.roll == sides || g.effectIs(p, opExtraDice), "no extra dice are rolled (R6.6)")
	case chooseCard:
		return g.demand(plain && n.verb == playCard, "no card is played (R11.2)")
	case cardCell:
		return g.demand(g.restsIn(p), "no card asks for a district (R11.3)")
	case tradePartner:
		return g.demand(plain && n.verb == trade && p.trades < maxTrades, "no trade is under way, or all %d of the turn are made (R5.9)", maxTrades)
	case tradeGive, tradeWant, tradeResponse, tradePick:
		return g.checkTrade(p)
	}
	return fmt.Errorf("a position cannot rest there")
}

// advancedFits reports whether the advanced action under way can take place.
func (g *game) advancedFits(p *position) bool {
	n := &p.now
	return p.hasCell() && (p.with[p.now.who] &^ p.police).has(n.cell) && g.mayAdvance(p, n.verb, n.cell) &&
		n.basic == g.isBasic(p, p.now.who, n.verb, n.cell) && (n.verb <= lootBurn || p.matOccs(p.now.who) != 0)
}

// checkTrade demands a proposal that R5.9 allows.
func (g *game) checkTrade(p *position) error {
	n := &p.now
	if n.verb != trade || n.partner == noFaction || g.partners(p, p.now.who)>>n.partner&1 == 0 {
		return fmt.Errorf("no trade is under way (R5.9)")
	}
	q := *p
	for _, x := range []struct {
		step   stage
		prompt func(*game, *position, *flow.Witness) bool
		offer  uint8
	}{{tradeWant, (*game).promptGive, n.give}, {tradeResponse, (*game).promptWant, n.want}} {
		if p.step < x.step {
			return g.demand(x.offer == 0, "pending: an offer that is not made yet (R5.9)")
		}
		if x.prompt(g, &q, nil); x.offer == 0 || !q.Choices().Has(offerAction(x.offer)) {
			return fmt.Errorf("pending: an offer that R5.9 does not allow")
		}
	}
	return g.demand(p.step != tradePick || n.want == offerAny, "pending: the partner picks only if any card is asked for (R5.9)")
}

// checkSunrise demands what a step of Sunrise needs (chapter 9).
func (g *game) checkSunrise(p *position) error {
	n := &p.now
	if n.scan > numCells || n.order > g.factions {
		return fmt.Errorf("pending: scan or order is too high")
	}
	switch p.step {
	case scanVans, scanCops, scanSound, liberate:
		only := clearPending
		only.scan = n.scan
		return g.demand(*n == only && p.now.who == noFaction && (p.step != liberate || n.scan == 0), "nothing is under way")
	case turnUp, mutiny, torch, marchOrNot, occupyCell, revealOps:
		return nil // checkManifest
	case manifestArm:
		return g.demand(n.last < numArms, "pending: there are %d arms (R3.1)", numArms)
	}
	if !p.hasCell() || n.scan >= p.districts.count() || p.byID[n.scan] != n.cell {
		return fmt.Errorf("pending: cell and scan do not agree (R9.2, R9.3)")
	}
	switch p.step {
	case askDoors:
		return g.demand(p.van[n.cell] > 0 && p.occupied(n.cell), "no van attacks there (R9.2)")
	case askMasks, nameVictims:
		if p.cops[n.cell] == 0 || !p.occupied(n.cell) || n.decider != noFaction && p.blocs[n.decider][n.cell] == 0 && p.step == askMasks {
			return fmt.Errorf("no cops attack there (R9.3)")
		}
		return g.demand(p.step == askMasks || n.decider != noFaction && n.left < p.total(n.cell) && n.last <= numFactions, "pending: victims (R9.3)")
	case rescue, rescueTo:
		for f, lost := range n.lost {
			if lost > p.mat[f] {
				return fmt.Errorf("pending: %d lost blocs of the %s, the mat has %d (R9.4)", lost, typeNames[f], p.mat[f])
			}
		}
		return g.demand(p.step == rescue || p.now.who != noFaction && n.lost[p.now.who] > 0, "pending: nothing can be saved (R9.4)")
	}
	return nil // askSound
}

// checkManifest demands a manifestation that can be under way in the district (R9.6).
func (g *game) checkManifest(p *position) error {
	n := &p.now
	if !p.hasCell() || !p.liberated.has(n.cell) || !g.box.tiles[p.tile[n.cell]].Liberable || p.holder[n.cell] == 0 {
		return fmt.Errorf("pending: the cell has not been liberated (R9.6)")
	}
	if p.step == turnUp {
		return nil
	}
	if n.order > g.factions || n.last > numCells || n.left > 5 {
		return fmt.Errorf("pending: a number is too high (R11.4)")
	}
	if !g.restsIn(p) || n.verb != noVerb {
		return fmt.Errorf("pending: %s is not at this step (R11.4)", g.programName(n.program))
	}
	if p.step == revealOps {
		return g.demand(p.now.who == noFaction, "nobody acts")
	}
	if p.now.who == noFaction || !primitives[g.current(p).Op].each && p.now.who != n.chooser {
		return fmt.Errorf("pending: who is missing (R9.6)")
	}
	return nil
}
