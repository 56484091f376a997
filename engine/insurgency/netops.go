package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// netOps implements R10 (Net Ops) for Fundraise, Recruit and Unrest: a type of
// space, rolled and chosen selections, payment, tests, and the effect.
func (g *game) netOps(p *Position, w *flow.Witness, f *OperationFrame) bool {
	switch f.Stage {
	case opBegin: // D5 (R10.2)
		p.decide(AskType, f.Side)
		for k := range uint8(numKinds) {
			p.allow(ActType + engine.Action(k))
		}
		return true
	case netRolling:
		if f.Net.Rolls == 0 {
			f.Stage = netChoosing
			return false
		}
		if f.Net.Kind == region {
			return p.wait(chanceRegion)
		}
		return p.wait(chanceMetro)
	case netChoosing:
		return g.chooseOrPay(p, w, f)
	case netTesting:
		return g.testSelected(p, w, f)
	case netApplying, netRecruiting, netRecruited:
		return g.applyNetOps(p, w, f)
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
func (g *game) beginRolls(p *Position, w *flow.Witness, f *OperationFrame) {
	dollars := int(p.Resources[f.Side])
	if f.Kind == fundraise || f.Terms.Free {
		dollars = maxSelected // a selection costs nothing
	}
	total, choices := Selections(p.Momentum, int(f.Net.Kind), int(f.Ops+g.rpf(p)), dollars, engine.Player(g.edge(p)))
	f.Net.Choices, f.Net.Rolls = uint8(choices), uint8(total-choices)
	if w != nil {
		w.All("selections", "R10.1", flow.Arg("type", kindNames[f.Net.Kind]), flow.Arg("total", total), flow.Arg("choices", choices))
	}
	f.Stage = netRolling
}

// chooseOrPay implements R10.4 (Q5) and D6: spaces are chosen after the rolls; then
// R10.5: the selections are paid for, Order spaces too.
func (g *game) chooseOrPay(p *Position, w *flow.Witness, f *OperationFrame) bool {
	if f.Net.Choices > 0 {
		p.decide(AskNetSpace, f.Side)
		p.allowSpaces((g.box.kinds[f.Net.Kind] & g.inPlay(p)).from(f.Net.Bound))
		p.allow(ActDone)
		return true
	}
	if f.Kind != fundraise {
		g.pay(p, w, f, "R10.5", f.Net.Count)
	}
	f.Stage, f.Net.At = netTesting, 0
	return false
}

// selectionRolled implements C4 and C5. A rolled selection comes before the chosen
// ones (R10.7), also where a choice was turned into a roll.
func (g *game) selectionRolled(p *Position, w *flow.Witness, a engine.Action) {
	f, face := &p.Op, a-outD20+1
	i := g.box.region[face]
	switch f.Net.Kind {
	case city:
		i = g.box.metroCity[face]
	case suburb:
		i = g.box.metroRing[face]
	}
	copy(f.Net.Selected[f.Net.Rolled+1:f.Net.Count+1], f.Net.Selected[f.Net.Rolled:f.Net.Count])
	f.Net.Selected[f.Net.Rolled] = i
	f.Net.Rolled++
	f.Net.Count++
	f.Net.Rolls--
	if w != nil {
		w.All("rolled", "R10.4", flow.Arg("die", int(face)), g.at(i))
	}
}

// testSelected implements R10.6: selected unmarked spaces are tested in the order
// of the selections as they are applied.
func (g *game) testSelected(p *Position, w *flow.Witness, f *OperationFrame) bool {
	for ; f.Net.At < f.Net.Count; f.Net.At++ {
		if p.needsTest(f.Net.Selected[f.Net.At]) {
			return false
		}
	}
	f.Stage, f.Net.At = netApplying, 0
	return false
}

// applyNetOps implements R10.7: the effect, once for every selection.
func (g *game) applyNetOps(p *Position, w *flow.Witness, f *OperationFrame) bool {
	switch f.Kind {
	case fundraise:
		for _, i := range f.Net.Selected[:f.Net.Count] {
			g.fundraiseIn(p, w, i)
		}
	case unrestOp:
		g.spreadUnrest(p, w, f)
	default:
		if f.Net.At < f.Net.Count {
			return g.recruitIn(p, w, f)
		}
	}
	p.endOperation()
	return false
}

// chooseType carries out D5.
func (g *game) chooseType(p *Position, w *flow.Witness, a engine.Action) {
	p.Op.Net.Kind = kind(a - ActType)
	g.beginRolls(p, w, &p.Op)
}

// chooseNetSpace carries out D6.
func (g *game) chooseNetSpace(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Op
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
