package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// TaxYield implements R12.1: $2 for each population, $1 under tax_revolt.
func (b *Box) TaxYield(in MomentumSet, i int) int {
	if in.Has(TaxRevolt) {
		return int(b.spaces[i].population)
	}
	return 2 * int(b.spaces[i].population)
}

// taxSpace implements R12.1 (Tax): dollars, and Unrest where no agent stands.
func (g *game) taxSpace(p *Position, w *flow.Witness, f *OperationFrame) {
	i := f.next()
	g.gain(p, w, "R12.1", federal, uint8(g.box.TaxYield(p.Momentum, int(i))))
	if p.Spaces[i].Agents == 0 && !f.Terms.NoUnrest {
		g.addUnrest(p, w, "R12.1", i, 1)
	}
}

// askForAgents implements R12.2 (Deploy), R12.2.2 (D17, Q12): agents in a selected space,
// up to Ops in all, or with deploy=each up to Ops in every one. Where none is left there
// is nothing to ask.
func (g *game) askForAgents(p *Position, f *OperationFrame) bool {
	most := f.Deploy.AgentsLeft
	if g.deployEach {
		most = f.Ops
	}
	if most == 0 {
		f.next()
		return false
	}
	p.decide(AskAgents, f.Side)
	p.allowAmounts(0, most)
	return true
}

// askForSwap implements R12.2.3 and R12.2.4 (D18): when all agents are placed, two of
// them may become a base in one selected space, or with deploy=each in every one. NO
// leaves the base open to the next space.
func (g *game) askForSwap(p *Position, w *flow.Witness, f *OperationFrame) bool {
	if f.Pick.Todo == 0 || f.Deploy.BaseChosen && !g.deployEach {
		p.endOperation()
		return false
	}
	if !g.canSwap(p, federal, f.Pick.Todo.First()) {
		f.next()
		return false
	}
	p.decide(AskSwap, f.Side)
	p.allow(ActYes)
	p.allow(ActNo)
	return true
}

// chooseAgents carries out D17. Agents count as chosen also if one is then not lifted
// (R12.2.2, R-14).
func (g *game) chooseAgents(p *Position, _ *flow.Witness, a engine.Action) {
	f, n := &p.Op, uint8(a-ActAmount)
	if !g.deployEach {
		f.Deploy.AgentsLeft -= n
	}
	p.startPlacing(placeUnit, federal, f.next(), n)
}

// chooseSwap carries out D18. The base counts as made also if it is then not lifted
// (R12.2.3, R-14).
func (g *game) chooseSwap(p *Position, _ *flow.Witness, a engine.Action) {
	i := p.Op.next()
	if a == ActYes {
		p.Op.Deploy.BaseChosen = true
		p.startPlacing(swapBase, federal, i, 1)
	}
}

// HuntEffects implements R12.4.2: how many pieces so many agents affect in space i.
func (b *Box) HuntEffects(in MomentumSet, i, agents int) int {
	s := &b.spaces[i]
	if s.kind == city && in.Has(InternetOfThings) {
		return agents
	}
	return agents / int(s.perEffect)
}

// Hunted implements R12.4.3 (Q11): active militia go, then sleepers are turned, then, if
// every militia has been affected, bases go. No piece is affected twice.
func Hunted(effects, active, sleepers, bases int) (removed, turned, lost int) {
	removed = min(effects, active)
	turned = min(effects-removed, sleepers)
	return removed, turned, min(effects-removed-turned, bases)
}

// huntSpace implements R12.4 (Hunt) in one space.
func (g *game) huntSpace(p *Position, w *flow.Witness, f *OperationFrame) {
	i := f.next()
	effects := g.box.HuntEffects(p.Momentum, int(i), int(p.Spaces[i].Agents))
	gone, turned, bases := Hunted(effects, int(p.Spaces[i].Active), int(p.Spaces[i].Sleepers), int(p.Spaces[i].RebelBases))
	p.Spaces[i].Active += uint8(turned) - uint8(gone)
	p.Spaces[i].Sleepers -= uint8(turned)
	p.OnMap[militia] -= uint8(gone)
	for range bases {
		p.removeBase(rebel, i)
	}
	if w != nil {
		w.All("hunted", "R12.4.3", g.at(i), flow.Arg("effects", effects), flow.Arg("removed", gone),
			flow.Arg("turned", turned), flow.Arg("bases_lost", bases))
		if bases > 0 {
			g.tellPoints(p, w, "R5.1", [numSeats]int{-1, -1})
		}
	}
	g.checkMilitary(p, w)
}

// pacifySpace implements R12.5 (Pacify), R12.5.2.
func (g *game) pacifySpace(p *Position, w *flow.Witness, f *OperationFrame) {
	g.addUnrest(p, w, "R12.5.2", f.next(), -int8(f.Ops))
}

// What a Secure needs (R12.6.1): dollars beside the Control Factor, and agents more than
// militia, of which an event may ask for fewer.
const (
	secureCost   = 2
	SecureMargin = 3
)

// chooseSecure implements R12.6 (Secure), R12.6.2.
func (g *game) chooseSecure(p *Position, w *flow.Witness, a engine.Action) {
	i := SpaceID(a - ActSpace)
	g.pay(p, w, &p.Op, "R12.6.1", uint8(g.box.Price(Secure, p.Momentum, int(p.Spaces[i].Status))))
	g.shift(p, w, "R12.6.2", i, -1)
	p.endOperation()
}
