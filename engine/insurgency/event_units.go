package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// askForNumber implements D35 for convert: how many units of a space are replaced.
func (g *game) askForNumber(p *position, w *flow.Witness, in *step) bool {
	f := &p.event
	n := min(uint8(in.N.n), p.units(g.convertedSide(p, in), f.from))
	if n == 0 {
		g.converted(p)
		return false
	}
	p.decide(AskNumber, f.owner)
	p.allowAmounts(1, n)
	return true
}

// convertedSide returns whose units a convert step replaces.
func (g *game) convertedSide(p *position, in *step) uint8 {
	switch in.Target {
	case targetAgent:
		return federal
	case targetMilitia:
		return rebel
	}
	return 1 - p.event.owner
}

// converted goes on to the next space of a convert step.
func (g *game) converted(p *position) {
	f := &p.event
	f.todo &= f.todo - 1
	f.stage, f.from = stageEffect, noSpace
}

// chooseNumber carries out D35: units are replaced one for one (Q46), or
// relocated, sleepers before active militia.
func (g *game) chooseNumber(p *position, w *flow.Witness, a engine.Action) {
	f, n := &p.event, uint8(a-actAmount)
	in := g.instruction(f)
	if in.Op == opConvert {
		i := f.from
		g.converted(p)
		p.startPlacing(replaceUnit, 1-g.convertedSide(p, in), i, n)
		return
	}
	if f.asking == relocateUnits {
		f.sleepers, f.asking = n, relocateActive
		return
	}
	g.relocated(p, w, in, f.sleepers, n)
}

// relocateAsk is what a relocate step asks for, 0 before.
type relocateAsk uint8

const (
	relocateUnits  relocateAsk = iota + 1 // how many agents or sleepers
	relocateActive                        // how many active militia
)

// relocateStep moves units without cost, arrest or convoy: the origin (D34), the
// destination (D38), its test, and how many units (D35).
func (g *game) relocateStep(p *position, w *flow.Witness, in *step) bool {
	f := &p.event
	switch f.stage {
	case stageBegin:
		f.stage, f.left = stagePick, in.At.N
		return false
	case stagePick:
		return g.askForSpace(p, &in.At)
	case stageTest: // the origin is known, if there is one
		return g.findDestination(p, w, in)
	case stageEffect:
		f.stage, f.left, f.asking = stageMore, 0, relocateUnits
		p.needsTest(f.to)
		return false
	}
	return g.askHowMany(p, w, in)
}

// findDestination implements D38. The step is skipped if nothing can move or the
// destination is the plague space.
func (g *game) findDestination(p *position, w *flow.Witness, in *step) bool {
	f := &p.event
	side := in.side.of(f.owner)
	if f.cur == 0 || p.units(side, f.cur.first()) == 0 {
		f.advance()
		return false
	}
	from := f.cur.first()
	if in.dest.How == ownSuburb {
		to := g.box.spaces[from].other
		if to == p.plague {
			f.advance()
			return false
		}
		f.from, f.to, f.stage = from, to, stageEffect
		return false
	}
	set := g.matching(p, &in.dest.Filter) &^ (1 << from)
	if set == 0 {
		f.advance()
		return false
	}
	p.decide(AskRelocate, in.dest.By.of(f.owner))
	p.allowSpaces(set)
	if in.dest.Min == 0 {
		p.allow(actDone)
	}
	return true
}

// chooseRelocation carries out D38.
func (g *game) chooseRelocation(p *position, _ *flow.Witness, a engine.Action) {
	f := &p.event
	if a == actDone {
		f.advance()
		return
	}
	f.from, f.to, f.stage = f.cur.first(), uint8(a-actSpace), stageEffect
}

// askHowMany implements D35 for relocate: at least one unit in all, and of militia
// sleepers first, then active ones.
func (g *game) askHowMany(p *position, w *flow.Witness, in *step) bool {
	f := &p.event
	side := in.side.of(f.owner)
	units, active := p.spaces[f.from].Agents, uint8(0)
	if side == rebel {
		units, active = p.spaces[f.from].Sleepers, p.spaces[f.from].Active
	}
	if in.N.word == all {
		g.relocated(p, w, in, units, active)
		return false
	}
	low, high := uint8(1), min(uint8(in.N.n), units)
	if f.asking == relocateUnits {
		if units == 0 {
			f.asking = relocateActive
			return false
		}
		if active > 0 {
			low = 0
		}
	} else {
		low, high = atLeast(1, f.sleepers), min(uint8(in.N.n)-f.sleepers, active)
		if high == 0 {
			g.relocated(p, w, in, f.sleepers, 0)
			return false
		}
	}
	p.decide(AskNumber, f.owner)
	p.allowAmounts(low, high)
	return true
}

// relocated moves the units; militia keep their state (R3.2).
func (g *game) relocated(p *position, w *flow.Witness, in *step, units, active uint8) {
	f := &p.event
	from, to := f.from, f.to
	if w != nil {
		gr := group{from, to, units, active}
		g.tellMoved(w, "R14.1", in.side.of(f.owner), gr, gr)
	}
	if in.side.of(f.owner) == federal {
		p.spaces[from].Agents -= units
		p.spaces[to].Agents += units
	} else {
		p.spaces[from].Sleepers -= units
		p.spaces[to].Sleepers += units
		p.spaces[from].Active -= active
		p.spaces[to].Active += active
	}
	f.advance()
}
