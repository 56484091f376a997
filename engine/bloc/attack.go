package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// attackCells implements the preconditions of R5.2 for attacks: own blocs in a clash
// that have not attacked in it this night (R5.5), a sufficient die, and what the attack is
// against. A city is connected, so that there is always a way to kick cops out.
func (b Board) attackCells(v Verb) CellSet {
	cells := CellSet(0)
	for s := b.With[b.Now.Who] & b.Police; s != 0; s &= s - 1 {
		if c := s.First(); b.mayAttack(v, c) {
			cells |= at(c)
		}
	}
	return cells
}

func (b Board) mayAttack(v Verb, c CellID) bool {
	against := b.Cops[c]
	if v == VerbAttackVan {
		against = b.Van[c]
	}
	return against > 0 && b.Attacked[b.Now.Who][c] < b.Blocs[b.Now.Who][c] && b.bestDie() >= b.difficulty(c)
}

// promptAttackCell implements R7.1 and D11.
func (b Board) promptAttackCell() bool {
	return b.decideCell(b.Now.Who, b.attackCells(b.Now.Verb))
}

func (b Board) actAttackCell(a engine.Action) {
	b.Now.Cell = CellID(a - ActCell)
	b.Step = attackBoost
}

// strength is what an attack does without a bonus (R7.2, R7.3, R7.4). Molotovs add to it,
// not to the die (Ruling 16).
var strength = [Verbs]uint8{VerbAttackDefeat: 1, VerbAttackKick: 2, VerbAttackVan: 1}

var attackRules = [Verbs]string{VerbAttackDefeat: "R7.2", VerbAttackKick: "R7.3", VerbAttackVan: "R7.4"}

// promptBoost implements R7.1, R13.4 (Ruling 31) and D12: Molotovs may be played as long as
// they still have an effect.
func (b Board) promptBoost() bool {
	legal := b.Offer()
	if b.boosts(legal); legal.Size() == 0 {
		b.declare()
		return false
	}
	legal.Add(ActDone)
	return b.decide(b.Now.Who)
}

// boosts adds the Molotovs that may be played, in the order of R13.4: both kinds with the
// Factory, then both without, the stronger first.
func (b Board) boosts(legal flow.Set) {
	c := b.Now.Cell
	against := b.Cops[c]
	if b.Now.Verb == VerbAttackVan {
		against = b.HitsLeft(c)
	}
	if strength[b.Now.Verb]+b.Now.Bonus >= against {
		return
	}
	for rank := b.Now.Rank; rank < numBoosts; rank++ {
		x := boostOrder[rank]
		if b.Hand[b.Now.Who][x.card] == 0 || x.factory && b.FactoryUses(b.Now.Who) == 0 || b.Now.Rank == 1 && rank == 2 {
			continue
		}
		legal.Add(x.action)
	}
}

const numBoosts = 4

// boostOrder lists the ways to play Molotovs by rank (R13.4).
var boostOrder = [numBoosts]struct {
	action  engine.Action
	card    LootID
	factory bool
}{
	{ActFactory + engine.Action(CardMolotovs2), CardMolotovs2, true},
	{ActFactory + engine.Action(CardMolotovs1), CardMolotovs1, true},
	{ActCard + engine.Action(CardMolotovs2), CardMolotovs2, false},
	{ActCard + engine.Action(CardMolotovs1), CardMolotovs1, false},
}

// FactoryUses returns how often the Molotov Factory can still be used in a turn of faction f
// (R7.1).
func (b Board) FactoryUses(f FactionID) uint8 {
	c, _ := b.standing(f, opModifyCard)
	if c == NoCell {
		return 0
	}
	uses := b.box.factions[f].occs[b.box.factions[f].standing[opModifyCard]].uses(b.lib(c))
	return uses - min(uses, b.Uses[useOfFactory])
}

// Molotov returns what a Molotov card adds to an attack of faction f, with the Molotov Factory
// or without (R7.1). The faction must have the Factory in the city for the former.
func (b Board) Molotov(f FactionID, card LootID, factory bool) uint8 {
	n := b.box.loot[card].number
	if factory {
		_, e := b.standing(f, opModifyCard)
		n += e.StrengthAdd
	}
	return n
}

func (b Board) actBoost(a engine.Action) {
	if a == ActDone {
		b.declare()
		return
	}
	for rank, x := range boostOrder {
		if x.action != a {
			continue
		}
		b.toDiscard(b.Now.Who, x.card)
		b.Now.Bonus += b.Molotov(b.Now.Who, x.card, x.factory)
		if x.factory {
			b.Uses[useOfFactory]++
		}
		b.Now.Rank = uint8(rank)
	}
}

// declare implements the end of R7.1: the die is spent and one more bloc has
// attacked; then R7.2 or R7.4, or D13.
func (b Board) declare() {
	c := b.Now.Cell
	b.spend(b.difficulty(c))
	b.Attacked[b.Now.Who][c]++
	n := strength[b.Now.Verb] + b.Now.Bonus
	b.Now.Bonus, b.Now.Rank = 0, 0
	b.tell(attackMade, attackRules[b.Now.Verb], b.Now.Who, b.Now.Verb, c, n)
	switch b.Now.Verb {
	case VerbAttackKick:
		b.Now.Kicks = n
		b.Step = kickArm
		return
	case VerbAttackDefeat:
		b.takeCops("R7.2", c, min(n, b.Cops[c]))
	case VerbAttackVan:
		b.hitVan(c, n)
	}
	b.Step = attackOn
}

// hitVan implements R7.4 (Van): at three hits in a night it is destroyed.
func (b Board) hitVan(c CellID, hits uint8) {
	if hits >= b.HitsLeft(c) {
		b.destroyVan("R7.4", c)
		return
	}
	b.setVan(c, b.Van[c]+hits)
	b.tell(vanHit, "R7.4", c, b.Van[c]-1)
}

// HitsLeft returns how many hits the van of a district still takes (R7.4), 0 without a van.
func (b Board) HitsLeft(c CellID) uint8 {
	if b.Van[c] == 0 {
		return 0
	}
	return b.box.limits.VanHits - (b.Van[c] - 1)
}

// promptKick implements D13.
func (b Board) promptKick() bool {
	legal := b.Offer()
	legal.AddBits(ActArm, uint64(b.arms(b.Now.Cell)))
	return b.decide(b.Now.Who)
}

// actKick implements R7.3 (Kick out): cops go over a connection, whose barricades are
// dismantled. One cop alone may be kicked out (Ruling 9).
func (b Board) actKick(a engine.Action) {
	e := EndOf(b.Now.Cell, Arm(a-ActArm))
	b.shiftCops("R7.3", b.Now.Cell, b.Links[e].Cell(), min(b.Now.Kicks, b.Cops[b.Now.Cell]))
	b.dismantle("R7.3", e)
	b.Now.Kicks = 0
	if b.Now.Program != NoProgram {
		b.Step = runProgram
		return
	}
	b.Step = attackOn
}

// promptContinue implements R7.5 (Series), R7.6 and D14: the faction may attack again in the
// same clash; one reaction roll follows the whole series. Nobody can stop an attack, and
// nothing happens between two attacks (Ruling 33).
func (b Board) promptContinue() bool {
	legal := b.Offer()
	for v := VerbAttackDefeat; v <= VerbAttackVan; v++ {
		if b.mayAttack(v, b.Now.Cell) {
			legal.Add(ActVerb + engine.Action(v))
		}
	}
	if legal.Size() == 0 {
		b.Step = rollReaction
		return false
	}
	legal.Add(ActDone)
	return b.decide(b.Now.Who)
}

func (b Board) actContinue(a engine.Action) {
	if a == ActDone {
		b.Step = rollReaction
		return
	}
	b.Now.Verb = Verb(a - ActVerb)
	b.Step = attackBoost
}
