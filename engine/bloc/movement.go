package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// promptSource implements R5.3 (Movement) and D3: a district with own blocs and
// without police; for Smoke Bombs (R11.3), one with police. Cities are connected,
// so that there is somewhere to go.
func (g *game) promptSource(p *position, _ *flow.Witness) bool {
	return g.decideCell(p, p.now.who, p.sources(p.now.who, g.fromClash(p)))
}

// sources returns the districts that a move can begin in.
func (p *position) sources(f uint8, fromClash bool) cellSet {
	if fromClash {
		return p.with[f] & p.police
	}
	return p.with[f] &^ p.police
}

// fromClash reports whether the move under way is one out of a clash (R5.4).
func (g *game) fromClash(p *position) bool {
	e := g.current(p)
	return e != nil && e.FromClash
}

func (g *game) actSource(p *position, _ *flow.Witness, a engine.Action) {
	p.now.from = uint8(a - actCell)
	p.step = moveCount
}

// promptCount implements R5.3 and D4.
func (g *game) promptCount(p *position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.AddBits(actCount, uint64(1<<p.blocs[p.now.who][p.now.from]-1))
	return g.decide(p, p.now.who)
}

func (g *game) actCount(p *position, _ *flow.Witness, a engine.Action) {
	p.now.count = uint8(a - actCount + 1)
	p.step = moveDestination
}

// promptDestination implements R5.3 and D5.
func (g *game) promptDestination(p *position, _ *flow.Witness) bool {
	return g.decideCell(p, p.now.who, p.reach(p.now.from))
}

// actDestination implements R5.3: the blocs move, and the die is spent now.
func (g *game) actDestination(p *position, w *flow.Witness, a engine.Action) {
	g.moveBlocs(p, w, p.now.who, p.now.from, uint8(a-actCell), p.now.count)
	if p.now.verb == move {
		g.spend(p, w, 1)
	}
	p.now.from, p.now.count = noCell, 0
	p.stepDone()
}

// barricadeCells implements the precondition of BARRICADE in R5.2: own bloc not in
// a clash, room on a connection, a barricade in the pile. Guerrilla Garden does not
// replace it (Ruling 19).
func (g *game) barricadeCells(p *position, f uint8) cellSet {
	cells := cellSet(0)
	for s := p.with[f] &^ p.police; s != 0; s &= s - 1 {
		if c := s.first(); g.freeArms(p, c) != 0 {
			cells |= at(c)
		}
	}
	return cells
}

// promptBarricadeCell implements D6.
func (g *game) promptBarricadeCell(p *position, _ *flow.Witness) bool {
	return g.decideCell(p, p.now.who, g.barricadeCells(p, p.now.who))
}

// actBarricadeCell implements R5.7 (Barricade): one barricade, up to three with the
// Guerrilla Garden.
func (g *game) actBarricadeCell(p *position, _ *flow.Witness, a engine.Action) {
	c := uint8(a - actCell)
	p.now.cell, p.now.left = c, 1
	if g.holds(p, p.now.who, opModifyAction, barricade, c) {
		_, e := g.standing(p, p.now.who, opModifyAction)
		p.now.left = e.Barricades
	}
	p.step = barricadeArm
}

// promptBarricadeArm implements D7 and D29: arms in ascending order (R13.4), and DONE
// once there are enough.
func (g *game) promptBarricadeArm(p *position, w *flow.Witness) bool {
	arms := g.freeArms(p, p.now.cell) >> p.now.last << p.now.last
	if p.now.left == 0 || arms == 0 {
		g.barricadesDone(p, w)
		return false
	}
	legal := p.Offer()
	legal.AddBits(actArm, uint64(arms))
	if p.now.enough {
		legal.Add(actDone)
	}
	return g.decide(p, p.now.who)
}

func (g *game) actBarricadeArm(p *position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		g.barricadesDone(p, w)
		return
	}
	arm := uint8(a - actArm)
	g.buildBarricade(p, w, 4*p.now.cell+arm)
	p.now.last, p.now.enough = arm, true
	p.now.left--
}

func (g *game) barricadesDone(p *position, w *flow.Witness) {
	if p.now.verb == barricade {
		g.spend(p, w, 1)
	}
	p.now.left, p.now.last, p.now.enough = 0, 0, false
	p.stepDone()
}
