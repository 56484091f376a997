package insurgency

// spaceStep carries out an op on a selection of spaces: the selection is made,
// its unmarked targets are tested, and the effect follows space by space. To turn militia or
// to name a space is no target.
func (g *game) spaceStep(p *position, in *instr) bool {
	f := &p.event
	switch f.stage {
	case stageBegin:
		g.beginSelection(p, in)
		return false
	case stagePick:
		return g.askForSpace(p, &in.at)
	case stageTest:
		if !in.untested && in.op != opTest && in.op != opSelect && in.op != opFlip {
			for rest := f.cur & p.withStatus(1<<unmarked); rest != 0; rest &= rest - 1 {
				if i := rest.first(); (in.at.how == choose || g.changes(p, in, i)) && p.needsTest(i) {
					return false
				}
			}
		}
		f.stage, f.todo = stageEffect, f.cur
		return false
	case stageMore:
		return g.askForNumber(p, in)
	}
	if f.todo == 0 {
		if in.op == opMomentum { // the owner puts it into play
			p.startMomentum(in.key, f.owner)
		}
		f.advance()
		return false
	}
	i := f.todo.first()
	if in.op == opConvert {
		f.stage, f.from = stageMore, i
		return false
	}
	f.todo &= f.todo - 1
	g.affect(p, in, i)
	return false
}

// beginSelection starts a selection; one that leaves nothing to pick is complete at
// once.
func (g *game) beginSelection(p *position, in *instr) {
	f, s := &p.event, &in.at
	f.stage = stageTest
	switch s.how {
	case choose:
		if in.op == opMomentum { // no spaces at all
			return
		}
		f.stage, f.left = stagePick, s.n
	case allOf:
		f.cur = g.matching(p, &s.filter)
	case fixed:
		f.cur = s.ids & g.inPlay(p)
	case ref:
		f.cur = f.named[s.ref]
	}
}

// askForSpace implements D34 (R7.2, R14.1): up to n different spaces in ascending
// order. DONE is possible once min are picked.
func (g *game) askForSpace(p *position, s *selector) bool {
	f := &p.event
	set := g.matching(p, &s.filter).from(f.bound)
	if f.left == 0 || set == 0 {
		g.selected(p, s)
		return false
	}
	p.decide(askSpace, s.by.of(f.owner))
	p.allowSpaces(set)
	if f.cur.count() >= int(s.min) {
		p.legal.add(actDone)
	}
	return true
}

// selected ends a selection, which may be kept for later.
func (g *game) selected(p *position, s *selector) {
	f := &p.event
	f.stage, f.left = stageTest, 0
	if s.as != noName {
		f.named[s.as] = f.cur
	}
}

// pickSpace carries out D34.
func (g *game) pickSpace(p *position, in *instr, a uint8) {
	f := &p.event
	switch {
	case in.split:
		g.pickPiece(p, in, a)
	case a == actDone:
		g.selected(p, &in.at)
	default:
		i := a - actSpace
		f.cur |= 1 << i
		f.bound = i + 1
		f.left--
	}
}

// changes implements R14.3: whether a step would change something in a space. A
// space of a list in which it does not is no target.
func (g *game) changes(p *position, in *instr, i uint8) bool {
	switch in.op {
	case opPlace:
		return g.canPlace(p, in, i)
	case opRemove:
		agents, militia, bases := g.removed(p, in, i)
		return agents+militia+bases > 0
	case opUnrest:
		return in.clear && p.unrest[i] > 0 || in.dir > 0 && p.unrest[i] < g.box.maxUnrest || in.dir < 0 && p.unrest[i] > 0
	case opMomentum:
		return true // its marker is placed
	}
	return false // shift: an unmarked space has no status to shift
}

// canPlace implements R14.5 for spaces that the card fixes: none out of play, no unit
// in the plague space, no third base, and a piece to place.
func (g *game) canPlace(p *position, in *instr, i uint8) bool {
	if !g.inPlay(p).has(i) || !in.base && i == p.plague || in.base && !g.roomForBase(p, i) {
		return false
	}
	return g.canGet(p, in.side.of(p.event.owner), in.base, i)
}

// affect carries out the effect in one space.
func (g *game) affect(p *position, in *instr, i uint8) {
	f := &p.event
	switch in.op {
	case opPlace:
		if g.canPlace(p, in, i) {
			k := placeUnit
			if in.base {
				k = placeBase
			}
			p.startPlacing(k, in.side.of(f.owner), i, in.n)
		}
	case opRemove:
		g.removeFrom(p, in, i)
	case opShift:
		if in.dir == 0 {
			g.toggle(p, i)
		} else {
			p.shift(i, in.dir)
		}
	case opTest:
		p.testing = i
	case opUnrest:
		if in.clear {
			p.unrest[i] = 0
		} else {
			g.addUnrest(p, i, in.dir)
		}
	case opFlip:
		n := p.militiaAt(i)
		if in.state == activeOnly {
			p.active[i], p.sleepers[i] = n, 0
		} else {
			p.active[i], p.sleepers[i] = 0, n
		}
	case opMomentum:
		p.plague = i
	}
}

// removed implements R14.6 (Q23): how many agents, militia and bases a remove step
// takes from a space.
func (g *game) removed(p *position, in *instr, i uint8) (agents, militia, bases uint8) {
	there := p.militiaAt(i)
	switch in.state {
	case activeOnly:
		there = p.active[i]
	case sleeperOnly:
		there = p.sleepers[i]
	}
	count := func(n uint8) uint8 {
		switch {
		case in.all:
			return n
		case in.half:
			return (n + 1) / 2
		}
		return min(n, in.n)
	}
	t := in.target
	if t == targetEnemy {
		t = [numSeats]target{rebel: targetAgent, federal: targetMilitia}[p.event.owner]
	}
	switch t {
	case targetAgent:
		return count(p.agents[i]), 0, 0
	case targetMilitia:
		return 0, count(there), 0
	case targetUnit:
		return count(p.agents[i]), count(there), 0
	case targetFederalBase:
		return 0, 0, count(p.fedBases[i])
	default:
		return 0, 0, count(p.rebBases[i])
	}
}

// removeFrom takes pieces from a space, those of both sides at once (R5.2).
func (g *game) removeFrom(p *position, in *instr, i uint8) {
	agents, n, bases := g.removed(p, in, i)
	p.removeAgents(i, agents)
	switch in.state {
	case activeOnly:
		p.active[i] -= n
		p.onMap[militia] -= n
	case sleeperOnly:
		p.sleepers[i] -= n
		p.onMap[militia] -= n
	default:
		p.removeMilitia(i, n, p.event.owner)
	}
	side := rebel
	if in.target == targetFederalBase {
		side = federal
	}
	for range bases {
		p.removeBase(side, i)
	}
	g.checkMilitary(p)
}

// splitStep carries out a step piece by piece: a space is picked before each
// piece, and the index may repeat but not fall (R7.2). Where the stock is empty the piece is
// then lifted or not.
func (g *game) splitStep(p *position, in *instr) bool {
	f := &p.event
	switch f.stage {
	case stageBegin:
		f.stage, f.left = stagePick, in.n
	case stageTest: // the first piece comes to the space (R14.3)
		f.stage = stageEffect
		p.needsTest(f.to)
	case stageEffect:
		f.stage = stagePick
		g.affectOnce(p, in, f.to)
	default:
		set := g.matching(p, &in.at.filter).from(f.bound)
		if f.left == 0 || set == 0 {
			f.advance()
			return false
		}
		p.decide(askSpace, in.at.by.of(f.owner))
		p.allowSpaces(set)
		p.legal.add(actDone)
		return true
	}
	return false
}

// pickPiece carries out D34 of a split step.
func (g *game) pickPiece(p *position, in *instr, a uint8) {
	f := &p.event
	if a == actDone {
		f.left = 0
		return
	}
	f.to = a - actSpace
	f.bound = f.to
	f.left--
	f.stage = stageTest
}

// affectOnce places or removes one piece.
func (g *game) affectOnce(p *position, in *instr, i uint8) {
	one := *in
	one.n = 1
	g.affect(p, &one, i)
}
