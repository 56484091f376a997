package bloc

import (
	"fmt"

	"powderkeg/engine"
)

// checkPending demands that what is under way is what the step is about, so that
// every step finds what it needs.
func (g *game) checkPending(p *Position, _ engine.Strictness) error {
	test := (*game).checkIdle
	switch ph := stages[p.Step].phase; {
	case p.manifesting() || p.Step == turnUp:
		test = (*game).checkManifest
	case ph == inSetUp:
		test = (*game).checkSetUp
	case ph == inActions || p.Step == rollDice || p.Step == drawOps:
		test = (*game).checkTurnStep
	case ph >= inSunrise1B && ph <= inSunrise2:
		test = (*game).checkSunrise
	}
	if err := test(g, p); err != nil {
		return fmt.Errorf("step %s: %w", stages[p.Step].name, err)
	}
	return nil
}

func demand(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// nothingBut demands that nothing is noted but who acts and what has a meaning where the game stands, which
// the caller copies: positions that differ in such a note alone would look different and
// not be.
func (p *Position) nothingBut(copyTo func(c, n *UnderWay)) error {
	c := idle(p.Now.Who)
	copyTo(&c, &p.Now)
	return demand(c == p.Now, "pending: something is noted that has no meaning here")
}

func (g *game) checkIdle(p *Position) error {
	return demand(p.Now == clearPending, "nothing is under way")
}

// checkSetUp demands the seat that is dealt to, and that the factions come into the city
// when they choose their starting districts.
func (g *game) checkSetUp(p *Position) error {
	n := &p.Now
	if err := p.nothingBut(func(c, n *UnderWay) { c.SettingUp = n.SettingUp }); err != nil || n.Seat >= g.factions {
		return fmt.Errorf("nothing is under way in the set-up")
	}
	if p.Step <= placePolice && (p.CopsLeft != g.box.pieces.cops || p.VansLeft != g.box.pieces.vans) {
		return fmt.Errorf("staging holds all %d riot cops and %d vans until the police are placed (R2.5)", g.box.pieces.cops, g.box.pieces.vans)
	}
	who := NoFaction
	switch p.Step {
	case dealLoot, chooseStart:
		who = p.Seats[n.Seat]
	case dealAgendas:
		if n.Who == NoFaction || p.Agenda[n.Who] != NoAgenda {
			return fmt.Errorf("pending: who has no agenda card yet (R2.9)")
		}
		who = n.Who
	}
	if n.Who != who {
		return fmt.Errorf("pending: who is not the faction that is dealt to or chooses (R2.8, R2.10)")
	}
	for s, f := range p.Seats[:g.factions] {
		started := p.Step > chooseStart || p.Step == chooseStart && s < int(n.Seat)
		if f != NoFaction && p.Step <= chooseStart && (started != (p.held(f) != 0) || started != (p.Mat[f] < blocsEach)) {
			return fmt.Errorf("the %s have started: %v (R2.10)", f, started)
		}
	}
	return nil
}

// onTurn reports whether who is the active faction.
func (g *game) onTurn(p *Position) bool {
	return p.Turn < g.factions && p.Now.Who == g.order(p, p.Turn)
}

// hasCell reports whether the pending cell is a district.
func (p *Position) hasCell() bool { return p.Now.Cell != NoCell && p.Districts.Has(p.Now.Cell) }

// reacting reports whether a reaction roll can be under way: of an action or of a card.
func (g *game) reacting(p *Position) bool {
	if e := g.current(p); e != nil {
		return p.hasCell() && e.Op == opReactionRoll
	}
	return p.hasCell() && p.Now.Program == NoProgram && p.Now.Verb >= VerbLootGraffiti && p.Now.Verb <= VerbAttackVan
}

// checkProgram demands a program that can be under way and a counter within it.
func (g *game) checkProgram(p *Position) error {
	n := &p.Now
	if n.Program == NoProgram {
		return demand(n.Counter == 0, "pending: counter without a program")
	}
	if card, ok := p.Card(); ok {
		if g.box.loot[card].Window != turnWindow || n.Verb != VerbPlayCard {
			return fmt.Errorf("pending: %s is not played in a turn (R11.2)", g.box.loot[card].Key)
		}
	} else {
		kind := g.box.abilities[n.Program-firstAbility].kind[n.Who]
		if kind == NoOcc || n.Verb != Verb(n.Program-firstAbility) {
			return fmt.Errorf("pending: %s have no such ability (R5.2)", n.Who)
		}
		if p.Place[n.Who][kind] == NoCell {
			return fmt.Errorf("pending: the occupation is not in the city (R5.2)")
		}
	}
	list := g.effects(p)
	if n.Counter == 0 || int(n.Counter) > len(list) {
		return fmt.Errorf("pending: counter is %d, the program has %d effects", n.Counter, len(list))
	}
	for _, e := range list[:n.Counter] {
		if e.Op == opChooseCell && !p.hasCell() && p.Step != cardCell {
			return fmt.Errorf("pending: cell is missing")
		}
	}
	return nil
}

// noted are the choices of a turn that have no effect yet but to be noted in Now: as which
// action each stands there, and how Now is before it.
var noted = [numStages]struct {
	action func(n *UnderWay) engine.Action
	forget func(n *UnderWay)
}{
	menu: {
		func(n *UnderWay) engine.Action { return ActVerb + engine.Action(n.Verb) },
		func(n *UnderWay) { *n = idle(n.Who) },
	},
	moveSource: {
		func(n *UnderWay) engine.Action { return ActCell + engine.Action(n.From) },
		func(n *UnderWay) { n.Movement = clearPending.Movement },
	},
	moveCount:        {action: func(n *UnderWay) engine.Action { return ActCount + engine.Action(n.Blocs) - 1 }},
	advancedCell:     {action: func(n *UnderWay) engine.Action { return ActCell + engine.Action(n.Cell) }},
	chooseOccupation: {action: func(n *UnderWay) engine.Action { return ActOcc + engine.Action(n.Occ) }},
	attackCell:       {action: func(n *UnderWay) engine.Action { return ActCell + engine.Action(n.Cell) }},
	tradePartner: {
		func(n *UnderWay) engine.Action { return ActFaction + engine.Action(n.Partner) },
		func(n *UnderWay) { *n = idle(n.Who); n.Verb = VerbTrade },
	},
	tradeGive:     {action: func(n *UnderWay) engine.Action { return offerAction(n.Give) }},
	tradeWant:     {action: func(n *UnderWay) engine.Action { return offerAction(n.Want) }},
	tradeResponse: {action: func(*UnderWay) engine.Action { return ActYes }},
	occupyCell: {
		func(n *UnderWay) engine.Action { return ActCell + engine.Action(n.Site) },
		func(n *UnderWay) { n.Site = NoCell },
	},
}

// maxNoted is the most choices that are noted before anything takes effect: those of a
// trade.
const maxNoted = 4

// retrace demands that what is under way comes about if the choices that are noted in it are
// made from a step on, each where its question offers it.
func (g *game) retrace(p *Position, from Stage) error {
	q := *p
	q.Step = from
	noted[from].forget(&q.Now)
	for i := 0; q.Step != p.Step; i++ {
		at, row := &noted[q.Step], &table[q.Step]
		if i == maxNoted || at.action == nil {
			break
		}
		a, name := at.action(&p.Now), "nothing"
		if int(a) < numActions {
			name = g.box.actions[a]
		}
		if !row.Ask(g, &q, nil) || !q.Choices().Has(a) {
			return fmt.Errorf("pending: %s is not legal in step %s (%s)", name, stages[q.Step].name, table[p.Step].Rule)
		}
		row.Do(g, &q, nil, a)
	}
	if p.Step == attackBoost { // Molotovs may have been played since
		q.Now.Attack = p.Now.Attack
	}
	return demand(q.Step == p.Step && q.Now == p.Now, "pending: the choices that are noted do not lead there (%s)", table[p.Step].Rule)
}

// checkTurnStep demands what a step of a turn needs (chapters 4 to 8).
func (g *game) checkTurnStep(p *Position) error {
	if err := p.nothingBut(func(c, n *UnderWay) {
		c.Verb, c.Program, c.Counter, c.Cell = n.Verb, n.Program, n.Counter, n.Cell
		c.Movement, c.Fortifying, c.Attack, c.Drawing, c.Rolling, c.Basic = n.Movement, n.Fortifying, n.Attack, n.Drawing, n.Rolling, n.Basic
		if n.Verb == VerbBuild || n.Verb == VerbSwap {
			c.Occ = n.Occ
		}
		if n.Verb == VerbTrade {
			c.Proposal = n.Proposal
		}
	}); err != nil {
		return err
	}
	if !g.onTurn(p) {
		return fmt.Errorf("who is not the active faction (R4.2)")
	}
	if err := g.checkProgram(p); err != nil {
		return err
	}
	return g.checkAction(p)
}

// checkAction demands what a step needs that turns and manifestations share.
func (g *game) checkAction(p *Position) error {
	n := &p.Now
	if n.Cell != NoCell && !p.hasCell() {
		return fmt.Errorf("pending: a cell that is no district")
	}
	plain, inProgram := n.Program == NoProgram, g.restsIn(p)
	attack := plain && n.Verb >= VerbAttackDefeat && n.Verb <= VerbAttackVan
	switch p.Step {
	case menu:
		return demand(*n == idle(n.Who), "nothing is under way at D2")
	case rollDice:
		turn := idle(n.Who)
		turn.Rolls = n.Rolls
		return demand(*n == turn && n.Rolls+p.numDice() <= g.box.limits.Dice, "at most %d dice are rolled, before anything else (R1.2, R4.3)", g.box.limits.Dice)
	case drawOps:
		turn := idle(n.Who)
		turn.Ops = n.Ops
		return demand(n.Ops <= 3 && (*n == turn || n.Roll == 2 && g.reacting(p)), "ops cards are due to the turn or a roll of 2 (R8.1)")
	case moveSource, moveCount, moveDestination:
		if inProgram {
			return g.retrace(p, moveSource)
		}
		return g.retrace(p, menu)
	case chooseOccupation:
		if inProgram {
			return g.retrace(p, occupyCell)
		}
		return g.retrace(p, menu)
	case barricadeCell, advancedCell, stopAction, attackCell, chooseCard, tradePartner:
		return g.retrace(p, menu)
	case attackBoost:
		return demand(n.Rank < numBoosts && g.retrace(p, menu) == nil, "no attack is under way (R7.1)")
	case tradeGive, tradeWant, tradeResponse, tradePick:
		return g.retrace(p, tradePartner)
	case barricadeArm, manifestArm:
		ok := plain && n.Verb == VerbBarricade && p.bestDie() > 0 || inProgram
		return demand(ok && p.hasCell() && n.LeastArm < Arms && n.Barricades <= 5, "no barricade is under way (R5.7)")
	case drawLoot, discardDrawn:
		looting := plain && (n.Verb == VerbLootGraffiti || n.Verb == VerbLootBurn) && p.hasCell() && p.Centers[n.Verb-VerbLootGraffiti][n.Cell] > 0
		return demand((looting || inProgram) && n.Cards <= 3 && n.Keep <= 3 && p.DrawnSize <= 3, "no loot is drawn (R6.2)")
	case kickArm:
		return demand((attack && n.Verb == VerbAttackKick || inProgram) && p.hasCell() && p.Cops[n.Cell] > 0 && n.Kicks > 0, "no cops are kicked out (R7.3)")
	case attackOn:
		return demand(attack && p.hasCell(), "no attack is under way (R7.5)")
	case rollReaction:
		return demand(g.reacting(p), "no reaction roll is due (R6.6)")
	case answerReaction:
		return demand(g.reacting(p) && n.Roll > 0 && n.Roll <= sides, "no reaction roll is answered (R6.6)")
	case rollExtra:
		return demand(g.reacting(p) && n.Roll == sides || inProgram, "no extra dice are rolled (R6.6)")
	}
	return demand(inProgram, "no card or ability asks for that (R11.3)")
}

// checkSunrise demands what a step of Sunrise needs (chapter 9).
func (g *game) checkSunrise(p *Position) error {
	n := &p.Now
	if err := p.nothingBut(func(c, n *UnderWay) { c.Cell, c.Repression = n.Cell, n.Repression }); err != nil {
		return err
	}
	if n.Scan > Cells || n.Order > g.factions {
		return fmt.Errorf("pending: scan or order is too high")
	}
	switch p.Step {
	case scanVans, scanCops, scanSound, liberate:
		c := clearPending
		c.Scan = n.Scan
		return demand(*n == c && (p.Step != liberate || n.Scan == 0), "nothing is under way")
	}
	if !p.hasCell() || n.Scan >= p.Districts.Count() || p.ByID[n.Scan] != n.Cell {
		return fmt.Errorf("pending: cell and scan do not agree (R9.2, R9.3)")
	}
	switch p.Step {
	case askDoors:
		return demand(p.Van[n.Cell] > 0 && p.occupied(n.Cell), "no van attacks there (R9.2)")
	case askMasks:
		decides := n.Decider == NoFaction || p.Blocs[n.Decider][n.Cell] > 0
		return demand(decides && p.Cops[n.Cell] > 0 && p.occupied(n.Cell), "no cops attack there (R9.3)")
	case nameVictims:
		return demand(p.Cops[n.Cell] > 0 && n.Decider != NoFaction && n.Order == 0 && n.Victims < p.total(n.Cell), "pending: victims (R9.3)")
	case rescue, rescueTo:
		for f, lost := range n.Lost {
			if lost > p.Mat[f] {
				return fmt.Errorf("pending: %d lost blocs of the %s, the mat has %d (R9.4)", lost, typeNames[f], p.Mat[f])
			}
		}
		if p.Step == rescueTo && (n.Order == g.factions || g.order(p, n.Order) != n.Who) {
			return fmt.Errorf("pending: it is not the turn of who saves (R9.4)")
		}
		return demand(p.Step == rescue || n.Who != NoFaction && n.Lost[n.Who] > 0, "pending: nothing can be saved (R9.4)")
	}
	return nil // askSound
}

// checkManifest demands a manifestation that can be under way in the district (R9.6).
func (g *game) checkManifest(p *Position) error {
	n := &p.Now
	if err := p.nothingBut(func(c, n *UnderWay) {
		c.Program, c.Counter, c.Cell = n.Program, n.Counter, n.Cell
		c.Movement, c.Fortifying, c.Drawing, c.Rising = n.Movement, n.Fortifying, n.Drawing, n.Rising
	}); err != nil {
		return err
	}
	if !p.hasCell() || !p.Liberated.Has(n.Cell) || !g.box.tiles[p.Tile[n.Cell]].Liberable || p.Holder[n.Cell] == 0 {
		return fmt.Errorf("pending: the cell has not been liberated (R9.6)")
	}
	if n.Next > g.factions || n.Least > Cells || n.Times > 5 {
		return fmt.Errorf("pending: a number is too high (R11.4)")
	}
	switch {
	case p.Step == turnUp:
		return demand(n.Next == 0, "nobody is served yet (R11.4)")
	case !g.restsIn(p):
		return fmt.Errorf("pending: %s is not at this step (R11.4)", g.programName(n.Program))
	case n.Next > 0 && !primitives[g.current(p).Op].each:
		return fmt.Errorf("pending: %s serves nobody in turn here (R11.4)", g.programName(n.Program))
	case p.Step == revealOps:
		return demand(n.Who == NoFaction, "nobody acts")
	case n.Who == NoFaction || !primitives[g.current(p).Op].each && n.Who != n.Chooser:
		return fmt.Errorf("pending: who is missing (R9.6)")
	}
	return g.checkAction(p)
}
