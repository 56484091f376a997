package insurgency

import (
	"powderkeg/engine"
)

// spaceStep carries out an op on a selection of spaces: the selection is made,
// its unmarked targets are tested, and the effect follows space by space. To turn militia or
// to name a space is no target.
func (b Board) spaceStep(in *step) bool {
	f := &b.Event
	if in.split() {
		return b.splitStep(in)
	}
	switch f.Stage {
	case stageBegin:
		b.beginSelection(in)
		return false
	case stagePick:
		return b.askForSpace(&in.At)
	case stageTest:
		if !in.untested && in.Op != opTest && in.Op != opSelect && in.Op != opFlip {
			for rest := f.Cur & b.withStatus(1<<unmarked); rest != 0; rest &= rest - 1 {
				if i := rest.First(); (in.At.How == choose || b.changes(in, i)) && b.needsTest(i) {
					return false
				}
			}
		}
		f.Stage, f.Todo = stageEffect, f.Cur
		return false
	case stageMore:
		return b.askForNumber(in)
	}
	if f.Todo == 0 {
		if in.Op == opMomentum && (in.Key != Plague || f.Cur != 0) {
			b.putIntoPlay(in.Key)
		}
		f.advance()
		return false
	}
	i := f.Todo.First()
	if in.Op == opConvert {
		f.Stage, f.Convert = stageMore, i
		return false
	}
	f.Todo &= f.Todo - 1
	b.affect(in, in.N, i)
	return false
}

// beginSelection starts a selection; one that leaves nothing to pick is complete at
// once.
func (b Board) beginSelection(in *step) {
	f, s := &b.Event, &in.At
	f.Stage = stageTest
	switch s.How {
	case choose:
		if in.Op == opMomentum { // no spaces at all
			return
		}
		f.Stage, f.Left = stagePick, s.N
	case allOf:
		f.Cur = b.matching(&s.Filter)
	case fixed:
		f.Cur = s.ids & b.inPlay()
	case ref:
		f.Cur = f.kept(s.Ref)
	}
}

// askForSpace implements D34 (R7.2, R14.1): up to n different spaces in ascending
// order. DONE is possible once min are picked.
func (b Board) askForSpace(s *selector) bool {
	f := &b.Event
	set := b.matching(&s.Filter).from(f.Bound)
	if f.Left == 0 || set == 0 {
		b.selected(s)
		return false
	}
	b.decide(AskSpace, s.By.of(f.Owner))
	b.allowSpaces(set)
	if f.Cur.Count() >= int(s.Min) {
		b.allow(ActDone)
	}
	return true
}

// selected ends a selection, which may be kept for later.
func (b Board) selected(s *selector) {
	f := &b.Event
	f.Stage, f.Left = stageTest, 0
	if s.As != 0 {
		f.Named[s.As-1] = f.Cur
	}
}

// chooseSpace carries out D34.
func (b Board) chooseSpace(a engine.Action) {
	f := &b.Event
	in := b.instruction(f)
	switch {
	case in.split():
		b.pickPiece(a)
	case a == ActDone:
		b.selected(&in.At)
	default:
		i := SpaceID(a - ActSpace)
		f.Cur |= 1 << i
		f.Bound = i + 1
		f.Left--
	}
}

// changes implements R14.3: whether a step would change something in a space. A
// space of a list in which it does not is no target.
func (b Board) changes(in *step, i SpaceID) bool {
	switch in.Op {
	case opPlace:
		return b.canPlace(in, i)
	case opRemove:
		agents, militia, bases := b.removed(in, in.N, i)
		return agents+militia+bases > 0
	case opUnrest:
		return b.Spaces[i].Unrest > 0 && (in.N.n < 0 || in.N.word == clearing) || in.N.n > 0 && b.Spaces[i].Unrest < b.box.maxUnrest
	case opMomentum:
		return true // its marker is placed
	}
	return false // shift: an unmarked space has no status to shift
}

// canPlace implements R14.5 for spaces that the card fixes: none out of play, no unit
// in the plague space, no third base, and a piece to place.
func (b Board) canPlace(in *step, i SpaceID) bool {
	if !b.inPlay().Has(i) || in.Piece == aUnit && i == b.Plague || in.Piece == aBase && !b.roomForBase(i) {
		return false
	}
	return b.canGet(in.side.of(b.Event.Owner), in.Piece == aBase, i)
}

// affect carries out the effect in one space; n is how many pieces it is about.
func (b Board) affect(in *step, n quantity, i SpaceID) {
	f := &b.Event
	switch in.Op {
	case opPlace:
		if b.canPlace(in, i) {
			k := placeUnit
			if in.Piece == aBase {
				k = placeBase
			}
			b.startPlacing(k, in.side.of(f.Owner), i, uint8(n.n))
		}
	case opRemove:
		b.removeFrom(in, n, i)
	case opShift:
		if in.Dir == toggles {
			b.toggle("R14.1", i)
		} else {
			b.shift("R14.1", i, int8(in.Dir)-int8(toggles))
		}
	case opTest:
		b.Testing = i
	case opUnrest:
		n := in.N.n
		if in.N.word == clearing {
			n = -int8(b.Spaces[i].Unrest)
		}
		b.addUnrest("R14.1", i, n)
	case opFlip:
		b.turn("R14.1", i, in.State)
	}
}

// putIntoPlay implements R8.7: the event's owner puts it into play, the plague in the space
// that is selected. There is one copy of each card. If a position that was read has it in
// play and lets it come again, what it had in play ends.
func (b Board) putIntoPlay(key MomentumKey) {
	for k := range numMomentum {
		if b.has(k) && b.box.momentum[k].card == b.box.momentum[key].card {
			b.endMomentum(k)
		}
	}
	before := b.power()
	b.startMomentum(key, b.Event.Owner)
	if key == Plague {
		b.Plague = b.Event.Cur.First()
		b.Spaces[b.Plague].Plague = true
	}
	b.tellMomentum(key)
	b.tellPower(before)
}

// removed implements R14.6 (Q23): how many agents, militia and bases a remove step
// takes from a space.
func (b Board) removed(in *step, n quantity, i SpaceID) (agents, militia, bases uint8) {
	there := b.militiaAt(i)
	switch in.State {
	case activeOnly:
		there = b.Spaces[i].Active
	case sleeperOnly:
		there = b.Spaces[i].Sleepers
	}
	t := in.Target
	if t == targetEnemy {
		t = [numSeats]target{rebel: targetAgent, federal: targetMilitia}[b.Event.Owner]
	}
	switch t {
	case targetAgent:
		return n.of(b.Spaces[i].Agents), 0, 0
	case targetMilitia:
		return 0, n.of(there), 0
	case targetUnit:
		return n.of(b.Spaces[i].Agents), n.of(there), 0
	case targetFederalBase:
		return 0, 0, n.of(b.Spaces[i].FederalBases)
	default:
		return 0, 0, n.of(b.Spaces[i].RebelBases)
	}
}

// removeFrom takes pieces from a space, those of both sides at once (R5.2).
func (b Board) removeFrom(in *step, n quantity, i SpaceID) {
	agents, units, bases := b.removed(in, n, i)
	before := b.piecesAt(i)
	b.removeAgents(i, agents)
	switch in.State {
	case activeOnly:
		b.Spaces[i].Active -= units
		b.OnMap[militia] -= units
	case sleeperOnly:
		b.Spaces[i].Sleepers -= units
		b.OnMap[militia] -= units
	default:
		b.removeMilitia(i, units, b.Event.Owner)
	}
	side := rebel
	if in.Target == targetFederalBase {
		side = federal
	}
	for range bases {
		b.removeBase(side, i)
	}
	b.tellPieces("R14.6", i, before)
	b.checkMilitary()
}

// splitStep carries out a step piece by piece: a space is picked before each
// piece, and the index may repeat but not fall (R7.2). Where the stock is empty the piece is
// then lifted or not.
func (b Board) splitStep(in *step) bool {
	f := &b.Event
	switch f.Stage {
	case stageBegin:
		f.Stage, f.Left = stagePick, in.most()
	case stageTest: // the first piece comes to the space (R14.3)
		f.Stage = stageEffect
		b.needsTest(f.Split)
	case stageEffect:
		f.Stage = stagePick
		b.affect(in, quantity{n: 1}, f.Split)
	default:
		set := b.matching(&in.At.Filter).from(f.Bound)
		if f.Left == 0 || set == 0 {
			f.advance()
			return false
		}
		b.decide(AskSpace, in.At.By.of(f.Owner))
		b.allowSpaces(set)
		b.allow(ActDone)
		return true
	}
	return false
}

// pickPiece carries out D34 of a split step.
func (b Board) pickPiece(a engine.Action) {
	f := &b.Event
	if a == ActDone {
		f.Left = 0
		return
	}
	f.Split = SpaceID(a - ActSpace)
	f.Bound = f.Split
	f.Left--
	f.Stage = stageTest
}
