package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// phaseOf returns the phase that a position is in. Steps of a turn also serve the
// Police Ops step and manifestations, and the Medic Kit both kinds of police.
func (p *Position) phaseOf() phase {
	switch {
	case p.Step == rescue || p.Step == rescueTo:
		if p.Now.LostTo == byVan {
			return inSunrise1B
		}
	case p.Now.Program != NoProgram && p.Now.Program >= firstManifest:
		return inSunrise2
	case p.Step == drawOps && p.Now.Roll != 0:
		return inActions
	}
	return stages[p.Step].phase
}

// Next implements flow.Rules. What happens at Sunrise where nobody is asked in secret is
// seen by all.
func (g *game) Next(p *Position, w *flow.Witness) bool {
	if !table[p.Step].Ask(g, p, w) {
		return false
	}
	if p.Turn == g.factions && !table[p.Ask].Secret && (p.Actor < 0 || g.Waits(p)) {
		p.seenByAll()
	}
	return true
}

// Waits implements flow.Rules and R13.1 (Ruling 38, R-02): with auto_forced a decision with one
// legal action is taken unasked, where everybody can tell from what is public that there is
// just one. So the number of cards counts, and never which they are.
func (g *game) Waits(p *Position) bool {
	if !g.autoForced || p.Choices().Size() != 1 {
		return true
	}
	switch p.Ask {
	case menu:
		return p.HandSize[p.Asked] > 0
	case chooseCard, tradeGive, tradePick:
		return p.HandSize[p.Asked] > 1
	case discardDrawn, tradeResponse:
		return true
	}
	return false
}

// decide puts the question of the step to faction f, whose options were offered.
func (g *game) decide(p *Position, f FactionID) bool {
	p.Asked = f
	return p.Put(p.Step, engine.Player(g.owner(p, f)))
}

// decideCell asks for one of a set of cells.
func (g *game) decideCell(p *Position, f FactionID, cells CellSet) bool {
	p.Offer().AddBits(ActCell, uint64(cells))
	return g.decide(p, f)
}

// rest has the question of the step answered by chance, or by nobody.
func (p *Position) rest(actor engine.Player) bool {
	p.Asked = NoFaction
	return p.Put(p.Step, actor)
}

// wait asks chance.
func (p *Position) wait() bool { return p.rest(engine.Chance) }

// promptOver implements the end of the game (R10.1).
func (g *game) promptOver(p *Position, _ *flow.Witness) bool {
	return p.rest(engine.Terminal)
}

// beginTurn implements R4.1, R4.2 and R4.3 (Step 1): a bloc appears at the Faction
// Start, liberated or not (Ruling 17), and the dice are counted.
func (g *game) beginTurn(p *Position, w *flow.Witness) bool {
	p.Now.Who = g.order(p, p.Turn)
	if w != nil {
		w.All("turn", "R4.2", number("night", p.Night), g.faction(p.Now.Who))
	}
	if c := p.Place[p.Now.Who][OccFactionStart]; c != NoCell {
		g.form(p, w, "R4.3", p.Now.Who, c, uint8(g.box.factions[p.Now.Who].occs[OccFactionStart].Ability[0].N))
	}
	p.Now.Rolls = min(g.box.dice[blocsEach-p.Mat[p.Now.Who]]+p.BonusDice[p.Now.Who], g.box.limits.Dice)
	p.BonusDice[p.Now.Who] = 0
	if w != nil {
		w.All("dice", "R4.3", g.faction(p.Now.Who), number("dice", p.Now.Rolls))
	}
	p.Step = rollDice
	return false
}

// promptDice implements C8: the action dice, one a chance event.
func (g *game) promptDice(p *Position, _ *flow.Witness) bool {
	if p.Now.Rolls > 0 {
		return p.wait()
	}
	p.Step = menu
	return false
}

// dieRolled takes an action die that was rolled (R4.3), or an extra one (R1.2).
func (g *game) dieRolled(p *Position, w *flow.Witness, a engine.Action) {
	v := uint8(a - outDie)
	p.Dice[v]++
	p.Now.Rolls--
	rule := "R4.3"
	if p.Step == rollExtra {
		p.ExtraDice++
		rule = "R1.2"
	}
	if w != nil {
		w.All("die", rule, g.faction(p.Now.Who), number("value", v+1))
	}
}

// endTurn implements R4.5 (End of the turn) and R8.9 (Ruling 36): dice and counters of the
// turn are cleared, and a Metro Lockdown before this faction ends, unless it was drawn tonight.
func (g *game) endTurn(p *Position, w *flow.Witness) {
	p.Dice, p.Uses, p.Barred = [sides]uint8{}, [Uses]uint8{}, [numBars]CellSet{}
	p.ExtraDice, p.Bolt, p.Jammers, p.Trades = 0, 0, 0, 0
	if p.Lockdown == p.Now.Who && p.Expiring {
		p.Lockdown, p.Expiring = NoFaction, false
		p.OpsDiscard[g.box.lockdown]++
		if w != nil {
			w.All("metro_open", "R8.9")
		}
	}
	p.Now = clearPending
	p.Turn++
	if p.Turn < g.factions {
		p.Step = beginTurn
	} else {
		p.Step = repairVans
	}
}

// backToMenu ends what was going on in the turn; the next verb can be chosen
// (R4.4).
func (p *Position) backToMenu() {
	p.Now, p.Step = idle(p.Now.Who), menu
}

// stepDone goes on after a step that cards and actions share: with the program that
// it belongs to, or at the menu.
func (p *Position) stepDone() {
	if p.Now.Program != NoProgram {
		p.Step = runProgram
		return
	}
	p.backToMenu()
}
