package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// phaseOf returns the phase that a position is in. Steps of a turn also serve the
// Police Ops step and manifestations, and the Medic Kit both kinds of police.
func (p *position) phaseOf() phase {
	switch {
	case p.step == rescue || p.step == rescueTo:
		if p.now.lostTo == byVan {
			return inSunrise1B
		}
	case p.now.program != noProgram && p.now.program >= firstManifest:
		return inSunrise2
	case p.step == drawOps && p.now.roll != 0:
		return inActions
	}
	return stages[p.step].phase
}

// Next implements flow.Rules. What happens at Sunrise where nobody is asked in secret is
// seen by all.
func (g *game) Next(p *position, w *flow.Witness) bool {
	if !table[p.step].Ask(g, p, w) {
		return false
	}
	if p.turn == g.factions && !table[p.Ask].Secret && (p.Actor < 0 || g.Waits(p)) {
		p.seenByAll()
	}
	return true
}

// Waits implements flow.Rules and R13.1 (Ruling 38, R-02): with auto_forced a decision with one
// legal action is taken unasked, where everybody can tell from what is public that there is
// just one. So the number of cards counts, and never which they are.
func (g *game) Waits(p *position) bool {
	if !g.autoForced || p.Choices().Size() != 1 {
		return true
	}
	switch p.Ask {
	case menu:
		return p.handSize[p.asked] > 0
	case chooseCard, tradeGive, tradePick:
		return p.handSize[p.asked] > 1
	case discardDrawn, tradeResponse:
		return true
	}
	return false
}

// decide puts the question of the step to faction f, whose options were offered.
func (g *game) decide(p *position, f uint8) bool {
	p.asked = f
	return p.Put(p.step, engine.Player(g.owner(p, f)))
}

// decideCell asks for one of a set of cells.
func (g *game) decideCell(p *position, f uint8, cells cellSet) bool {
	p.Offer().AddBits(actCell, uint64(cells))
	return g.decide(p, f)
}

// rest has the question of the step answered by chance, or by nobody.
func (p *position) rest(actor engine.Player) bool {
	p.asked = noFaction
	return p.Put(p.step, actor)
}

// wait asks chance.
func (p *position) wait() bool { return p.rest(engine.Chance) }

// promptOver implements the end of the game (R10.1).
func (g *game) promptOver(p *position, _ *flow.Witness) bool {
	return p.rest(engine.Terminal)
}

// beginTurn implements R4.1, R4.2 and R4.3 (Step 1): a bloc appears at the Faction
// Start, liberated or not (Ruling 17), and the dice are counted.
func (g *game) beginTurn(p *position, w *flow.Witness) bool {
	p.now.who = g.order(p, p.turn)
	if w != nil {
		w.All("turn", "R4.2", number("night", p.night), g.faction(p.now.who))
	}
	if c := p.place[p.now.who][factionStart]; c != noCell {
		g.form(p, w, "R4.3", p.now.who, c, uint8(g.box.factions[p.now.who].occs[factionStart].Ability[0].N))
	}
	p.now.left = min(g.box.dice[blocsEach-p.mat[p.now.who]]+p.bonusDice[p.now.who], g.box.limits.Dice)
	p.bonusDice[p.now.who] = 0
	if w != nil {
		w.All("dice", "R4.3", g.faction(p.now.who), number("dice", p.now.left))
	}
	p.step = rollDice
	return false
}

// promptDice implements C8: the action dice, one a chance event.
func (g *game) promptDice(p *position, _ *flow.Witness) bool {
	if p.now.left > 0 {
		return p.wait()
	}
	p.step = menu
	return false
}

// rolledDie takes an action die that shows v+1 (R4.3, R1.2).
func (g *game) rolledDie(p *position, w *flow.Witness, v uint8) {
	p.dice[v]++
	p.now.left--
	rule := "R4.3"
	if p.step == rollExtra {
		p.extraDice++
		rule = "R1.2"
	}
	if w != nil {
		w.All("die", rule, g.faction(p.now.who), number("value", v+1))
	}
}

// endTurn implements R4.5 (End of the turn) and R8.9: dice and counters of the turn
// are cleared, and a Metro Lockdown before this faction ends.
func (g *game) endTurn(p *position, w *flow.Witness) {
	p.dice, p.uses, p.barred = [sides]uint8{}, [numUses]uint8{}, [numBars]cellSet{}
	p.extraDice, p.bolt, p.jammers, p.trades = 0, 0, 0, 0
	if p.lockdown == p.now.who {
		p.lockdown = noFaction
		p.opsDiscard[g.box.lockdown]++
		if w != nil {
			w.All("metro_open", "R8.9")
		}
	}
	p.now = clearPending
	p.turn++
	if p.turn < g.factions {
		p.step = beginTurn
	} else {
		p.step = repairVans
	}
}

// backToMenu ends what was going on in the turn; the next verb can be chosen
// (R4.4).
func (p *position) backToMenu() {
	p.endAction()
	p.step = menu
}

// endAction forgets what was going on, but for whose turn it is.
func (p *position) endAction() {
	who := p.now.who
	p.now = clearPending
	p.now.who = who
}

// stepDone goes on after a step that cards and actions share: with the program that
// it belongs to, or at the menu.
func (p *position) stepDone() {
	if p.now.program != noProgram {
		p.step = runProgram
		return
	}
	p.backToMenu()
}
