package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// spaceStep carries out an op on a selection of spaces: the selection is made,
// its unmarked targets are tested, and the effect follows space by space. To turn militia or
// to name a space is no target.
func (g *game) spaceStep(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	if in.split() {
		return g.splitStep(p, w, in)
	}
	switch f.Stage {
	case stageBegin:
		g.beginSelection(p, in)
		return false
	case stagePick:
		return g.askForSpace(p, &in.At)
	case stageTest:
		if !in.untested && in.Op != opTest && in.Op != opSelect && in.Op != opFlip {
			for rest := f.Cur & p.withStatus(1<<unmarked); rest != 0; rest &= rest - 1 {
				if i := rest.First(); (in.At.How == choose || g.changes(p, in, i)) && p.needsTest(i) {
					return false
				}
			}
		}
		f.Stage, f.Todo = stageEffect, f.Cur
		return false
	case stageMore:
		return g.askForNumber(p, w, in)
	}
	if f.Todo == 0 {
		if in.Op == opMomentum && (in.Key != Plague || f.Cur != 0) {
			g.putIntoPlay(p, w, in.Key)
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
	g.affect(p, w, in, in.N, i)
	return false
}

// beginSelection starts a selection; one that leaves nothing to pick is complete at
// once.
func (g *game) beginSelection(p *Position, in *step) {
	f, s := &p.Event, &in.At
	f.Stage = stageTest
	switch s.How {
	case choose:
		if in.Op == opMomentum { // no spaces at all
			return
		}
		f.Stage, f.Left = stagePick, s.N
	case allOf:
		f.Cur = g.matching(p, &s.Filter)
	case fixed:
		f.Cur = s.ids & g.inPlay(p)
	case ref:
		f.Cur = f.kept(s.Ref)
	}
}

// askForSpace implements D34 (R7.2, R14.1): up to n different spaces in ascending
// order. DONE is possible once min are picked.
func (g *game) askForSpace(p *Position, s *selector) bool {
	f := &p.Event
	set := g.matching(p, &s.Filter).from(f.Bound)
	if f.Left == 0 || set == 0 {
		g.selected(p, s)
		return false
	}
	p.decide(AskSpace, s.By.of(f.Owner))
	p.allowSpaces(set)
	if f.Cur.Count() >= int(s.Min) {
		p.allow(ActDone)
	}
	return true
}

// selected ends a selection, which may be kept for later.
func (g *game) selected(p *Position, s *selector) {
	f := &p.Event
	f.Stage, f.Left = stageTest, 0
	if s.As != 0 {
		f.Named[s.As-1] = f.Cur
	}
}

// chooseSpace carries out D34.
func (g *game) chooseSpace(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Event
	in := g.instruction(f)
	switch {
	case in.split():
		g.pickPiece(p, a)
	case a == ActDone:
		g.selected(p, &in.At)
	default:
		i := SpaceID(a - ActSpace)
		f.Cur |= 1 << i
		f.Bound = i + 1
		f.Left--
	}
}

// changes implements R14.3: whether a step would change something in a space. A
// space of a list in which it does not is no target.
func (g *game) changes(p *Position, in *step, i SpaceID) bool {
	switch in.Op {
	case opPlace:
		return g.canPlace(p, in, i)
	case opRemove:
		agents, militia, bases := g.removed(p, in, in.N, i)
		return agents+militia+bases > 0
	case opUnrest:
		return p.Spaces[i].Unrest > 0 && (in.N.n < 0 || in.N.word == clearing) || in.N.n > 0 && p.Spaces[i].Unrest < g.box.maxUnrest
	case opMomentum:
		return true // its marker is placed
	}
	return false // shift: an unmarked space has no status to shift
}

// canPlace implements R14.5 for spaces that the card fixes: none out of play, no unit
// in the plague space, no third base, and a piece to place.
func (g *game) canPlace(p *Position, in *step, i SpaceID) bool {
	if !g.inPlay(p).Has(i) || in.Piece == aUnit && i == p.Plague || in.Piece == aBase && !g.roomForBase(p, i) {
		return false
	}
	return g.canGet(p, in.side.of(p.Event.Owner), in.Piece == aBase, i)
}

// affect carries out the effect in one space; n is how many pieces it is about.
func (g *game) affect(p *Position, w *flow.Witness, in *step, n quantity, i SpaceID) {
	f := &p.Event
	switch in.Op {
	case opPlace:
		if g.canPlace(p, in, i) {
			k := placeUnit
			if in.Piece == aBase {
				k = placeBase
			}
			p.startPlacing(k, in.side.of(f.Owner), i, uint8(n.n))
		}
	case opRemove:
		g.removeFrom(p, w, in, n, i)
	case opShift:
		if in.Dir == toggles {
			g.toggle(p, w, "R14.1", i)
		} else {
			g.shift(p, w, "R14.1", i, int8(in.Dir)-int8(toggles))
		}
	case opTest:
		p.Testing = i
	case opUnrest:
		n := in.N.n
		if in.N.word == clearing {
			n = -int8(p.Spaces[i].Unrest)
		}
		g.addUnrest(p, w, "R14.1", i, n)
	case opFlip:
		g.turn(p, w, "R14.1", i, in.State)
	}
}

// putIntoPlay implements R8.7: the event's owner puts it into play, the plague in the space
// that is selected. There is one copy of each card. If a position that was read has it in
// play and lets it come again, what it had in play ends.
func (g *game) putIntoPlay(p *Position, w *flow.Witness, key MomentumKey) {
	for k := range numMomentum {
		if p.has(k) && g.box.momentum[k].card == g.box.momentum[key].card {
			g.endMomentum(p, w, k)
		}
	}
	before := g.power(p)
	p.startMomentum(key, p.Event.Owner)
	if key == Plague {
		p.Plague = p.Event.Cur.First()
		p.Spaces[p.Plague].Plague = true
	}
	g.tellMomentum(p, w, key)
	g.tellPower(p, w, before)
}

// removed implements R14.6 (Q23): how many agents, militia and bases a remove step
// takes from a space.
func (g *game) removed(p *Position, in *step, n quantity, i SpaceID) (agents, militia, bases uint8) {
	there := p.militiaAt(i)
	switch in.State {
	case activeOnly:
		there = p.Spaces[i].Active
	case sleeperOnly:
		there = p.Spaces[i].Sleepers
	}
	t := in.Target
	if t == targetEnemy {
		t = [numSeats]target{rebel: targetAgent, federal: targetMilitia}[p.Event.Owner]
	}
	switch t {
	case targetAgent:
		return n.of(p.Spaces[i].Agents), 0, 0
	case targetMilitia:
		return 0, n.of(there), 0
	case targetUnit:
		return n.of(p.Spaces[i].Agents), n.of(there), 0
	case targetFederalBase:
		return 0, 0, n.of(p.Spaces[i].FederalBases)
	default:
		return 0, 0, n.of(p.Spaces[i].RebelBases)
	}
}

// removeFrom takes pieces from a space, those of both sides at once (R5.2).
func (g *game) removeFrom(p *Position, w *flow.Witness, in *step, n quantity, i SpaceID) {
	agents, units, bases := g.removed(p, in, n, i)
	before := p.piecesAt(i)
	p.removeAgents(i, agents)
	switch in.State {
	case activeOnly:
		p.Spaces[i].Active -= units
		p.OnMap[militia] -= units
	case sleeperOnly:
		p.Spaces[i].Sleepers -= units
		p.OnMap[militia] -= units
	default:
		p.removeMilitia(i, units, p.Event.Owner)
	}
	side := rebel
	if in.Target == targetFederalBase {
		side = federal
	}
	for range bases {
		p.removeBase(side, i)
	}
	g.tellPieces(p, w, "R14.6", i, before)
	g.checkMilitary(p, w)
}

// splitStep carries out a step piece by piece: a space is picked before each
// piece, and the index may repeat but not fall (R7.2). Where the stock is empty the piece is
// then lifted or not.
func (g *game) splitStep(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	switch f.Stage {
	case stageBegin:
		f.Stage, f.Left = stagePick, in.most()
	case stageTest: // the first piece comes to the space (R14.3)
		f.Stage = stageEffect
		p.needsTest(f.Split)
	case stageEffect:
		f.Stage = stagePick
		g.affect(p, w, in, quantity{n: 1}, f.Split)
	default:
		set := g.matching(p, &in.At.Filter).from(f.Bound)
		if f.Left == 0 || set == 0 {
			f.advance()
			return false
		}
		p.decide(AskSpace, in.At.By.of(f.Owner))
		p.allowSpaces(set)
		p.allow(ActDone)
		return true
	}
	return false
}

// pickPiece carries out D34 of a split step.
func (g *game) pickPiece(p *Position, a engine.Action) {
	f := &p.Event
	if a == ActDone {
		f.Left = 0
		return
	}
	f.Split = SpaceID(a - ActSpace)
	f.Bound = f.Split
	f.Left--
	f.Stage = stageTest
}
