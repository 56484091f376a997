package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// phaseOf returns the phase of a position. Some steps belong to several: steps of a turn also
// occur in the Police Ops step and in manifestations, and Medic Kits follow both kinds of
// police attacks.
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

// Next implements flow.Rules. At Sunrise, everybody sees what happens unless somebody is asked
// in secret.
func (g *game) Next(p *Position, w *flow.Witness) bool {
	if !stages[p.Step].ask(Board{g, p, w}) {
		return false
	}
	if p.Turn == g.factions && !table[p.Ask].Secret && (p.Actor < 0 || g.Waits(p)) {
		p.seenByAll()
	}
	return true
}

// Waits implements flow.Rules and R13.1 (Ruling 38, R-02). With auto_forced, the game makes a
// decision that has one legal action by itself, if the public can tell that there is only one.
// It may therefore look at how many cards a hand has, but not at which.
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

// decide asks faction f the question of the step; the legal actions have been offered. It
// sets what Put would, so that it is inlined.
func (b Board) decide(f FactionID) bool {
	b.Asked, b.Ask, b.Actor = f, b.Step, b.owner(f)
	return true
}

// decideCell asks for one of a set of cells.
func (b Board) decideCell(f FactionID, cells CellSet) bool {
	b.Offer().AddBits(ActCell, uint64(cells))
	return b.decide(f)
}

// rest has chance answer the question of the step, or nobody.
func (p *Position) rest(actor engine.Player) bool {
	p.Asked = NoFaction
	return p.Put(p.Step, actor)
}

// wait asks chance.
func (p *Position) wait() bool { return p.rest(engine.Chance) }

// promptOver implements the end of the game (R10.1).
func (b Board) promptOver() bool {
	return b.rest(engine.Terminal)
}

// beginTurn implements R4.1, R4.2 and R4.3 (Step 1): a bloc appears at the Faction
// Start, liberated or not (Ruling 17), and the dice are counted.
func (b Board) beginTurn() bool {
	b.Now.Who = b.order(b.Turn)
	b.tell(turnBegun, "R4.2", b.Night, b.Now.Who)
	if c := b.Place[b.Now.Who][OccFactionStart]; c != NoCell {
		b.form("R4.3", b.Now.Who, c, uint8(b.box.factions[b.Now.Who].occs[OccFactionStart].Ability[0].N))
	}
	b.Now.Rolls = min(b.box.dice[blocsEach-b.Mat[b.Now.Who]]+b.BonusDice[b.Now.Who], b.box.limits.Dice)
	b.BonusDice[b.Now.Who] = 0
	b.tell(diceCounted, "R4.3", b.Now.Who, b.Now.Rolls)
	b.Step = rollDice
	return false
}

// promptDice implements C8: the action dice, one a chance event.
func (b Board) promptDice() bool {
	if b.Now.Rolls > 0 {
		return b.wait()
	}
	b.Step = menu
	return false
}

// dieRolled takes an action die that was rolled (R4.3), or an extra one (R1.2).
func (b Board) dieRolled(a engine.Action) {
	v := uint8(a - outDie)
	b.Dice[v]++
	b.Now.Rolls--
	rule := "R4.3"
	if b.Step == rollExtra {
		b.ExtraDice++
		rule = "R1.2"
	}
	b.tell(dieShown, rule, b.Now.Who, v+1)
}

// endTurn implements R4.5 (End of the turn) and R8.9 (Ruling 36). It clears the dice and
// counters of the turn. A Metro Lockdown before this faction ends unless it was drawn tonight.
func (b Board) endTurn() {
	b.Dice, b.Uses, b.Barred = [Sides]uint8{}, [Uses]uint8{}, [numBars]CellSet{}
	b.ExtraDice, b.Bolt, b.Jammers, b.Trades = 0, 0, 0, 0
	if b.Lockdown == b.Now.Who && b.Expiring {
		b.Lockdown, b.Expiring = NoFaction, false
		b.OpsDiscard[b.box.lockdown]++
		b.tell(metroOpened, "R8.9")
	}
	b.Now = clearPending
	b.Turn++
	if b.Turn < b.factions {
		b.Step = beginTurn
	} else {
		b.Step = repairVans
	}
}

// backToMenu ends what was under way in the turn; the faction chooses its next verb (R4.4).
func (p *Position) backToMenu() {
	p.Now, p.Step = idle(p.Now.Who), menu
}

// stepDone continues after a step that cards and actions share: with the card or ability
// under way, if any, otherwise at the menu.
func (p *Position) stepDone() {
	if p.Now.Program != NoProgram {
		p.Step = runProgram
		return
	}
	p.backToMenu()
}
