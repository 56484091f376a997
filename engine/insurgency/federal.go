package insurgency

import "powderkeg/engine/flow"

// taxSpace implements R12.1 (Tax): $2 for each population, $1 under tax_revolt, and
// Unrest where no agent stands.
func (g *game) taxSpace(p *position, w *flow.Witness, f *opFrame) {
	i := f.next()
	rate := uint8(2)
	if p.has(taxRevolt) {
		rate = 1
	}
	g.gain(p, w, "R12.1", federal, rate*g.box.spaces[i].population)
	if p.agents[i] == 0 && !f.noUnrest {
		g.addUnrest(p, w, "R12.1", i, 1)
	}
}

// askForAgents implements R12.2 (Deploy), R12.2.2 (D17, Q12): agents in a selected space,
// up to Ops in all, or with deploy=each up to Ops in every one. Where none is left there
// is nothing to ask.
func (g *game) askForAgents(p *position, f *opFrame) bool {
	most := f.agentsLeft
	if g.deployEach {
		most = f.ops
	}
	if most == 0 {
		f.next()
		return false
	}
	p.decide(askAgents, f.side)
	p.allowAmounts(0, most)
	return true
}

// askForSwap implements R12.2.3 and R12.2.4 (D18): when all agents are placed, two of
// them may become a base in one selected space, or with deploy=each in every one. NO
// leaves the base open to the next space.
func (g *game) askForSwap(p *position, w *flow.Witness, f *opFrame) bool {
	if f.todo == 0 || f.baseChosen && !g.deployEach {
		p.endOperation()
		return false
	}
	if !g.canSwap(p, federal, f.todo.first()) {
		f.next()
		return false
	}
	p.decide(askSwap, f.side)
	p.legal.add(actYes)
	p.legal.add(actNo)
	return true
}

// chooseDeploy carries out D17 and D18. Agents count as chosen, and the base as made, also
// if a piece is then not lifted (R12.2.2, R12.2.3, R-14).
func (g *game) chooseDeploy(p *position, w *flow.Witness, a uint8) {
	f := &p.op
	i := f.next()
	switch {
	case p.ask == askAgents:
		n := a - actAmount
		if !g.deployEach {
			f.agentsLeft -= n
		}
		p.startPlacing(placeUnit, federal, i, n)
	case a == actYes:
		f.baseChosen = true
		p.startPlacing(swapBase, federal, i, 1)
	}
}

// huntCost implements R12.4.1: $1 and the Control Factor; $1 with fusion_centers.
func (g *game) huntCost(p *position, i uint8) uint8 {
	if p.has(fusionCenters) {
		return 1
	}
	return 1 + g.box.cf[p.status[i]]
}

// huntEffects implements R12.4.2: how many pieces the agents of a space affect.
func (g *game) huntEffects(p *position, i uint8) uint8 {
	s := &g.box.spaces[i]
	if s.kind == city && p.has(iot) {
		return p.agents[i]
	}
	return p.agents[i] / s.perEffect
}

// huntable implements R12.4 (Hunt), R12.4.1 (D19): a Rebel piece, agents for an effect, and the
// money for it.
func (g *game) huntable(p *position, f *opFrame, set spaceSet) spaceSet {
	if p.has(ceasefire) {
		return 0
	}
	set &= p.withUnits(federal) & (p.withUnits(rebel) | p.withBases(rebel))
	for rest := set; rest != 0; rest &= rest - 1 {
		i := rest.first()
		if p.status[i] == unmarked || g.huntEffects(p, i) == 0 || !p.canPay(f, g.huntCost(p, i)) {
			set &^= 1 << i
		}
	}
	return set
}

// huntSpace implements R12.4.3 (Q11): active militia go, then sleepers are turned,
// then, if every militia has been affected, bases go. No piece is affected twice.
func (g *game) huntSpace(p *position, w *flow.Witness, f *opFrame) {
	i := f.next()
	effects := g.huntEffects(p, i)
	gone := min(effects, p.active[i])
	turned := min(effects-gone, p.sleepers[i])
	bases := min(effects-gone-turned, p.rebBases[i])
	p.active[i] += turned - gone
	p.sleepers[i] -= turned
	p.onMap[militia] -= gone
	for range bases {
		p.removeBase(rebel, i)
	}
	if w != nil {
		w.All("hunted", "R12.4.3", g.at(i), flow.Arg("effects", int(effects)), flow.Arg("removed", int(gone)),
			flow.Arg("turned", int(turned)), flow.Arg("bases_lost", int(bases)))
	}
	g.checkMilitary(p, w)
}

// pacifiable implements R12.5 (Pacify), R12.5.1 (D20): Federal control and Unrest.
func (g *game) pacifiable(p *position, set spaceSet) spaceSet {
	for rest := set; rest != 0; rest &= rest - 1 {
		if i := rest.first(); p.unrest[i] == 0 || p.control(i) != federal {
			set &^= 1 << i
		}
	}
	return set
}

// pacifySpace implements R12.5.2.
func (g *game) pacifySpace(p *position, w *flow.Witness, f *opFrame) {
	g.addUnrest(p, w, "R12.5.2", f.next(), -int8(f.ops))
}

// What Secure needs (R12.6.1).
const (
	secureCost   = 2 // and the Control Factor
	secureMargin = 3 // agents more than militia; an event may ask for fewer
)

// securable implements R12.6.1 (D21): status with a Control Factor up to the Ops, no
// Unrest, enough agents and money. Bases do not count.
func (g *game) securable(p *position, f *opFrame, set spaceSet) spaceSet {
	set &= p.withStatus(1<<anger|1<<defiance|1<<revolt) & p.withUnits(federal)
	for rest := set; rest != 0; rest &= rest - 1 {
		i := rest.first()
		cf := g.box.cf[p.status[i]]
		if cf > f.ops || p.unrest[i] > 0 || !p.canPay(f, cf+secureCost) {
			set &^= 1 << i
		}
	}
	return p.outnumbered(set, int(f.margin))
}

// chooseSecure implements R12.6 (Secure), R12.6.2.
func (g *game) chooseSecure(p *position, w *flow.Witness, i uint8) {
	g.pay(p, w, &p.op, "R12.6.1", g.box.cf[p.status[i]]+secureCost)
	g.shift(p, w, "R12.6.2", i, -1)
	p.endOperation()
}
