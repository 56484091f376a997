package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// promptSource implements R5.3 (Movement) and D3: a district with own blocs and
// without police; for Smoke Bombs (R11.3), one with police. Cities are connected,
// so that there is somewhere to go.
func (g *game) promptSource(p *Position, _ *flow.Witness) bool {
	return g.decideCell(p, p.Now.Who, p.sources(p.Now.Who, g.fromClash(p)))
}

// sources returns the districts that a move can begin in.
func (p *Position) sources(f FactionID, fromClash bool) CellSet {
	if fromClash {
		return p.With[f] & p.Police
	}
	return p.With[f] &^ p.Police
}

// fromClash reports whether the move under way is one out of a clash (R5.4).
func (g *game) fromClash(p *Position) bool {
	e := g.current(p)
	return e != nil && e.FromClash
}

func (g *game) actSource(p *Position, _ *flow.Witness, a engine.Action) {
	p.Now.From = CellID(a - ActCell)
	p.Step = moveCount
}

// promptCount implements R5.3 and D4.
func (g *game) promptCount(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.AddBits(ActCount, uint64(1<<p.Blocs[p.Now.Who][p.Now.From]-1))
	return g.decide(p, p.Now.Who)
}

func (g *game) actCount(p *Position, _ *flow.Witness, a engine.Action) {
	p.Now.Blocs = uint8(a - ActCount + 1)
	p.Step = moveDestination
}

// promptDestination implements R5.3 and D5.
func (g *game) promptDestination(p *Position, _ *flow.Witness) bool {
	return g.decideCell(p, p.Now.Who, p.reach(p.Now.From))
}

// actDestination implements R5.3: the blocs move, and the die is spent now.
func (g *game) actDestination(p *Position, w *flow.Witness, a engine.Action) {
	g.moveBlocs(p, w, p.Now.Who, p.Now.From, CellID(a-ActCell), p.Now.Blocs)
	if p.Now.Verb == VerbMove {
		g.spend(p, w, 1)
	}
	p.Now.Movement = clearPending.Movement
	p.stepDone()
}

// barricadeCells implements the precondition of BARRICADE in R5.2: own bloc not in
// a clash, room on a connection, a barricade in the pile. Guerrilla Garden does not
// replace it (Ruling 19).
func (g *game) barricadeCells(p *Position, f FactionID) CellSet {
	cells := CellSet(0)
	for s := p.With[f] &^ p.Police; s != 0; s &= s - 1 {
		if c := s.First(); g.freeArms(p, c) != 0 {
			cells |= at(c)
		}
	}
	return cells
}

// promptBarricadeCell implements D6.
func (g *game) promptBarricadeCell(p *Position, _ *flow.Witness) bool {
	return g.decideCell(p, p.Now.Who, g.barricadeCells(p, p.Now.Who))
}

// actBarricadeCell implements R5.7 (Barricade): one barricade, up to three with the
// Guerrilla Garden.
func (g *game) actBarricadeCell(p *Position, _ *flow.Witness, a engine.Action) {
	c := CellID(a - ActCell)
	p.Now.Cell, p.Now.Barricades = c, 1
	if g.holds(p, p.Now.Who, opModifyAction, VerbBarricade, c) {
		_, e := g.standing(p, p.Now.Who, opModifyAction)
		p.Now.Barricades = e.Barricades
	}
	p.Step = barricadeArm
}

// promptBarricadeArm implements D7 and D29: arms in ascending order (R13.4), and DONE
// once there are enough.
func (g *game) promptBarricadeArm(p *Position, w *flow.Witness) bool {
	arms := g.freeArms(p, p.Now.Cell) >> p.Now.LeastArm << p.Now.LeastArm
	if p.Now.Barricades == 0 || arms == 0 {
		g.barricadesDone(p, w)
		return false
	}
	legal := p.Offer()
	legal.AddBits(ActArm, uint64(arms))
	if p.Now.Enough {
		legal.Add(ActDone)
	}
	return g.decide(p, p.Now.Who)
}

func (g *game) actBarricadeArm(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActDone {
		g.barricadesDone(p, w)
		return
	}
	arm := Arm(a - ActArm)
	g.buildBarricade(p, w, EndOf(p.Now.Cell, arm))
	p.Now.LeastArm, p.Now.Enough = arm, true
	p.Now.Barricades--
}

func (g *game) barricadesDone(p *Position, w *flow.Witness) {
	if p.Now.Verb == VerbBarricade {
		g.spend(p, w, 1)
	}
	p.Now.Fortifying = Fortifying{}
	p.stepDone()
}
