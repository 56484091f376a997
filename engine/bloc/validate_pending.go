package bloc

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// checkPending demands that what is under way is what the step is about, so that
// every step finds what it needs.
func (g *game) checkPending(p *Position, _ engine.Strictness) error {
	if p.manifesting() || p.Step == turnUp {
		if err := g.checkManifest(p); err != nil {
			return g.unfit(p, err)
		}
	}
	if err := g.checkStray(p); err != nil {
		return g.unfit(p, err)
	}
	var err error
	switch ph := stages[p.Step].phase; {
	case ph == inSetUp:
		if err = g.checkSetUp(p); err == nil {
			err = g.checkStarts(p)
		}
	case p.Step == beginTurn || p.Step == repairVans || p.Step == nextNight || p.Step == over:
		err = g.demand(p.Now == clearPending, "nothing is under way")
	case p.Step == rollDice:
		err = g.demand(p.Now.Left+p.numDice() <= g.box.limits.Dice && g.onTurn(p) && g.justTurn(p), "at most %d dice are rolled, before anything else (R1.2, R4.3)", g.box.limits.Dice)
	case p.Step == drawOps:
		err = g.demand(g.onTurn(p) && p.Now.Left <= 3 && (p.Now.Roll == 0 && g.justTurn(p) || p.Now.Roll == 2 && g.reacting(p)), "ops cards are due to the turn or a roll of 2 (R8.1)")
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
func (g *game) checkStray(p *Position) error {
	n := p.Now
	c := clearPending
	c.Who = n.Who
	switch ph := stages[p.Step].phase; {
	case p.manifesting() || p.Step == turnUp:
		c.Program, c.Counter, c.Cell, c.From, c.Count, c.Left, c.Keep = n.Program, n.Counter, n.Cell, n.From, n.Count, n.Left, n.Keep
		c.Last, c.Enough, c.Order, c.Liberating, c.Chooser = n.Last, n.Enough, n.Order, n.Liberating, n.Chooser
	case ph >= inSunrise1A && ph <= inSunrise2:
		c.Cell, c.Scan, c.Order, c.Last, c.LostTo, c.Decider, c.Lost, c.Left = n.Cell, n.Scan, n.Order, n.Last, n.LostTo, n.Decider, n.Lost, n.Left
	case ph == inActions || ph == inOps:
		c.Verb, c.Program, c.Counter, c.Cell, c.From, c.Count, c.Left = n.Verb, n.Program, n.Counter, n.Cell, n.From, n.Count, n.Left
		c.Keep, c.Last, c.Enough, c.Basic, c.Bonus, c.Roll = n.Keep, n.Last, n.Enough, n.Basic, n.Bonus, n.Roll
		if n.Verb == build || n.Verb == swap {
			c.Occ = n.Occ
		}
		if n.Verb == trade {
			c.Partner, c.Give, c.Want = n.Partner, n.Give, n.Want
		}
	default:
		return nil // looked at by step
	}
	return g.demand(n == c, "pending: something is noted that has no meaning here")
}

func (g *game) unfit(p *Position, err error) error {
	return fmt.Errorf("step %s: %w", stages[p.Step].name, err)
}

func (g *game) demand(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// onTurn reports whether who is the active faction.
func (g *game) onTurn(p *Position) bool {
	return p.Turn < g.factions && p.Now.Who == g.order(p, p.Turn)
}

// justTurn reports whether nothing but a count of cards or dice is under way.
func (g *game) justTurn(p *Position) bool {
	n := p.Now
	n.Left, n.Who = 0, noFaction
	return n == clearPending
}

// checkSetUp demands the seat that is dealt to.
func (g *game) checkSetUp(p *Position) error {
	n := p.Now
	n.Scan, n.Order, n.Who = 0, 0, noFaction
	if n != clearPending || p.Now.Order >= g.factions || p.Now.Scan > 0 && p.Step > turnTile {
		return fmt.Errorf("nothing is under way in the set-up")
	}
	if p.Step <= placePolice && (p.CopsLeft != g.box.pieces.cops || p.VansLeft != g.box.pieces.vans) {
		return fmt.Errorf("staging holds all %d riot cops and %d vans until the police are placed (R2.5)", g.box.pieces.cops, g.box.pieces.vans)
	}
	switch p.Step {
	case dealLoot, chooseStart:
		if p.Now.Who != p.Seats[p.Now.Order] {
			return fmt.Errorf("pending: who is not the faction in seat %d (R2.8, R2.10)", p.Now.Order)
		}
	case dealAgendas:
		return g.demand(p.Now.Who != noFaction && g.inPlay(p, p.Now.Who) && p.Agenda[p.Now.Who] == noAgenda && p.Now.Order == 0, "pending: who has no agenda card yet (R2.9)")
	default:
		return g.demand(p.Now.Who == noFaction && p.Now.Order == 0, "nobody acts")
	}
	return nil
}

// checkStarts demands that the factions have pieces in the city from the moment at which
// they choose their starting districts.
func (g *game) checkStarts(p *Position) error {
	if p.Step < dealLoot {
		for f := range uint8(numFactions) {
			if p.held(f) != 0 || p.Mat[f] < blocsEach {
				return fmt.Errorf("%s has pieces in the city before factions are dealt (R2.7, R2.10)", g.factionKey(int(f)))
			}
		}
		return nil
	}
	if p.Step > chooseStart {
		return nil
	}
	for s := range g.factions {
		f, started := p.Seats[s], p.Step == chooseStart && s < p.Now.Order
		if started != (p.held(f) != 0) || started != (p.Mat[f] < blocsEach) {
			return fmt.Errorf("the faction in seat %d has started: %v (R2.10)", s, started)
		}
	}
	return nil
}

// effectIs reports whether the program under way is at an effect of the kind.
func (g *game) effectIs(p *Position, o op) bool {
	e := g.current(p)
	return e != nil && e.Op == o
}

// hasCell reports whether the pending cell is a district.
func (p *Position) hasCell() bool { return p.Now.Cell != noCell && p.Districts.has(p.Now.Cell) }

// reacting reports whether a reaction roll can be under way: of an action or of a card.
func (g *game) reacting(p *Position) bool {
	byVerb := p.Now.Program == noProgram && p.Now.Verb >= lootGraffiti && p.Now.Verb <= attackVan
	return p.hasCell() && (byVerb || g.effectIs(p, opReactionRoll))
}

// checkProgram demands a program that can be under way and a counter within it.
func (g *game) checkProgram(p *Position) error {
	n := &p.Now
	if n.Program == noProgram {
		return g.demand(n.Counter == 0, "pending: counter without a program")
	}
	if p.Now.Who == noFaction {
		return fmt.Errorf("pending: a program needs who")
	}
	if n.Program < firstAbility {
		if g.box.loot[n.Program].Window != turnWindow || n.Verb != playCard {
			return fmt.Errorf("pending: %s is not played in a turn (R11.2)", g.box.loot[n.Program].Key)
		}
	} else {
		v := Verb(n.Program - firstAbility)
		if g.box.abilities[v].key == "" || g.box.abilities[v].kind[p.Now.Who] == noOcc || n.Verb != v {
			return fmt.Errorf("pending: %s have no such ability (R5.2)", typeNames[p.Now.Who])
		}
		if p.Place[p.Now.Who][g.box.abilities[v].kind[p.Now.Who]] == noCell {
			return fmt.Errorf("pending: the occupation is not in the city (R5.2)")
		}
	}
	if n.Counter == 0 || int(n.Counter) > len(g.effects(p)) {
		return fmt.Errorf("pending: counter is %d, the program has %d effects", n.Counter, len(g.effects(p)))
	}
	for _, e := range g.effects(p)[:n.Counter] {
		if e.Op == opChooseCell && !p.hasCell() && p.Step != cardCell {
			return fmt.Errorf("pending: cell is missing")
		}
	}
	return nil
}

// checkAction demands what a step of a turn needs (chapters 5 to 7).
func (g *game) checkAction(p *Position) error {
	n := &p.Now
	if !p.manifesting() {
		if !g.onTurn(p) {
			return fmt.Errorf("who is not the active faction (R4.2)")
		}
		if err := g.checkProgram(p); err != nil {
			return err
		}
	}
	if n.Cell != noCell && !p.hasCell() || n.From != noCell && !p.Districts.has(n.From) {
		return fmt.Errorf("pending: a cell that is no district")
	}
	die := p.bestDie()
	advanced := n.Program == noProgram && n.Verb >= lootGraffiti && n.Verb <= swap
	attack := n.Program == noProgram && n.Verb >= attackDefeat && n.Verb <= attackVan
	plain := n.Program == noProgram
	switch p.Step {
	case menu:
		idle := clearPending
		idle.Who = n.Who
		return g.demand(*n == idle, "nothing is under way at D2")
	case moveSource, moveCount, moveDestination:
		if !(plain && n.Verb == move && die > 0) && !g.restsIn(p) {
			return fmt.Errorf("no movement is under way (R5.3)")
		}
		if p.Step == moveSource {
			return nil
		}
		if n.From == noCell || !p.sources(p.Now.Who, g.fromClash(p)).has(n.From) {
			return fmt.Errorf("pending: nothing can move from there (R5.3)")
		}
		return g.demand(p.Step == moveCount || n.Count > 0 && n.Count <= p.Blocs[p.Now.Who][n.From], "pending: %d blocs cannot move (R5.3)", n.Count)
	case barricadeCell:
		return g.demand(plain && n.Verb == barricade && die > 0, "no barricade is under way (R5.7)")
	case barricadeArm:
		ok := plain && n.Verb == barricade && die > 0 || g.restsIn(p)
		return g.demand(ok && p.hasCell() && n.Last < numArms && n.Left <= 5, "no barricade is under way (R5.7)")
	case advancedCell:
		return g.demand(advanced && die > 0, "no advanced action is under way (R6.1)")
	case chooseOccupation:
		if p.manifesting() {
			return g.demand(n.From != noCell && g.openCircles(p).has(n.From), "pending: nothing can be built there (R11.4)")
		}
		return g.demand(advanced && n.Verb >= build && g.advancedFits(p), "no building is under way (R6.3)")
	case stopAction:
		return g.demand(advanced && g.advancedFits(p) && (n.Verb < build || n.Occ != noOcc && p.Place[p.Now.Who][n.Occ] == noCell), "no advanced action is under way (R6.5)")
	case drawLoot, discardDrawn:
		ok := advanced && n.Verb <= lootBurn && p.hasCell() && p.Centers[n.Verb-lootGraffiti][n.Cell] > 0 || g.restsIn(p)
		return g.demand(ok && n.Left <= 3 && n.Keep <= 3 && p.DrawnSize <= 3, "no loot is drawn (R6.2)")
	case attackCell:
		return g.demand(attack && die > 0, "no attack is under way (R7.1)")
	case attackBoost:
		return g.demand(attack && p.hasCell() && g.mayAttack(p, n.Verb, n.Cell) && n.Last < numBoosts, "no attack is under way (R7.1)")
	case kickArm:
		ok := attack && n.Verb == attackKick || g.restsIn(p)
		return g.demand(ok && p.hasCell() && p.Cops[n.Cell] > 0 && n.Count > 0, "no cops are kicked out (R7.3)")
	case attackOn:
		return g.demand(attack && p.hasCell(), "no attack is under way (R7.5)")
	case rollReaction:
		return g.demand(g.reacting(p), "no reaction roll is due (R6.6)")
	case answerReaction:
		return g.demand(g.reacting(p) && n.Roll > 0 && n.Roll <= sides, "no reaction roll is answered (R6.6)")
	case rollExtra:
		return g.demand(g.reacting(p) && n.Roll == sides || g.effectIs(p, opExtraDice), "no extra dice are rolled (R6.6)")
	case chooseCard:
		return g.demand(plain && n.Verb == playCard, "no card is played (R11.2)")
	case cardCell:
		return g.demand(g.restsIn(p), "no card asks for a district (R11.3)")
	case tradePartner:
		return g.demand(plain && n.Verb == trade && p.Trades < maxTrades, "no trade is under way, or all %d of the turn are made (R5.9)", maxTrades)
	case tradeGive, tradeWant, tradeResponse, tradePick:
		return g.checkTrade(p)
	}
	return fmt.Errorf("a position cannot rest there")
}

// advancedFits reports whether the advanced action under way can take place.
func (g *game) advancedFits(p *Position) bool {
	n := &p.Now
	return p.hasCell() && (p.With[p.Now.Who] &^ p.Police).has(n.Cell) && g.mayAdvance(p, n.Verb, n.Cell) &&
		n.Basic == g.isBasic(p, p.Now.Who, n.Verb, n.Cell) && (n.Verb <= lootBurn || p.matOccs(p.Now.Who) != 0)
}

// checkTrade demands a proposal that R5.9 allows.
func (g *game) checkTrade(p *Position) error {
	n := &p.Now
	if n.Verb != trade || n.Partner == noFaction || g.partners(p, p.Now.Who)>>n.Partner&1 == 0 {
		return fmt.Errorf("no trade is under way (R5.9)")
	}
	q := *p
	for _, x := range []struct {
		step   Stage
		prompt func(*game, *Position, *flow.Witness) bool
		offer  uint8
	}{{tradeWant, (*game).promptGive, n.Give}, {tradeResponse, (*game).promptWant, n.Want}} {
		if p.Step < x.step {
			return g.demand(x.offer == 0, "pending: an offer that is not made yet (R5.9)")
		}
		if x.prompt(g, &q, nil); x.offer == 0 || !q.Choices().Has(offerAction(x.offer)) {
			return fmt.Errorf("pending: an offer that R5.9 does not allow")
		}
	}
	return g.demand(p.Step != tradePick || n.Want == offerAny, "pending: the partner picks only if any card is asked for (R5.9)")
}

// checkSunrise demands what a step of Sunrise needs (chapter 9).
func (g *game) checkSunrise(p *Position) error {
	n := &p.Now
	if n.Scan > numCells || n.Order > g.factions {
		return fmt.Errorf("pending: scan or order is too high")
	}
	switch p.Step {
	case scanVans, scanCops, scanSound, liberate:
		only := clearPending
		only.Scan = n.Scan
		return g.demand(*n == only && p.Now.Who == noFaction && (p.Step != liberate || n.Scan == 0), "nothing is under way")
	case turnUp, mutiny, torch, marchOrNot, occupyCell, revealOps:
		return nil // checkManifest
	case manifestArm:
		return g.demand(n.Last < numArms, "pending: there are %d arms (R3.1)", numArms)
	}
	if !p.hasCell() || n.Scan >= p.Districts.count() || p.ByID[n.Scan] != n.Cell {
		return fmt.Errorf("pending: cell and scan do not agree (R9.2, R9.3)")
	}
	switch p.Step {
	case askDoors:
		return g.demand(p.Van[n.Cell] > 0 && p.occupied(n.Cell), "no van attacks there (R9.2)")
	case askMasks, nameVictims:
		if p.Cops[n.Cell] == 0 || !p.occupied(n.Cell) || n.Decider != noFaction && p.Blocs[n.Decider][n.Cell] == 0 && p.Step == askMasks {
			return fmt.Errorf("no cops attack there (R9.3)")
		}
		return g.demand(p.Step == askMasks || n.Decider != noFaction && n.Left < p.total(n.Cell) && n.Last <= numFactions, "pending: victims (R9.3)")
	case rescue, rescueTo:
		for f, lost := range n.Lost {
			if lost > p.Mat[f] {
				return fmt.Errorf("pending: %d lost blocs of the %s, the mat has %d (R9.4)", lost, typeNames[f], p.Mat[f])
			}
		}
		return g.demand(p.Step == rescue || p.Now.Who != noFaction && n.Lost[p.Now.Who] > 0, "pending: nothing can be saved (R9.4)")
	}
	return nil // askSound
}

// checkManifest demands a manifestation that can be under way in the district (R9.6).
func (g *game) checkManifest(p *Position) error {
	n := &p.Now
	if !p.hasCell() || !p.Liberated.has(n.Cell) || !g.box.tiles[p.Tile[n.Cell]].Liberable || p.Holder[n.Cell] == 0 {
		return fmt.Errorf("pending: the cell has not been liberated (R9.6)")
	}
	if p.Step == turnUp {
		return nil
	}
	if n.Order > g.factions || n.Last > numCells || n.Left > 5 {
		return fmt.Errorf("pending: a number is too high (R11.4)")
	}
	if !g.restsIn(p) || n.Verb != noVerb {
		return fmt.Errorf("pending: %s is not at this step (R11.4)", g.programName(n.Program))
	}
	if p.Step == revealOps {
		return g.demand(p.Now.Who == noFaction, "nobody acts")
	}
	if p.Now.Who == noFaction || !primitives[g.current(p).Op].each && p.Now.Who != n.Chooser {
		return fmt.Errorf("pending: who is missing (R9.6)")
	}
	return nil
}
