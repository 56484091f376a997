package bloc

import (
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// barOf returns the kind of advanced action that a bar of R5.6 is about.
func barOf(v Verb) int {
	switch v {
	case VerbBuild:
		return barBuild
	case VerbSwap:
		return barSwap
	}
	return barLoot
}

// isBasic implements R6.1: whether an advanced action counts as a basic one, with a
// Strike Hall or a Comrade Cafe.
func (g *game) isBasic(p *Position, f FactionID, v Verb, c CellID) bool {
	return g.holds(p, f, opBasicActions, v, c)
}

// dieFor implements R5.2 and R6.1: the least die for an advanced action; Bolt Cutters
// lower it.
func (g *game) dieFor(p *Position, basic bool, c CellID) uint8 {
	if basic {
		return 1
	}
	d := g.difficulty(p, c)
	return d - min(p.Bolt, d-1)
}

// advancedCells implements the preconditions of R5.2 for the advanced actions, and
// R5.6 (Barred): own blocs and no police.
func (g *game) advancedCells(p *Position, v Verb) CellSet {
	cells, barred := CellSet(0), p.Barred[barOf(v)]
	if v >= VerbBuild && p.matOccs(p.Now.Who) == 0 {
		return 0
	}
	for s := p.With[p.Now.Who] &^ p.Police; s != 0; s &= s - 1 {
		if c := s.First(); g.mayAdvance(p, v, c) && !(barred.Has(c) && g.stopper(p, c) != NoFaction) {
			cells |= at(c)
		}
	}
	return cells
}

// mayAdvance reports whether a district has what an advanced action is about, and a die
// suffices: any six does.
func (g *game) mayAdvance(p *Position, v Verb, c CellID) bool {
	switch v {
	case VerbLootGraffiti, VerbLootBurn:
		if p.Centers[v-VerbLootGraffiti][c] == 0 {
			return false
		}
	default:
		if (p.Holder[c] != 0) != (v == VerbSwap) || !g.mayHold(p, p.Now.Who, c) {
			return false
		}
	}
	die := p.bestDie()
	return die == sides || die >= g.dieFor(p, g.isBasic(p, p.Now.Who, v, c), c)
}

// mayHold implements R5.2 and R6.3: where a faction may build, districts of its own
// type, Public and State ones, with a circle. So nobody builds in those of a faction that
// is not in the game (Ruling 27).
func (g *game) mayHold(p *Position, f FactionID, c CellID) bool {
	t := &g.box.tiles[p.Tile[c]]
	return t.Circle && (t.Type == TileType(f) || t.Type == TypePublic || t.Type == TypeState)
}

// promptAdvancedCell implements R6.1 and D8.
func (g *game) promptAdvancedCell(p *Position, _ *flow.Witness) bool {
	return g.decideCell(p, p.Now.Who, g.advancedCells(p, p.Now.Verb))
}

// actAdvancedCell fixes whether the action is basic (R6.1).
func (g *game) actAdvancedCell(p *Position, _ *flow.Witness, a engine.Action) {
	c := CellID(a - ActCell)
	p.Now.Cell, p.Now.Basic = c, g.isBasic(p, p.Now.Who, p.Now.Verb, c)
	if p.Now.Verb >= VerbBuild {
		p.Step = chooseOccupation
	} else {
		p.Step = stopAction
	}
}

// promptOccupation implements D9.
func (g *game) promptOccupation(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.AddBits(ActOcc, uint64(p.matOccs(p.Now.Who)))
	return g.decide(p, p.Now.Who)
}

func (g *game) actOccupation(p *Position, w *flow.Witness, a engine.Action) {
	kind := OccID(a - ActOcc)
	if p.manifesting() {
		g.occupy(p, w, kind)
		return
	}
	p.Now.Occ = kind
	p.Step = stopAction
}

// stopper implements the condition of R6.5 (Stop): the faction, of another player than the
// active one, with strictly more blocs in a district than every other.
func (g *game) stopper(p *Position, c CellID) FactionID {
	most, who := uint8(0), FactionID(NoFaction)
	for f := range FactionID(Factions) {
		switch n := p.Blocs[f][c]; {
		case n > most:
			most, who = n, f
		case n == most:
			who = NoFaction
		}
	}
	if who == NoFaction || who == p.Now.Who || g.owner(p, who) == g.owner(p, p.Now.Who) {
		return NoFaction
	}
	return who
}

// promptStop implements R6.5 and D10.
func (g *game) promptStop(p *Position, w *flow.Witness) bool {
	f := g.stopper(p, p.Now.Cell)
	if f == NoFaction {
		g.carryOut(p, w)
		return false
	}
	legal := p.Offer()
	legal.Add(ActYes)
	legal.Add(ActNo)
	return g.decide(p, f)
}

// actStop implements R6.5 and R5.6 (Ruling 6): a stopped action does not take place and
// costs nothing, but is barred here while it could be stopped again.
func (g *game) actStop(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActYes {
		bar := barOf(p.Now.Verb)
		p.Barred[bar] |= at(p.Now.Cell)
		if w != nil {
			w.All("barred", "R5.6", g.faction(p.Now.Who), flow.Arg("action", barNames[bar]), g.district(p, p.Now.Cell))
		}
		p.backToMenu()
		return
	}
	g.carryOut(p, w)
}

// carryOut implements R6.1, R6.2, R6.3 and R6.4: the die is spent, and the action
// takes effect. Cards are drawn before the token is placed.
func (g *game) carryOut(p *Position, w *flow.Witness) {
	c := p.Now.Cell
	g.spend(p, w, g.dieFor(p, p.Now.Basic, c))
	if !p.Now.Basic {
		p.Bolt = 0
	}
	switch p.Now.Verb {
	case VerbBuild, VerbSwap:
		g.evict(p, w, "R6.4", c)
		g.settle(p, w, "R6.3", p.Now.Who, p.Now.Occ, c)
		g.actionDone(p, w)
	default:
		draw, keep := uint8(1), uint8(1)
		if hideout, e := g.standing(p, p.Now.Who, opReplaceLootDraw); hideout != NoCell {
			draw, keep = e.Draw, onSide(e.Keep, e.KeepLib, p.lib(hideout))
		}
		p.draw(draw, keep)
	}
}

// looted implements the token of R6.2.
func (g *game) looted(p *Position, w *flow.Witness) {
	c, from, how := p.Now.Cell, 0, "graffitied"
	if p.Now.Verb == VerbLootBurn {
		from, how = 1, "burned"
	}
	if w != nil {
		w.All("looted", "R6.2", g.district(p, c), flow.Arg("how", how))
	}
	p.Centers[from][c]--
	p.Centers[from+1][c]++
	g.actionDone(p, w)
}

// actionDone implements the end of R6.1: a reaction roll, unless the action was basic.
func (g *game) actionDone(p *Position, _ *flow.Witness) {
	if p.Now.Basic {
		p.backToMenu()
		return
	}
	p.Step = rollReaction
}

// promptReaction implements R6.6 (Reaction roll) and C9.
func (g *game) promptReaction(p *Position, _ *flow.Witness) bool { return p.wait() }

func (g *game) reactionRolled(p *Position, w *flow.Witness, a engine.Action) {
	roll := uint8(a-outReaction) + 1
	if w != nil {
		w.All("reaction", "R6.6", g.district(p, p.Now.Cell), number("value", roll))
	}
	p.Now.Roll = roll
	p.Step = answerReaction
}

// promptScanner implements D15: a Police Scanner cancels a 1 or a 2.
func (g *game) promptScanner(p *Position, w *flow.Witness) bool {
	scanner := CardPoliceScanner
	if !slices.Contains(g.box.loot[scanner].Effects[0].Values, p.Now.Roll) || p.Hand[p.Now.Who][scanner] == 0 {
		g.react(p, w)
		return false
	}
	legal := p.Offer()
	legal.Add(ActDone)
	legal.Add(ActCard + engine.Action(scanner))
	return g.decide(p, p.Now.Who)
}

func (g *game) actScanner(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActDone {
		g.react(p, w)
		return
	}
	g.toDiscard(p, w, p.Now.Who, CardPoliceScanner)
	g.reactionOver(p, w)
}

// react implements the results of R6.6: a cop, an ops card (Ruling 24), nothing,
// or dice of the People's Kitchen.
func (g *game) react(p *Position, w *flow.Witness) {
	switch p.Now.Roll {
	case 1:
		g.addCops(p, w, "R6.6", p.Now.Cell, 1)
		g.reactionOver(p, w)
	case 2:
		p.Now.Ops = 1
		p.Step = drawOps
	case sides:
		p.Step = rollExtra
		if c, e := g.standing(p, p.Now.Who, opOnReaction); c != NoCell {
			g.extraDice(p, w, "R6.6", e.Then[0].n(p.lib(c)))
		}
	default:
		g.reactionOver(p, w)
	}
}

// reactionOver goes on after a reaction roll.
func (g *game) reactionOver(p *Position, _ *flow.Witness) {
	p.Now.Rolling = Rolling{}
	p.stepDone()
}

// extraDice begins the rolling of n extra dice.
func (g *game) extraDice(p *Position, w *flow.Witness, rule string, n uint8) {
	if w != nil {
		w.All("extra_dice", rule, g.faction(p.Now.Who), number("dice", n))
	}
	p.Now.Rolls, p.Step = n, rollExtra
}

// maxExtraDice bounds the dice rolled beside those of step 1 in a turn: twice the
// dice in the box (R1.2; Ruling 12).
func (g *game) maxExtraDice() uint8 { return 2 * g.box.limits.Dice }

// roomForExtra reports whether another extra die can be rolled: there is one in the box.
func (g *game) roomForExtra(p *Position) bool {
	return p.numDice() < g.box.limits.Dice && p.ExtraDice < g.maxExtraDice()
}

// promptExtra implements R1.2 and C10: extra action dice, one a chance event, as far as
// there are dice in the box.
func (g *game) promptExtra(p *Position, w *flow.Witness) bool {
	if p.Now.Rolls > 0 && g.roomForExtra(p) {
		return p.wait()
	}
	g.reactionOver(p, w)
	return false
}
