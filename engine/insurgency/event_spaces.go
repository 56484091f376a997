package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// spaceStep carries out an op on a selection of spaces: the selection is made,
// its unmarked targets are tested, and the effect follows space by space. To turn militia or
// to name a space is no target.
func (g *game) spaceStep(p *position, w *flow.Witness, in *step) bool {
	f := &p.event
	if in.split() {
		return g.splitStep(p, w, in)
	}
	switch f.stage {
	case stageBegin:
		g.beginSelection(p, in)
		return false
	case stagePick:
		return g.askForSpace(p, &in.At)
	case stageTest:
		if !in.untested && in.Op != opTest && in.Op != opSelect && in.Op != opFlip {
			for rest := f.cur & p.withStatus(1<<unmarked); rest != 0; rest &= rest - 1 {
				if i := rest.first(); (in.At.How == choose || g.changes(p, in, i)) && p.needsTest(i) {
					return false
				}
			}
		}
		f.stage, f.todo = stageEffect, f.cur
		return false
	case stageMore:
		return g.askForNumber(p, w, in)
	}
	if f.todo == 0 {
		if in.Op == opMomentum { // the owner puts it into play
			before := g.power(p)
			p.startMomentum(in.Key, f.owner)
			g.tellMomentum(p, w, in.Key)
			g.tellPower(p, w, before)
		}
		f.advance()
		return false
	}
	i := f.todo.first()
	if in.Op == opConvert {
		f.stage, f.from = stageMore, i
		return false
	}
	f.todo &= f.todo - 1
	g.affect(p, w, in, in.N, i)
	return false
}

// beginSelection starts a selection; one that leaves nothing to pick is complete at
// once.
func (g *game) beginSelection(p *position, in *step) {
	f, s := &p.event, &in.At
	f.stage = stageTest
	switch s.How {
	case choose:
		if in.Op == opMomentum { // no spaces at all
			return
		}
		f.stage, f.left = stagePick, s.N
	case allOf:
		f.cur = g.matching(p, &s.Filter)
	case fixed:
		f.cur = s.ids & g.inPlay(p)
	case ref:
		f.cur = f.kept(s.Ref)
	}
}

// askForSpace implements D34 (R7.2, R14.1): up to n different spaces in ascending
// order. DONE is possible once min are picked.
func (g *game) askForSpace(p *position, s *selector) bool {
	f := &p.event
	set := g.matching(p, &s.Filter).from(f.bound)
	if f.left == 0 || set == 0 {
		g.selected(p, s)
		return false
	}
	p.decide(AskSpace, s.By.of(f.owner))
	p.allowSpaces(set)
	if f.cur.count() >= int(s.Min) {
		p.allow(actDone)
	}
	return true
}

// selected ends a selection, which may be kept for later.
func (g *game) selected(p *position, s *selector) {
	f := &p.event
	f.stage, f.left = stageTest, 0
	if s.As != 0 {
		f.named[s.As-1] = f.cur
	}
}

// chooseSpace carries out D34.
func (g *game) chooseSpace(p *position, _ *flow.Witness, a engine.Action) {
	f := &p.event
	in := g.instruction(f)
	switch {
	case in.split():
		g.pickPiece(p, a)
	case a == actDone:
		g.selected(p, &in.At)
	default:
		i := uint8(a - actSpace)
		f.cur |= 1 << i
		f.bound = i + 1
		f.left--
	}
}

// changes implements R14.3: whether a step would change something in a space. A
// space of a list in which it does not is no target.
func (g *game) changes(p *position, in *step, i uint8) bool {
	switch in.Op {
	case opPlace:
		return g.canPlace(p, in, i)
	case opRemove:
		agents, militia, bases := g.removed(p, in, in.N, i)
		return agents+militia+bases > 0
	case opUnrest:
		return p.spaces[i].Unrest > 0 && (in.N.n < 0 || in.N.word == clearing) || in.N.n > 0 && p.spaces[i].Unrest < g.box.maxUnrest
	case opMomentum:
		return true // its marker is placed
	}
	return false // shift: an unmarked space has no status to shift
}

// canPlace implements R14.5 for spaces that the card fixes: none out of play, no unit
// in the plague space, no third base, and a piece to place.
func (g *game) canPlace(p *position, in *step, i uint8) bool {
	if !g.inPlay(p).has(i) || in.Piece == aUnit && i == p.plague || in.Piece == aBase && !g.roomForBase(p, i) {
		return false
	}
	return g.canGet(p, in.side.of(p.event.owner), in.Piece == aBase, i)
}

// affect carries out the effect in one space; n is how many pieces it is about.
func (g *game) affect(p *position, w *flow.Witness, in *step, n quantity, i uint8) {
	f := &p.event
	switch in.Op {
	case opPlace:
		if g.canPlace(p, in, i) {
			k := placeUnit
			if in.Piece == aBase {
				k = placeBase
			}
			p.startPlacing(k, in.side.of(f.owner), i, uint8(n.n))
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
		p.testing = i
	case opUnrest:
		n := in.N.n
		if in.N.word == clearing {
			n = -int8(p.spaces[i].Unrest)
		}
		g.addUnrest(p, w, "R14.1", i, n)
	case opFlip:
		g.turn(p, w, "R14.1", i, in.State)
	case opMomentum:
		p.plague, p.spaces[i].Plague = i, true
	}
}

// removed implements R14.6 (Q23): how many agents, militia and bases a remove step
// takes from a space.
func (g *game) removed(p *position, in *step, n quantity, i uint8) (agents, militia, bases uint8) {
	there := p.militiaAt(i)
	switch in.State {
	case activeOnly:
		there = p.spaces[i].Active
	case sleeperOnly:
		there = p.spaces[i].Sleepers
	}
	t := in.Target
	if t == targetEnemy {
		t = [numSeats]target{rebel: targetAgent, federal: targetMilitia}[p.event.owner]
	}
	switch t {
	case targetAgent:
		return n.of(p.spaces[i].Agents), 0, 0
	case targetMilitia:
		return 0, n.of(there), 0
	case targetUnit:
		return n.of(p.spaces[i].Agents), n.of(there), 0
	case targetFederalBase:
		return 0, 0, n.of(p.spaces[i].FederalBases)
	default:
		return 0, 0, n.of(p.spaces[i].RebelBases)
	}
}

// removeFrom takes pieces from a space, those of both sides at once (R5.2).
func (g *game) removeFrom(p *position, w *flow.Witness, in *step, n quantity, i uint8) {
	agents, units, bases := g.removed(p, in, n, i)
	before := p.piecesAt(i)
	p.removeAgents(i, agents)
	switch in.State {
	case activeOnly:
		p.spaces[i].Active -= units
		p.onMap[militia] -= units
	case sleeperOnly:
		p.spaces[i].Sleepers -= units
		p.onMap[militia] -= units
	default:
		p.removeMilitia(i, units, p.event.owner)
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
func (g *game) splitStep(p *position, w *flow.Witness, in *step) bool {
	f := &p.event
	switch f.stage {
	case stageBegin:
		f.stage, f.left = stagePick, in.most()
	case stageTest: // the first piece comes to the space (R14.3)
		f.stage = stageEffect
		p.needsTest(f.to)
	case stageEffect:
		f.stage = stagePick
		g.affect(p, w, in, quantity{n: 1}, f.to)
	default:
		set := g.matching(p, &in.At.Filter).from(f.bound)
		if f.left == 0 || set == 0 {
			f.advance()
			return false
		}
		p.decide(AskSpace, in.At.By.of(f.owner))
		p.allowSpaces(set)
		p.allow(actDone)
		return true
	}
	return false
}

// pickPiece carries out D34 of a split step.
func (g *game) pickPiece(p *position, a engine.Action) {
	f := &p.event
	if a == actDone {
		f.left = 0
		return
	}
	f.to = uint8(a - actSpace)
	f.bound = f.to
	f.left--
	f.stage = stageTest
}
