package bloc

import (
	"powderkeg/engine"
)

// promptSource implements R5.3 (Movement) and D3: a district with own blocs and no police, or
// for Smoke Bombs (R11.3) one with police. Cities are connected, so there is always somewhere
// to go.
func (b Board) promptSource() bool {
	return b.decideCell(b.Now.Who, b.sources(b.Now.Who, b.fromClash()))
}

// sources returns the districts that a move can begin in.
func (p *Position) sources(f FactionID, fromClash bool) CellSet {
	if fromClash {
		return p.With[f] & p.Police
	}
	return p.With[f] &^ p.Police
}

// fromClash reports whether the move under way is one out of a clash (R5.4).
func (b Board) fromClash() bool { return b.Now.Program == Program(CardSmokeBombs) }

func (b Board) actSource(a engine.Action) {
	b.Now.From = CellID(a - ActCell)
	b.Step = moveCount
}

// promptCount implements R5.3 and D4.
func (b Board) promptCount() bool {
	legal := b.Offer()
	legal.AddBits(ActCount, uint64(1<<b.Blocs[b.Now.Who][b.Now.From]-1))
	return b.decide(b.Now.Who)
}

func (b Board) actCount(a engine.Action) {
	b.Now.Blocs = uint8(a - ActCount + 1)
	b.Step = moveDestination
}

// promptDestination implements R5.3 and D5.
func (b Board) promptDestination() bool {
	return b.decideCell(b.Now.Who, b.Reach(b.Now.From))
}

// actDestination implements R5.3: the blocs move, and the die is spent now.
func (b Board) actDestination(a engine.Action) {
	b.moveBlocs(b.Now.Who, b.Now.From, CellID(a-ActCell), b.Now.Blocs)
	if b.Now.Verb == VerbMove {
		b.spend(1)
	}
	b.Now.Movement = clearPending.Movement
	b.stepDone()
}

// barricadeCells implements the precondition of BARRICADE in R5.2: a bloc of the faction that
// is not in a clash, room on a connection, and a barricade in the pile. The Guerrilla Garden
// does not replace it (Ruling 19).
func (b Board) barricadeCells(f FactionID) CellSet {
	cells := CellSet(0)
	for s := b.With[f] &^ b.Police; s != 0; s &= s - 1 {
		if c := s.First(); b.freeArms(c) != 0 {
			cells |= at(c)
		}
	}
	return cells
}

// promptBarricadeCell implements D6.
func (b Board) promptBarricadeCell() bool {
	return b.decideCell(b.Now.Who, b.barricadeCells(b.Now.Who))
}

// actBarricadeCell implements R5.7 (Barricade): one barricade, up to three with the
// Guerrilla Garden.
func (b Board) actBarricadeCell(a engine.Action) {
	c := CellID(a - ActCell)
	b.Now.Cell, b.Now.Barricades = c, 1
	if b.holds(b.Now.Who, opModifyAction, VerbBarricade, c) {
		_, e := b.standing(b.Now.Who, opModifyAction)
		b.Now.Barricades = e.Barricades
	}
	b.Step = barricadeArm
}

// promptBarricadeArm implements D7 and D29: arms in ascending order (R13.4), and DONE
// once there are enough.
func (b Board) promptBarricadeArm() bool {
	arms := b.freeArms(b.Now.Cell) >> b.Now.LeastArm << b.Now.LeastArm
	if b.Now.Barricades == 0 || arms == 0 {
		b.barricadesDone()
		return false
	}
	legal := b.Offer()
	legal.AddBits(ActArm, uint64(arms))
	if b.Now.Enough {
		legal.Add(ActDone)
	}
	return b.decide(b.Now.Who)
}

func (b Board) actBarricadeArm(a engine.Action) {
	if a == ActDone {
		b.barricadesDone()
		return
	}
	arm := Arm(a - ActArm)
	b.buildBarricade(EndOf(b.Now.Cell, arm))
	b.Now.LeastArm, b.Now.Enough = arm, true
	b.Now.Barricades--
}

func (b Board) barricadesDone() {
	if b.Now.Verb == VerbBarricade {
		b.spend(1)
	}
	b.Now.Fortifying = Fortifying{}
	b.stepDone()
}
