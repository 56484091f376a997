package bloc

import (
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// barOf returns the kind of advanced action that a bar of R5.6 is about.
func barOf(v verb) int {
	switch v {
	case build:
		return barBuild
	case swap:
		return barSwap
	}
	return barLoot
}

// isBasic implements R6.1: whether an advanced action counts as a basic one, with a
// Strike Hall or a Comrade Cafe.
func (g *game) isBasic(p *position, f uint8, v verb, c uint8) bool {
	return g.holds(p, f, opBasicActions, v, c)
}

// dieFor implements R5.2 and R6.1: the least die for an advanced action; Bolt Cutters
// lower it.
func (g *game) dieFor(p *position, basic bool, c uint8) uint8 {
	if basic {
		return 1
	}
	d := g.difficulty(p, c)
	return d - min(p.bolt, d-1)
}

// advancedCells implements the preconditions of R5.2 for the advanced actions, and
// R5.6 (Barred): own blocs and no police.
func (g *game) advancedCells(p *position, v verb) cellSet {
	cells, barred := cellSet(0), p.barred[barOf(v)]
	if v >= build && p.matOccs(p.now.who) == 0 {
		return 0
	}
	for s := p.with[p.now.who] &^ p.police; s != 0; s &= s - 1 {
		if c := s.first(); g.mayAdvance(p, v, c) && !(barred.has(c) && g.stopper(p, c) != noFaction) {
			cells |= at(c)
		}
	}
	return cells
}

// mayAdvance reports whether a district has what an advanced action is about, and a die
// suffices: any six does.
func (g *game) mayAdvance(p *position, v verb, c uint8) bool {
	switch v {
	case lootGraffiti, lootBurn:
		if p.centers[v-lootGraffiti][c] == 0 {
			return false
		}
	default:
		if (p.holder[c] != 0) != (v == swap) || !g.mayHold(p, p.now.who, c) {
			return false
		}
	}
	die := p.bestDie()
	return die == sides || die >= g.dieFor(p, g.isBasic(p, p.now.who, v, c), c)
}

// mayHold implements R5.2 and R6.3: where a faction may build, districts of its own
// type, Public and State ones, with a circle. So nobody builds in those of a faction that
// is not in the game (Ruling 27).
func (g *game) mayHold(p *position, f, c uint8) bool {
	t := &g.box.tiles[p.tile[c]]
	return t.Circle && (t.Type == tileType(f) || t.Type == public || t.Type == state)
}

// promptAdvancedCell implements R6.1 and D8.
func (g *game) promptAdvancedCell(p *position, _ *flow.Witness) bool {
	return g.decideCell(p, p.now.who, g.advancedCells(p, p.now.verb))
}

// actAdvancedCell fixes whether the action is basic (R6.1).
func (g *game) actAdvancedCell(p *position, _ *flow.Witness, a engine.Action) {
	c := uint8(a - actCell)
	p.now.cell, p.now.basic = c, g.isBasic(p, p.now.who, p.now.verb, c)
	if p.now.verb >= build {
		p.step = chooseOccupation
	} else {
		p.step = stopAction
	}
}

// promptOccupation implements D9.
func (g *game) promptOccupation(p *position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.AddBits(actOcc, uint64(p.matOccs(p.now.who)))
	return g.decide(p, p.now.who)
}

func (g *game) actOccupation(p *position, w *flow.Witness, a engine.Action) {
	kind := uint8(a - actOcc)
	if p.manifesting() {
		g.occupy(p, w, kind)
		return
	}
	p.now.occ = kind
	p.step = stopAction
}

// stopper implements the condition of R6.5 (Stop): the faction, of another player than the
// active one, with strictly more blocs in a district than every other.
func (g *game) stopper(p *position, c uint8) uint8 {
	most, who := uint8(0), uint8(noFaction)
	for f := range uint8(numFactions) {
		switch n := p.blocs[f][c]; {
		case n > most:
			most, who = n, f
		case n == most:
			who = noFaction
		}
	}
	if who == noFaction || who == p.now.who || g.owner(p, who) == g.owner(p, p.now.who) {
		return noFaction
	}
	return who
}

// promptStop implements R6.5 and D10.
func (g *game) promptStop(p *position, w *flow.Witness) bool {
	f := g.stopper(p, p.now.cell)
	if f == noFaction {
		g.carryOut(p, w)
		return false
	}
	legal := p.Offer()
	legal.Add(actYes)
	legal.Add(actNo)
	return g.decide(p, f)
}

// actStop implements R6.5 and R5.6 (Ruling 6): a stopped action does not take place and
// costs nothing, but is barred here while it could be stopped again.
func (g *game) actStop(p *position, w *flow.Witness, a engine.Action) {
	if a == actYes {
		bar := barOf(p.now.verb)
		p.barred[bar] |= at(p.now.cell)
		if w != nil {
			w.All("barred", "R5.6", g.faction(p.now.who), flow.Arg("action", barNames[bar]), g.district(p, p.now.cell))
		}
		p.backToMenu()
		return
	}
	g.carryOut(p, w)
}

// carryOut implements R6.1, R6.2, R6.3 and R6.4: the die is spent, and the action
// takes effect. Cards are drawn before the token is placed.
func (g *game) carryOut(p *position, w *flow.Witness) {
	c := p.now.cell
	g.spend(p, w, g.dieFor(p, p.now.basic, c))
	if !p.now.basic {
		p.bolt = 0
	}
	switch p.now.verb {
	case build, swap:
		g.evict(p, w, "R6.4", c)
		g.settle(p, w, "R6.3", p.now.who, p.now.occ, c)
		g.actionDone(p, w)
	default:
		draw, keep := uint8(1), uint8(1)
		if hideout, e := g.standing(p, p.now.who, opReplaceLootDraw); hideout != noCell {
			draw, keep = e.Draw, onSide(e.Keep, e.KeepLib, p.lib(hideout))
		}
		p.draw(draw, keep)
	}
}

// looted implements the token of R6.2.
func (g *game) looted(p *position, w *flow.Witness) {
	c, from, how := p.now.cell, 0, "graffitied"
	if p.now.verb == lootBurn {
		from, how = 1, "burned"
	}
	if w != nil {
		w.All("looted", "R6.2", g.district(p, c), flow.Arg("how", how))
	}
	p.centers[from][c]--
	p.centers[from+1][c]++
	g.actionDone(p, w)
}

// actionDone implements the end of R6.1: a reaction roll, unless the action was basic.
func (g *game) actionDone(p *position, _ *flow.Witness) {
	if p.now.basic {
		p.backToMenu()
		return
	}
	p.step = rollReaction
}

// promptReaction implements R6.6 (Reaction roll) and C9.
func (g *game) promptReaction(p *position, _ *flow.Witness) bool { return p.wait() }

func (g *game) rolled(p *position, w *flow.Witness, roll uint8) {
	if w != nil {
		w.All("reaction", "R6.6", g.district(p, p.now.cell), number("value", roll))
	}
	p.now.roll = roll
	p.step = answerReaction
}

// promptScanner implements D15: a Police Scanner cancels a 1 or a 2.
func (g *game) promptScanner(p *position, w *flow.Witness) bool {
	scanner := g.box.scanner
	if !slices.Contains(g.box.loot[scanner].Effects[0].Values, p.now.roll) || p.hand[p.now.who][scanner] == 0 {
		g.react(p, w)
		return false
	}
	legal := p.Offer()
	legal.Add(actDone)
	legal.Add(actCard + engine.Action(scanner))
	return g.decide(p, p.now.who)
}

func (g *game) actScanner(p *position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		g.react(p, w)
		return
	}
	g.toDiscard(p, w, p.now.who, g.box.scanner)
	g.reactionOver(p, w)
}

// react implements the results of R6.6: a cop, an ops card (Ruling 24), nothing,
// or dice of the People's Kitchen.
func (g *game) react(p *position, w *flow.Witness) {
	switch p.now.roll {
	case 1:
		g.addCops(p, w, "R6.6", p.now.cell, 1)
		g.reactionOver(p, w)
	case 2:
		p.now.left = 1
		p.step = drawOps
	case sides:
		p.now.left, p.step = 0, rollExtra
		if c, e := g.standing(p, p.now.who, opOnReaction); c != noCell {
			g.extraDice(p, w, "R6.6", e.Then[0].n(p.lib(c)))
		}
	default:
		g.reactionOver(p, w)
	}
}

// reactionOver goes on after a reaction roll.
func (g *game) reactionOver(p *position, _ *flow.Witness) {
	p.now.roll, p.now.left = 0, 0
	p.stepDone()
}

// extraDice begins the rolling of n extra dice.
func (g *game) extraDice(p *position, w *flow.Witness, rule string, n uint8) {
	if w != nil {
		w.All("extra_dice", rule, g.faction(p.now.who), number("dice", n))
	}
	p.now.left, p.step = n, rollExtra
}

// maxExtraDice bounds the dice rolled beside those of step 1 in a turn: twice the
// dice in the box (R1.2; Ruling 12).
func (g *game) maxExtraDice() uint8 { return 2 * g.box.limits.Dice }

// roomForExtra reports whether another extra die can be rolled: there is one in the box.
func (g *game) roomForExtra(p *position) bool {
	return p.numDice() < g.box.limits.Dice && p.extraDice < g.maxExtraDice()
}

// promptExtra implements R1.2 and C10: extra action dice, one a chance event, as far as
// there are dice in the box.
func (g *game) promptExtra(p *position, w *flow.Witness) bool {
	if p.now.left > 0 && g.roomForExtra(p) {
		return p.wait()
	}
	p.now.left = 0
	g.reactionOver(p, w)
	return false
}
