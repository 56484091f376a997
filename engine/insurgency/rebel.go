package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// fundraiseIn implements R11.1 (Fundraise): $2 for each population of a red space.
func (g *game) fundraiseIn(p *Position, w *flow.Witness, i SpaceID) {
	if s := p.Spaces[i].Status; s == defiance || s == revolt {
		g.gain(p, w, "R11.1", rebel, 2*g.box.spaces[i].population)
	}
}

// recruitIn implements R11.2 (Recruit) for one selection: R11.2.1 nothing in Order,
// R11.2.3 nothing in a plague space, else D7.
func (g *game) recruitIn(p *Position, w *flow.Witness, f *OperationFrame) bool {
	i := f.Net.Selected[f.Net.At]
	if f.Stage == netRecruited || p.Spaces[i].Status == order {
		f.Net.At++
		f.Stage = netApplying
		return false
	}
	f.Stage = netRecruiting
	p.decide(AskRecruit, f.Side)
	p.allow(ActDone)
	if i != p.Plague {
		p.allow(ActUnits)
		if g.canSwap(p, rebel, i) {
			p.allow(ActBase)
		}
	}
	return true
}

// canSwap implements R11.2.4 and R12.2.3: two units in the space, room for a base,
// and one in stock or to lift.
func (g *game) canSwap(p *Position, side Side, i SpaceID) bool {
	return p.units(side, i) >= 2 && g.roomForBase(p, i) && g.canGet(p, side, true, i)
}

// chooseRecruit implements R11.2.2: a militia and one more for each Rebel base; or
// R11.2.4: a base for two militia.
func (g *game) chooseRecruit(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Op
	i := f.Net.Selected[f.Net.At]
	switch a {
	case ActUnits:
		p.startPlacing(placeUnit, rebel, i, 1+p.Spaces[i].RebelBases)
	case ActBase:
		p.startPlacing(swapBase, rebel, i, 1)
	}
	f.Stage = netRecruited
}

// UnrestToShift implements R11.3.2: how much Unrest shifts a selected space of a status.
func (b *Box) UnrestToShift(status int) int { return int(b.cf[status]) + 1 }

// spreadUnrest implements R11.3 (Unrest): R11.3.1 a marker for each selection outside
// Order, up to three; then R11.3.2 (Q6, Q7, Q43) each selected space is checked once:
// Unrest above the Control Factor shifts it and goes.
func (g *game) spreadUnrest(p *Position, w *flow.Witness, f *OperationFrame) {
	var spaces SpaceSet
	for _, i := range f.Net.Selected[:f.Net.Count] {
		spaces |= 1 << i
		if p.Spaces[i].Status != order {
			g.addUnrest(p, w, "R11.3.1", i, 1)
		}
	}
	for ; spaces != 0; spaces &= spaces - 1 {
		i := spaces.First()
		if s := p.Spaces[i].Status; s != revolt && int(p.Spaces[i].Unrest) >= g.box.UnrestToShift(int(s)) {
			g.shift(p, w, "R11.3.2", i, 1)
			g.addUnrest(p, w, "R11.3.2", i, -int8(p.Spaces[i].Unrest))
		}
	}
}

// beginAttack implements R11.5 (Attack), R11.5.2 (Q15): the militia of the next space turn active,
// and each of them rolls.
func (g *game) beginAttack(p *Position, w *flow.Witness, f *OperationFrame) {
	i := f.Pick.Todo.First()
	g.turn(p, w, "R11.5.2", i, activeOnly)
	f.Attack.Dice, f.Attack.Hits, f.Stage = p.Spaces[i].Active, 0, rolling
}

// turn makes all militia of a space active, or sleepers (R3.1).
func (g *game) turn(p *Position, w *flow.Witness, rule string, i SpaceID, to militiaState) {
	old := p.Spaces[i].Active
	p.Spaces[i].Active, p.Spaces[i].Sleepers = 0, p.militiaAt(i)
	if to == activeOnly {
		p.Spaces[i].Active, p.Spaces[i].Sleepers = p.Spaces[i].Sleepers, 0
	}
	if w != nil && p.Spaces[i].Active != old {
		w.All("turned", rule, g.at(i), flow.Arg("sleepers", int(p.Spaces[i].Sleepers)), flow.Arg("active", int(p.Spaces[i].Active)))
	}
}

// rollAttack implements R11.5.3 once all dice are rolled: each hit removes a Federal
// piece, agents first, bases last; spare hits are lost.
func (g *game) rollAttack(p *Position, w *flow.Witness, f *OperationFrame) bool {
	if f.Attack.Dice > 0 {
		return p.wait(chanceAttack)
	}
	i := f.next()
	agents := min(f.Attack.Hits, p.Spaces[i].Agents)
	bases := min(f.Attack.Hits-agents, p.Spaces[i].FederalBases)
	p.removeAgents(i, agents)
	for range bases {
		p.removeBase(federal, i)
	}
	if w != nil {
		w.All("battle", "R11.5.3", g.at(i), flow.Arg("militia", int(p.Spaces[i].Active)), flow.Arg("hits", int(f.Attack.Hits)),
			flow.Arg("agents_lost", int(agents)), flow.Arg("bases_lost", int(bases)))
		if bases > 0 {
			g.tellPoints(p, w, "R5.1", [numSeats]int{-1, -1})
		}
	}
	f.Attack.Hits, f.Stage = 0, opCarrying
	g.checkMilitary(p, w)
	return false
}

// HitFaces implements R11.5.2 and R4.7: how many faces of a die are hits in space i while it
// is in a status. The roll less Ops, and changed by the terrain, must be at most the Control
// Factor.
func (b *Box) HitFaces(in MomentumSet, i, status, ops int) int {
	n := int(b.cf[status]) + ops - b.spaces[i].attack
	if in.Has(GhostGuns) {
		n++
	}
	return max(0, min(n, d6Faces))
}

// attackRolled carries out C6.
func (g *game) attackRolled(p *Position, w *flow.Witness, a engine.Action) {
	f, face := &p.Op, int(a-outD6)+1
	i := f.Pick.Todo.First()
	hit := face <= g.box.HitFaces(p.Momentum, int(i), int(p.Spaces[i].Status), int(f.Ops))
	if hit {
		f.Attack.Hits++
	}
	f.Attack.Dice--
	if w != nil {
		w.All("attack_die", "R11.5.2", g.at(i), flow.Arg("die", face), flow.Arg("hit", hit))
	}
}

// What a Surge needs (R11.6.1): dollars, and militia more than agents.
const (
	surgeCost   = 3
	SurgeMargin = 4
)

// chooseSurge implements R11.6 (Surge), R11.6.2: the militia turn active, the space
// shifts to Anger, Unrest stays (Q35).
func (g *game) chooseSurge(p *Position, w *flow.Witness, a engine.Action) {
	i := SpaceID(a - ActSpace)
	g.pay(p, w, &p.Op, "R11.6.1", uint8(g.box.Price(Surge, p.Momentum, int(p.Spaces[i].Status))))
	g.turn(p, w, "R11.6.2", i, activeOnly)
	g.shift(p, w, "R11.6.2", i, 1)
	p.endOperation()
}
