package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// attackCells implements the preconditions of R5.2 for attacks: own blocs in a clash
// that have not attacked in it this night (R5.5), a sufficient die, and what the attack is
// against. A city is connected, so that there is always a way to kick cops out.
func (g *game) attackCells(p *Position, v Verb) CellSet {
	cells := CellSet(0)
	for s := p.With[p.Now.Who] & p.Police; s != 0; s &= s - 1 {
		if c := s.First(); g.mayAttack(p, v, c) {
			cells |= at(c)
		}
	}
	return cells
}

func (g *game) mayAttack(p *Position, v Verb, c CellID) bool {
	against := p.Cops[c]
	if v == VerbAttackVan {
		against = p.Van[c]
	}
	return against > 0 && p.Attacked[p.Now.Who][c] < p.Blocs[p.Now.Who][c] && p.bestDie() >= g.difficulty(p, c)
}

// promptAttackCell implements R7.1 and D11.
func (g *game) promptAttackCell(p *Position, _ *flow.Witness) bool {
	return g.decideCell(p, p.Now.Who, g.attackCells(p, p.Now.Verb))
}

func (g *game) actAttackCell(p *Position, _ *flow.Witness, a engine.Action) {
	p.Now.Cell = CellID(a - ActCell)
	p.Step = attackBoost
}

// strength is what an attack does without a bonus (R7.2, R7.3, R7.4). Molotovs add to it,
// not to the die (Ruling 16).
var strength = [Verbs]uint8{VerbAttackDefeat: 1, VerbAttackKick: 2, VerbAttackVan: 1}

var attackRules = [Verbs]string{VerbAttackDefeat: "R7.2", VerbAttackKick: "R7.3", VerbAttackVan: "R7.4"}

// promptBoost implements R7.1, R13.4 (Ruling 31) and D12: Molotovs, as long as the bonus
// can still have an effect.
func (g *game) promptBoost(p *Position, w *flow.Witness) bool {
	legal := p.Offer()
	if g.boosts(p, legal); legal.Size() == 0 {
		g.declare(p, w)
		return false
	}
	legal.Add(ActDone)
	return g.decide(p, p.Now.Who)
}

// boosts adds the Molotovs that may be played. Ranks give the order of R13.4: both
// kinds with the Factory, then both without, the stronger first.
func (g *game) boosts(p *Position, legal flow.Set) {
	c := p.Now.Cell
	against := p.Cops[c]
	if p.Now.Verb == VerbAttackVan {
		against = g.hitsLeft(p, c)
	}
	if strength[p.Now.Verb]+p.Now.Bonus >= against {
		return
	}
	for rank := p.Now.Rank; rank < numBoosts; rank++ {
		b := boostOrder[rank]
		if p.Hand[p.Now.Who][b.card] == 0 || b.factory && g.factory(p, p.Now.Who) == 0 || p.Now.Rank == 1 && rank == 2 {
			continue
		}
		legal.Add(b.action)
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

// factory returns how often the Molotov Factory can still be used in a turn of faction f
// (R7.1).
func (g *game) factory(p *Position, f FactionID) uint8 {
	c, _ := g.standing(p, f, opModifyCard)
	if c == NoCell {
		return 0
	}
	uses := g.box.factions[f].occs[g.box.factions[f].standing[opModifyCard]].uses(p.lib(c))
	return uses - min(uses, p.Uses[useOfFactory])
}

// molotov returns what a Molotov card adds to an attack of faction f, with the Molotov Factory or
// without.
func (g *game) molotov(p *Position, f FactionID, card LootID, factory bool) uint8 {
	n := g.box.loot[card].Effects[0].Add
	if factory {
		_, e := g.standing(p, f, opModifyCard)
		n += e.StrengthAdd
	}
	return n
}

func (g *game) actBoost(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActDone {
		g.declare(p, w)
		return
	}
	for rank, b := range boostOrder {
		if b.action != a {
			continue
		}
		g.toDiscard(p, w, p.Now.Who, b.card)
		p.Now.Bonus += g.molotov(p, p.Now.Who, b.card, b.factory)
		if b.factory {
			p.Uses[useOfFactory]++
		}
		p.Now.Rank = uint8(rank)
	}
}

// declare implements the end of R7.1: the die is spent and one more bloc has
// attacked; then R7.2 or R7.4, or D13.
func (g *game) declare(p *Position, w *flow.Witness) {
	c := p.Now.Cell
	g.spend(p, w, g.difficulty(p, c))
	p.Attacked[p.Now.Who][c]++
	n := strength[p.Now.Verb] + p.Now.Bonus
	p.Now.Bonus, p.Now.Rank = 0, 0
	if w != nil {
		w.All("attack", attackRules[p.Now.Verb], g.faction(p.Now.Who), flow.Arg("action", g.box.actions[ActVerb+p.Now.Verb]), g.district(p, c), number("strength", n))
	}
	switch p.Now.Verb {
	case VerbAttackKick:
		p.Now.Kicks = n
		p.Step = kickArm
		return
	case VerbAttackDefeat:
		g.takeCops(p, w, "R7.2", c, min(n, p.Cops[c]))
	case VerbAttackVan:
		g.hitVan(p, w, c, n)
	}
	p.Step = attackOn
}

// hitVan implements R7.4 (Van): at three hits in a night it is destroyed.
func (g *game) hitVan(p *Position, w *flow.Witness, c CellID, hits uint8) {
	if hits >= g.hitsLeft(p, c) {
		g.destroyVan(p, w, "R7.4", c)
		return
	}
	p.setVan(c, p.Van[c]+hits)
	if w != nil {
		w.All("van_hit", "R7.4", g.district(p, c), number("hits", p.Van[c]-1))
	}
}

// hitsLeft returns how many hits the van of a district still takes, 0 without a van.
func (g *game) hitsLeft(p *Position, c CellID) uint8 {
	if p.Van[c] == 0 {
		return 0
	}
	return g.box.limits.VanHits - (p.Van[c] - 1)
}

// promptKick implements D13.
func (g *game) promptKick(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.AddBits(ActArm, uint64(p.arms(p.Now.Cell)))
	return g.decide(p, p.Now.Who)
}

// actKick implements R7.3 (Kick out): cops go over a connection, whose barricades are
// dismantled. One cop alone may be kicked out (Ruling 9).
func (g *game) actKick(p *Position, w *flow.Witness, a engine.Action) {
	e := EndOf(p.Now.Cell, Arm(a-ActArm))
	g.shiftCops(p, w, "R7.3", p.Now.Cell, p.Links[e].Cell(), min(p.Now.Kicks, p.Cops[p.Now.Cell]))
	g.dismantle(p, w, "R7.3", e)
	p.Now.Kicks = 0
	if p.Now.Program != NoProgram {
		p.Step = runProgram
		return
	}
	p.Step = attackOn
}

// promptContinue implements R7.5 (Series), R7.6 and D14: further attacks in the same clash,
// and one reaction roll for them all. Nobody can stop an attack, and nothing else comes
// between (Ruling 33).
func (g *game) promptContinue(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	for v := VerbAttackDefeat; v <= VerbAttackVan; v++ {
		if g.mayAttack(p, v, p.Now.Cell) {
			legal.Add(ActVerb + engine.Action(v))
		}
	}
	if legal.Size() == 0 {
		p.Step = rollReaction
		return false
	}
	legal.Add(ActDone)
	return g.decide(p, p.Now.Who)
}

func (g *game) actContinue(p *Position, _ *flow.Witness, a engine.Action) {
	if a == ActDone {
		p.Step = rollReaction
		return
	}
	p.Now.Verb = Verb(a - ActVerb)
	p.Step = attackBoost
}
