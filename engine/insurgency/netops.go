package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// netOps implements R10 (Net Ops) for Fundraise, Recruit and Unrest: a type of
// space, rolled and chosen selections, payment, tests, and the effect.
func (g *game) netOps(p *position, w *flow.Witness, f *opFrame) bool {
	switch f.stage {
	case opBegin: // D5 (R10.2)
		p.decide(AskType, f.side)
		for k := range uint8(numKinds) {
			p.allow(actType + engine.Action(k))
		}
		return true
	case netRolling:
		if f.rolls == 0 {
			f.stage = netChoosing
			return false
		}
		if f.typ == region {
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
func (g *game) beginRolls(p *position, w *flow.Witness, f *opFrame) {
	dollars := int(p.resources[f.side])
	if f.kind == fundraise || f.free {
		dollars = maxSelected // a selection costs nothing
	}
	total, choices := Selections(p.momentum, int(f.typ), int(f.ops+g.rpf(p)), dollars, engine.Player(g.edge(p)))
	f.choices, f.rolls = uint8(choices), uint8(total-choices)
	if w != nil {
		w.All("selections", "R10.1", flow.Arg("type", kindNames[f.typ]), flow.Arg("total", total), flow.Arg("choices", choices))
	}
	f.stage = netRolling
}

// chooseOrPay implements R10.4 (Q5) and D6: spaces are chosen after the rolls; then
// R10.5: the selections are paid for, Order spaces too.
func (g *game) chooseOrPay(p *position, w *flow.Witness, f *opFrame) bool {
	if f.choices > 0 {
		p.decide(AskNetSpace, f.side)
		p.allowSpaces((g.box.kinds[f.typ] & g.inPlay(p)).from(f.bound))
		p.allow(actDone)
		return true
	}
	if f.kind != fundraise {
		g.pay(p, w, f, "R10.5", f.count)
	}
	f.stage, f.at = netTesting, 0
	return false
}

// selectionRolled implements C4 and C5. A rolled selection comes before the chosen
// ones (R10.7), also where a choice was turned into a roll.
func (g *game) selectionRolled(p *position, w *flow.Witness, a engine.Action) {
	f, face := &p.op, a-outD20+1
	i := g.box.region[face]
	switch f.typ {
	case city:
		i = g.box.metroCity[face]
	case suburb:
		i = g.box.metroRing[face]
	}
	copy(f.selected[f.rolled+1:f.count+1], f.selected[f.rolled:f.count])
	f.selected[f.rolled] = i
	f.rolled++
	f.count++
	f.rolls--
	if w != nil {
		w.All("rolled", "R10.4", flow.Arg("die", int(face)), g.at(i))
	}
}

// testSelected implements R10.6: selected unmarked spaces are tested in the order
// of the selections as they are applied.
func (g *game) testSelected(p *position, w *flow.Witness, f *opFrame) bool {
	for ; f.at < f.count; f.at++ {
		if p.needsTest(f.selected[f.at]) {
			return false
		}
	}
	f.stage, f.at = netApplying, 0
	return false
}

// applyNetOps implements R10.7: the effect, once for every selection.
func (g *game) applyNetOps(p *position, w *flow.Witness, f *opFrame) bool {
	switch f.kind {
	case fundraise:
		for _, i := range f.selected[:f.count] {
			g.fundraiseIn(p, w, i)
		}
	case unrestOp:
		g.spreadUnrest(p, w, f)
	default:
		if f.at < f.count {
			return g.recruitIn(p, w, f)
		}
	}
	p.endOperation()
	return false
}

// chooseType carries out D5.
func (g *game) chooseType(p *position, w *flow.Witness, a engine.Action) {
	p.op.typ = kind(a - actType)
	g.beginRolls(p, w, &p.op)
}

// chooseNetSpace carries out D6.
func (g *game) chooseNetSpace(p *position, _ *flow.Witness, a engine.Action) {
	f := &p.op
	f.choices--
	if a == actDone {
		f.rolls++
		f.stage = netRolling
		return
	}
	f.bound = uint8(a - actSpace)
	f.selected[f.count] = f.bound
	f.count++
}
