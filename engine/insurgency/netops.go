package insurgency

import (
	"powderkeg/engine"
)

// netOps implements R10 (Net Ops) for Fundraise, Recruit and Unrest: a type of
// space, rolled and chosen selections, payment, tests, and the effect.
func (b Board) netOps(f *OperationFrame) bool {
	switch f.Stage {
	case opBegin: // D5 (R10.2)
		b.decide(AskType, f.Side)
		for k := range uint8(numKinds) {
			b.allow(ActType + engine.Action(k))
		}
		return true
	case netRolling:
		if f.Net.Rolls == 0 {
			f.Stage = netChoosing
			return false
		}
		if f.Net.Kind == region {
			return b.wait(chanceRegion)
		}
		return b.wait(chanceMetro)
	case netChoosing:
		return b.chooseOrPay(f)
	case netTesting:
		return b.testSelected(f)
	case netApplying, netRecruiting, netRecruited:
		return b.applyNetOps(f)
	}
	panic("insurgency: Net Ops in an unknown stage")
}

// Selections implements R10.1 and R10.3: Total Operations on a kind of spaces, of which
// the Rebel may choose one with the Edge, two with Analytics; the others are rolled. n is
// the Ops with the Rebellion Power Factor; each selection costs one of the dollars (Q4).
func Selections(in MomentumSet, spaces, n, dollars int, edge engine.Player) (total, choices int) {
	if kind(spaces) == region {
		if in.Has(BroadbandPlus) {
			n++
		}
		if in.Has(BroadbandMinus) {
			n = max(n-1, 1)
		}
	}
	total = min(n, dollars)
	switch {
	case edge != Rebel:
		return total, 0
	case in.Has(Analytics):
		return total, min(2, total)
	}
	return total, min(1, total)
}

// beginRolls begins the selections of Net Ops.
func (b Board) beginRolls(f *OperationFrame) {
	dollars := int(b.Resources[f.Side])
	if f.Kind == fundraise || f.Terms.Free {
		dollars = maxSelected // a selection costs nothing
	}
	total, choices := Selections(b.Momentum, int(f.Net.Kind), int(f.Ops+b.rpf()), dollars, engine.Player(b.edge()))
	f.Net.Choices, f.Net.Rolls = uint8(choices), uint8(total-choices)
	if b.w != nil {
		b.tell(selectionsCounted, "R10.1", f.Net.Kind, total, choices)
	}
	f.Stage = netRolling
}

// chooseOrPay implements R10.4 (Q5) and D6: spaces are chosen after the rolls; then
// R10.5: the selections are paid for, Order spaces too.
func (b Board) chooseOrPay(f *OperationFrame) bool {
	if f.Net.Choices > 0 {
		b.decide(AskNetSpace, f.Side)
		b.allowSpaces((b.box.kinds[f.Net.Kind] & b.inPlay()).from(f.Net.Bound))
		b.allow(ActDone)
		return true
	}
	if f.Kind != fundraise {
		b.pay(f, "R10.5", f.Net.Count)
	}
	f.Stage, f.Net.At = netTesting, 0
	return false
}

// selectionRolled implements C4 and C5. A rolled selection comes before the chosen
// ones (R10.7), also where a choice was turned into a roll.
func (b Board) selectionRolled(a engine.Action) {
	f, face := &b.Op, a-outD20+1
	i := b.box.region[face]
	switch f.Net.Kind {
	case city:
		i = b.box.metroCity[face]
	case suburb:
		i = b.box.metroRing[face]
	}
	copy(f.Net.Selected[f.Net.Rolled+1:f.Net.Count+1], f.Net.Selected[f.Net.Rolled:f.Net.Count])
	f.Net.Selected[f.Net.Rolled] = i
	f.Net.Rolled++
	f.Net.Count++
	f.Net.Rolls--
	b.tell(spaceRolled, "R10.4", int(face), i)
}

// testSelected implements R10.6: selected unmarked spaces are tested in the order
// of the selections as they are applied.
func (b Board) testSelected(f *OperationFrame) bool {
	for ; f.Net.At < f.Net.Count; f.Net.At++ {
		if b.needsTest(f.Net.Selected[f.Net.At]) {
			return false
		}
	}
	f.Stage, f.Net.At = netApplying, 0
	return false
}

// applyNetOps implements R10.7: the effect, once for every selection.
func (b Board) applyNetOps(f *OperationFrame) bool {
	switch f.Kind {
	case fundraise:
		for _, i := range f.Net.Selected[:f.Net.Count] {
			b.fundraiseIn(i)
		}
	case unrestOp:
		b.spreadUnrest(f)
	default:
		if f.Net.At < f.Net.Count {
			return b.recruitIn(f)
		}
	}
	b.endOperation()
	return false
}

// chooseType carries out D5.
func (b Board) chooseType(a engine.Action) {
	b.Op.Net.Kind = kind(a - ActType)
	b.beginRolls(&b.Op)
}

// chooseNetSpace carries out D6.
func (b Board) chooseNetSpace(a engine.Action) {
	f := &b.Op
	f.Net.Choices--
	if a == ActDone {
		f.Net.Rolls++
		f.Stage = netRolling
		return
	}
	f.Net.Bound = SpaceID(a - ActSpace)
	f.Net.Selected[f.Net.Count] = f.Net.Bound
	f.Net.Count++
}
