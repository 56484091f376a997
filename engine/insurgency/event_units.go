package insurgency

import (
	"powderkeg/engine"
)

// askForNumber implements D35 for convert: how many units of a space are replaced.
func (b Board) askForNumber(in *step) bool {
	f := &b.Event
	n := min(uint8(in.N.n), b.units(b.convertedSide(in), f.Convert))
	if n == 0 {
		b.converted()
		return false
	}
	b.decide(AskNumber, f.Owner)
	b.allowAmounts(1, n)
	return true
}

// convertedSide returns whose units a convert step replaces.
func (b Board) convertedSide(in *step) Side {
	switch in.Target {
	case targetAgent:
		return federal
	case targetMilitia:
		return rebel
	}
	return 1 - b.Event.Owner
}

// converted goes on to the next space of a convert step.
func (b Board) converted() {
	f := &b.Event
	f.Todo &= f.Todo - 1
	f.Stage, f.Convert = stageEffect, noSpace
}

// chooseNumber carries out D35: units are replaced one for one (Q46), or
// relocated, sleepers before active militia.
func (b Board) chooseNumber(a engine.Action) {
	f, n := &b.Event, uint8(a-ActAmount)
	in := b.instruction(f)
	if in.Op == opConvert {
		i := f.Convert
		b.converted()
		b.startPlacing(replaceUnit, 1-b.convertedSide(in), i, n)
		return
	}
	if f.Relocate.Asking == relocateUnits {
		f.Relocate.Sleepers, f.Relocate.Asking = n, relocateActive
		return
	}
	b.relocated(in, f.Relocate.Sleepers, n)
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
func (b Board) relocateStep(in *step) bool {
	f := &b.Event
	switch f.Stage {
	case stageBegin:
		f.Stage, f.Left = stagePick, in.At.N
		return false
	case stagePick:
		return b.askForSpace(&in.At)
	case stageTest: // the origin is known, if there is one
		return b.findDestination(in)
	case stageEffect:
		f.Stage, f.Left, f.Relocate.Asking = stageMore, 0, relocateUnits
		b.needsTest(f.Relocate.To)
		return false
	}
	return b.askHowMany(in)
}

// findDestination implements D38. The step is skipped if nothing can move or the
// destination is the plague space.
func (b Board) findDestination(in *step) bool {
	f := &b.Event
	side := in.side.of(f.Owner)
	if f.Cur == 0 || b.units(side, f.Cur.First()) == 0 {
		f.advance()
		return false
	}
	from := f.Cur.First()
	if in.dest.How == ownSuburb {
		to := b.box.spaces[from].other
		if to == b.Plague {
			f.advance()
			return false
		}
		f.Relocate.From, f.Relocate.To, f.Stage = from, to, stageEffect
		return false
	}
	set := b.matching(&in.dest.Filter) &^ (1 << from)
	if set == 0 {
		f.advance()
		return false
	}
	b.decide(AskRelocate, in.dest.By.of(f.Owner))
	b.allowSpaces(set)
	if in.dest.Min == 0 {
		b.allow(ActDone)
	}
	return true
}

// chooseRelocation carries out D38.
func (b Board) chooseRelocation(a engine.Action) {
	f := &b.Event
	if a == ActDone {
		f.advance()
		return
	}
	f.Relocate.From, f.Relocate.To, f.Stage = f.Cur.First(), SpaceID(a-ActSpace), stageEffect
}

// askHowMany implements D35 for relocate: at least one unit in all, and of militia
// sleepers first, then active ones.
func (b Board) askHowMany(in *step) bool {
	f := &b.Event
	side := in.side.of(f.Owner)
	units, active := b.Spaces[f.Relocate.From].Agents, uint8(0)
	if side == rebel {
		units, active = b.Spaces[f.Relocate.From].Sleepers, b.Spaces[f.Relocate.From].Active
	}
	if in.N.word == all {
		b.relocated(in, units, active)
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
			b.relocated(in, f.Relocate.Sleepers, 0)
			return false
		}
	}
	b.decide(AskNumber, f.Owner)
	b.allowAmounts(low, high)
	return true
}

// relocated moves the units; militia keep their state (R3.2).
func (b Board) relocated(in *step, units, active uint8) {
	f := &b.Event
	from, to := f.Relocate.From, f.Relocate.To
	if b.w != nil {
		gr := Group{from, to, units, active}
		b.tellMoved("R14.1", in.side.of(f.Owner), gr, gr)
	}
	if in.side.of(f.Owner) == federal {
		b.Spaces[from].Agents -= units
		b.Spaces[to].Agents += units
	} else {
		b.Spaces[from].Sleepers -= units
		b.Spaces[to].Sleepers += units
		b.Spaces[from].Active -= active
		b.Spaces[to].Active += active
	}
	f.advance()
}
