package bloc

import (
	"slices"

	"powderkeg/engine"
)

// barOf returns the kind of advanced action that a bar of R5.6 is about.
func barOf(v Verb) Bar {
	switch v {
	case VerbBuild:
		return BarBuild
	case VerbSwap:
		return BarSwap
	}
	return BarLoot
}

// Basic implements R6.1: whether an advanced action counts as a basic one, with a
// Strike Hall or a Comrade Cafe.
func (b Board) Basic(f FactionID, v Verb, c CellID) bool {
	return b.holds(f, opBasicActions, v, c)
}

// dieFor implements R5.2 and R6.1: the least die for an advanced action; Bolt Cutters
// lower it.
func (b Board) dieFor(basic bool, c CellID) uint8 {
	if basic {
		return 1
	}
	d := b.difficulty(c)
	return d - min(b.Bolt, d-1)
}

// advancedCells implements the preconditions of R5.2 for the advanced actions, and
// R5.6 (Barred): own blocs and no police.
func (b Board) advancedCells(v Verb) CellSet {
	cells, barred := CellSet(0), b.Barred[barOf(v)]
	if v >= VerbBuild && b.matOccs(b.Now.Who) == 0 {
		return 0
	}
	for s := b.With[b.Now.Who] &^ b.Police; s != 0; s &= s - 1 {
		if c := s.First(); b.mayAdvance(v, c) && !(barred.Has(c) && b.stopper(c) != NoFaction) {
			cells |= at(c)
		}
	}
	return cells
}

// mayAdvance reports whether a district has the object of an advanced action, and a die
// suffices; a six always does.
func (b Board) mayAdvance(v Verb, c CellID) bool {
	switch v {
	case VerbLootGraffiti, VerbLootBurn:
		if b.Centers[v-VerbLootGraffiti][c] == 0 {
			return false
		}
	default:
		if (b.Holder[c] != 0) != (v == VerbSwap) || !b.MayHold(b.Now.Who, c) {
			return false
		}
	}
	die := b.bestDie()
	return die == Sides || die >= b.dieFor(b.Basic(b.Now.Who, v, c), c)
}

// MayHold implements R5.2 and R6.3: it reports whether a faction may have an occupation in
// a cell. It may in Public and State districts and those of its own type that have a circle.
// So nobody builds in the districts of a faction that is not in the game (Ruling 27).
func (b Board) MayHold(f FactionID, c CellID) bool {
	if b.Tile[c] == noTile {
		return false
	}
	t := &b.box.tiles[b.Tile[c]]
	return t.Circle && (t.Type == TileType(f) || t.Type == TypePublic || t.Type == TypeState)
}

// promptAdvancedCell implements R6.1 and D8.
func (b Board) promptAdvancedCell() bool {
	return b.decideCell(b.Now.Who, b.advancedCells(b.Now.Verb))
}

// actAdvancedCell implements R6.1: whether the action is basic is decided here.
func (b Board) actAdvancedCell(a engine.Action) {
	c := CellID(a - ActCell)
	b.Now.Cell, b.Now.Basic = c, b.Basic(b.Now.Who, b.Now.Verb, c)
	if b.Now.Verb >= VerbBuild {
		b.Step = chooseOccupation
	} else {
		b.Step = stopAction
	}
}

// promptOccupation implements D9.
func (b Board) promptOccupation() bool {
	legal := b.Offer()
	legal.AddBits(ActOcc, uint64(b.matOccs(b.Now.Who)))
	return b.decide(b.Now.Who)
}

func (b Board) actOccupation(a engine.Action) {
	kind := OccID(a - ActOcc)
	if b.manifesting() {
		b.occupy(kind)
		return
	}
	b.Now.Occ = kind
	b.Step = stopAction
}

// stopper implements the condition of R6.5 (Stop): it returns the faction with strictly more
// blocs in a district than every other, NoFaction if there is none or if it belongs to the
// active player.
func (b Board) stopper(c CellID) FactionID {
	most, who := uint8(0), FactionID(NoFaction)
	for f := range FactionID(Factions) {
		switch n := b.Blocs[f][c]; {
		case n > most:
			most, who = n, f
		case n == most:
			who = NoFaction
		}
	}
	if who == NoFaction || who == b.Now.Who || b.owner(who) == b.owner(b.Now.Who) {
		return NoFaction
	}
	return who
}

// promptStop implements R6.5 and D10.
func (b Board) promptStop() bool {
	f := b.stopper(b.Now.Cell)
	if f == NoFaction {
		b.carryOut()
		return false
	}
	legal := b.Offer()
	legal.Add(ActYes)
	legal.Add(ActNo)
	return b.decide(f)
}

// actStop implements R6.5 and R5.6 (Ruling 6): a stopped action does not take place and costs
// nothing, but is barred in this district as long as it could be stopped again.
func (b Board) actStop(a engine.Action) {
	if a == ActYes {
		barred := barOf(b.Now.Verb)
		b.Barred[barred] |= at(b.Now.Cell)
		b.tell(actionBarred, "R5.6", b.Now.Who, barred, b.Now.Cell)
		b.backToMenu()
		return
	}
	b.carryOut()
}

// carryOut implements R6.1, R6.2, R6.3 and R6.4: the die is spent, and the action
// takes effect. Cards are drawn before the token is placed.
func (b Board) carryOut() {
	c := b.Now.Cell
	b.spend(b.dieFor(b.Now.Basic, c))
	if !b.Now.Basic {
		b.Bolt = 0
	}
	switch b.Now.Verb {
	case VerbBuild, VerbSwap:
		b.evict("R6.4", c)
		b.settle("R6.3", b.Now.Who, b.Now.Occ, c)
		b.actionDone()
	default:
		draw, keep := uint8(1), uint8(1)
		if hideout, e := b.standing(b.Now.Who, opReplaceLootDraw); hideout != NoCell {
			draw, keep = e.Draw, onSide(e.Keep, e.KeepLib, b.lib(hideout))
		}
		b.draw(draw, keep)
	}
}

// looted implements the token of R6.2.
func (b Board) looted() {
	c, from := b.Now.Cell, Unlooted
	if b.Now.Verb == VerbLootBurn {
		from = Graffitied
	}
	b.tell(centerLooted, "R6.2", c, from+1)
	b.Centers[from][c]--
	b.Centers[from+1][c]++
	b.actionDone()
}

// actionDone implements the end of R6.1: a reaction roll, unless the action was basic.
func (b Board) actionDone() {
	if b.Now.Basic {
		b.backToMenu()
		return
	}
	b.Step = rollReaction
}

// promptReaction implements R6.6 (Reaction roll) and C9.
func (b Board) promptReaction() bool { return b.wait() }

func (b Board) reactionRolled(a engine.Action) {
	roll := uint8(a-outReaction) + 1
	b.tell(reactionShown, "R6.6", b.Now.Cell, roll)
	b.Now.Roll = roll
	b.Step = answerReaction
}

// promptScanner implements D15: a Police Scanner cancels a 1 or a 2.
func (b Board) promptScanner() bool {
	scanner := CardPoliceScanner
	if !slices.Contains(b.box.loot[scanner].Effects[0].Values, b.Now.Roll) || b.Hand[b.Now.Who][scanner] == 0 {
		b.react()
		return false
	}
	legal := b.Offer()
	legal.Add(ActDone)
	legal.Add(ActCard + engine.Action(scanner))
	return b.decide(b.Now.Who)
}

func (b Board) actScanner(a engine.Action) {
	if a == ActDone {
		b.react()
		return
	}
	b.toDiscard(b.Now.Who, CardPoliceScanner)
	b.reactionOver()
}

// react implements the results of R6.6: a cop, an ops card (Ruling 24), nothing,
// or dice of the People's Kitchen.
func (b Board) react() {
	switch b.Now.Roll {
	case 1:
		b.addCops("R6.6", b.Now.Cell, 1)
		b.reactionOver()
	case 2:
		b.Now.Ops = 1
		b.Step = drawOps
	case Sides:
		b.Step = rollExtra
		if c, e := b.standing(b.Now.Who, opOnReaction); c != NoCell {
			b.extraDice("R6.6", e.Then[0].n(b.lib(c)))
		}
	default:
		b.reactionOver()
	}
}

// reactionOver goes on after a reaction roll.
func (b Board) reactionOver() {
	b.Now.Rolling = Rolling{}
	b.stepDone()
}

// extraDice begins the rolling of n extra dice.
func (b Board) extraDice(rule string, n uint8) {
	b.tell(diceGained, rule, b.Now.Who, n)
	b.Now.Rolls, b.Step = n, rollExtra
}

// maxExtraDice bounds the dice rolled beside those of step 1 in a turn: twice the
// dice in the box (R1.2; Ruling 12).
func (g *game) maxExtraDice() uint8 { return 2 * g.box.limits.Dice }

// roomForExtra reports whether another extra die can be rolled: there is one in the box.
func (b Board) roomForExtra() bool {
	return b.numDice() < b.box.limits.Dice && b.ExtraDice < b.maxExtraDice()
}

// promptExtra implements R1.2 and C10: extra action dice, one a chance event, as far as
// there are dice in the box.
func (b Board) promptExtra() bool {
	if b.Now.Rolls > 0 && b.roomForExtra() {
		return b.wait()
	}
	b.reactionOver()
	return false
}
