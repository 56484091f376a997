package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// askForNumber implements D35 for convert: how many units of a space are replaced.
func (g *game) askForNumber(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	n := min(uint8(in.N.n), p.units(g.convertedSide(p, in), f.Convert))
	if n == 0 {
		g.converted(p)
		return false
	}
	p.decide(AskNumber, f.Owner)
	p.allowAmounts(1, n)
	return true
}

// convertedSide returns whose units a convert step replaces.
func (g *game) convertedSide(p *Position, in *step) Side {
	switch in.Target {
	case targetAgent:
		return federal
	case targetMilitia:
		return rebel
	}
	return 1 - p.Event.Owner
}

// converted goes on to the next space of a convert step.
func (g *game) converted(p *Position) {
	f := &p.Event
	f.Todo &= f.Todo - 1
	f.Stage, f.Convert = stageEffect, noSpace
}

// chooseNumber carries out D35: units are replaced one for one (Q46), or
// relocated, sleepers before active militia.
func (g *game) chooseNumber(p *Position, w *flow.Witness, a engine.Action) {
	f, n := &p.Event, uint8(a-ActAmount)
	in := g.instruction(f)
	if in.Op == opConvert {
		i := f.Convert
		g.converted(p)
		p.startPlacing(replaceUnit, 1-g.convertedSide(p, in), i, n)
		return
	}
	if f.Relocate.Asking == relocateUnits {
		f.Relocate.Sleepers, f.Relocate.Asking = n, relocateActive
		return
	}
	g.relocated(p, w, in, f.Relocate.Sleepers, n)
}

// relocateAsk is what a relocate step asks for, 0 before.
type relocateAsk uint8

const (
	relocateUnits  relocateAsk = iota + 1 // how many agents or sleepers
	relocateActive                        // how many active militia
)

var relocateNames = []string{"", "units", "active"}

// relocateStep moves units without cost, arrest or convoy: the origin (D34), the
// destination (D38), its test, and how many units (D35).
func (g *game) relocateStep(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	switch f.Stage {
	case stageBegin:
		f.Stage, f.Left = stagePick, in.At.N
		return false
	case stagePick:
		return g.askForSpace(p, &in.At)
	case stageTest: // the origin is known, if there is one
		return g.findDestination(p, w, in)
	case stageEffect:
		f.Stage, f.Left, f.Relocate.Asking = stageMore, 0, relocateUnits
		p.needsTest(f.Relocate.To)
		return false
	}
	return g.askHowMany(p, w, in)
}

// findDestination implements D38. The step is skipped if nothing can move or the
// destination is the plague space.
func (g *game) findDestination(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	side := in.side.of(f.Owner)
	if f.Cur == 0 || p.units(side, f.Cur.First()) == 0 {
		f.advance()
		return false
	}
	from := f.Cur.First()
	if in.dest.How == ownSuburb {
		to := g.box.spaces[from].other
		if to == p.Plague {
			f.advance()
			return false
		}
		f.Relocate.From, f.Relocate.To, f.Stage = from, to, stageEffect
		return false
	}
	set := g.matching(p, &in.dest.Filter) &^ (1 << from)
	if set == 0 {
		f.advance()
		return false
	}
	p.decide(AskRelocate, in.dest.By.of(f.Owner))
	p.allowSpaces(set)
	if in.dest.Min == 0 {
		p.allow(ActDone)
	}
	return true
}

// chooseRelocation carries out D38.
func (g *game) chooseRelocation(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Event
	if a == ActDone {
		f.advance()
		return
	}
	f.Relocate.From, f.Relocate.To, f.Stage = f.Cur.First(), SpaceID(a-ActSpace), stageEffect
}

// askHowMany implements D35 for relocate: at least one unit in all, and of militia
// sleepers first, then active ones.
func (g *game) askHowMany(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	side := in.side.of(f.Owner)
	units, active := p.Spaces[f.Relocate.From].Agents, uint8(0)
	if side == rebel {
		units, active = p.Spaces[f.Relocate.From].Sleepers, p.Spaces[f.Relocate.From].Active
	}
	if in.N.word == all {
		g.relocated(p, w, in, units, active)
		return false
	}
	low, high := uint8(1), min(uint8(in.N.n), units)
	if f.Relocate.Asking == relocateUnits {
		if units == 0 {
			f.Relocate.Asking = relocateActive
			return false
		}
		if active > 0 {
			low = 0
		}
	} else {
		low, high = atLeast(1, f.Relocate.Sleepers), min(uint8(in.N.n)-f.Relocate.Sleepers, active)
		if high == 0 {
			g.relocated(p, w, in, f.Relocate.Sleepers, 0)
			return false
		}
	}
	p.decide(AskNumber, f.Owner)
	p.allowAmounts(low, high)
	return true
}

// relocated moves the units; militia keep their state (R3.2).
func (g *game) relocated(p *Position, w *flow.Witness, in *step, units, active uint8) {
	f := &p.Event
	from, to := f.Relocate.From, f.Relocate.To
	if w != nil {
		gr := Group{from, to, units, active}
		g.tellMoved(w, "R14.1", in.side.of(f.Owner), gr, gr)
	}
	if in.side.of(f.Owner) == federal {
		p.Spaces[from].Agents -= units
		p.Spaces[to].Agents += units
	} else {
		p.Spaces[from].Sleepers -= units
		p.Spaces[to].Sleepers += units
		p.Spaces[from].Active -= active
		p.Spaces[to].Active += active
	}
	f.advance()
}
