package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// move implements R11.4 and R12.3 (Move): up to Ops groups are chosen, each by D9, D10,
// D11 and D12; then all are paid, and then they move one after the other (R7.2, Q9). So
// no arrest and no test on arrival is known while a group is chosen.
func (g *game) move(p *position, w *flow.Witness, f *opFrame) bool {
	switch f.stage {
	case opBegin:
		return g.askForOrigin(p, w, f)
	case moveTo:
		p.decide(AskDestination, f.side)
		p.allowSpaces(g.destinations(p, f, f.from, false))
		return true
	case moveUnits:
		return g.askForUnits(p, f)
	case moveActive:
		return g.askForActive(p, f)
	}
	if f.moved == f.numGroups {
		p.endOperation()
		return false
	}
	g.moveGroup(p, w, f)
	return false
}

// askForOrigin implements D9 and R11.4.1 (R12.3.1): another group, or DONE.
func (g *game) askForOrigin(p *position, w *flow.Witness, f *opFrame) bool {
	var set spaceSet
	if f.numGroups < f.ops {
		set = g.origins(p, f, false)
	}
	if set == 0 {
		g.payGroups(p, w, f)
		return false
	}
	p.decide(AskOrigin, f.side)
	p.allowSpaces(set)
	p.allow(actDone)
	return true
}

// unchosen implements R11.4.1 and R12.3.4 (Q9): units of a space that are in no group
// yet, active militia apart.
func (p *position) unchosen(f *opFrame, i uint8) (units, active uint8) {
	units, active = p.spaces[i].Agents, 0
	if f.side == rebel {
		units, active = p.spaces[i].Sleepers, p.spaces[i].Active
	}
	for _, gr := range f.groups[:f.numGroups] {
		if gr.from == i {
			units -= gr.units
			active -= gr.active
		}
	}
	return units, active
}

// origins returns the spaces that a group can leave (D9; bases never move, R3.3), in canonical order: not
// below the last origin (R7.2). With one it stops at the first one found.
func (g *game) origins(p *position, f *opFrame, one bool) spaceSet {
	var found spaceSet
	set := p.withUnits(f.side) & g.inPlay(p)
	if f.numGroups > 0 {
		set = set.from(f.groups[f.numGroups-1].from)
	}
	for ; set != 0; set &= set - 1 {
		i := set.first()
		units, active := p.unchosen(f, i)
		if units+active == 0 || g.destinations(p, f, i, true) == 0 {
			continue
		}
		if found |= 1 << i; one {
			return found
		}
	}
	return found
}

// destinations implements D10, R11.4.3 and R12.3.2: where a group from a space may
// go: into a space in play without plague and blizzard, to which it can pay, either
// next to the origin or by road. What the groups chosen before cost is paid too. A second
// group from one origin goes to a higher index than the first (R7.2). With one it
// returns some of them, if there are any.
func (g *game) destinations(p *position, f *opFrame, from uint8, one bool) spaceSet {
	open := g.inPlay(p) &^ (1 << from)
	if p.has(Blizzard) {
		open &^= g.box.blizzard
	}
	if p.plague != noSpace {
		open &^= 1 << p.plague
	}
	if n := f.numGroups; n > 0 && f.groups[n-1].from == from {
		open = open.from(f.groups[n-1].to + 1)
	}
	near := g.box.spaces[from].adjacent
	legal := g.affordable(p, f, open&near, 0)
	if one && legal != 0 {
		return legal
	}
	return legal | g.byRoad(p, f, from, open&^near)
}

// affordable returns the spaces of a set that a group can pay to end its Move in, past so
// many spaces that count.
func (g *game) affordable(p *position, f *opFrame, set spaceSet, entries uint8) spaceSet {
	price := func(to int) uint8 {
		return uint8(g.box.GroupPrice(p.momentum, engine.Player(f.side), to, int(entries)))
	}
	if !p.canPay(f, price(NoSpace)) {
		return 0
	}
	if hills := set & g.box.mountains; hills != 0 && !p.canPay(f, price(int(hills.first()))) {
		set &^= hills
	}
	return set
}

// GroupPrice implements R11.4.2 and R12.3.2: the dollars of a group of a side that goes to a
// space, NoSpace for one that is no Mountain, past so many spaces with enemy units: a
// Mountain, oil_shock, and the Federal's convoy.
func (b *Box) GroupPrice(in MomentumSet, side engine.Player, to, entries int) int {
	cost := 0
	if in.Has(OilShock) {
		cost++
	}
	if side == Federal && in.Has(HighwayPatrol) {
		return cost
	}
	if to != NoSpace {
		cost += int(b.spaces[to].moveCost)
	}
	switch {
	case side == Rebel:
		return cost
	case in.Has(Truckers):
		return cost + 2*entries
	}
	return cost + entries
}

// guarded returns the spaces whose entry counts on the road: for the Federal those
// with militia, for the Rebel those with agents (R11.4.2, R12.3.2).
func (p *position) guarded(f *opFrame) spaceSet {
	if f.side == rebel && f.noArrest {
		return 0
	}
	return p.withUnits(1 - f.side)
}

// byRoad implements R4.8 and Q10: the spaces of a set that the cheapest road makes
// reachable: for the Federal with enough money, for the Rebel with fewer arrests
// than it has militia to send, since a group arrested in full is no Move (Q37).
func (g *game) byRoad(p *position, f *opFrame, from uint8, set spaceSet) spaceSet {
	if set &= g.box.us; set == 0 || !g.box.HasRoad(p.momentum, engine.Player(f.side), int(from), int(set.first())) {
		return 0
	}
	units, active := p.unchosen(f, from)
	most := units + active // arrests stay below
	var legal spaceSet
	walk := g.box.roads.begin(from, p.guarded(f))
	for k := uint8(0); walk.frontier != 0 && set != 0; k++ {
		if f.side == rebel && k >= most || !p.canPay(f, uint8(g.box.GroupPrice(p.momentum, engine.Player(f.side), NoSpace, int(k)))) {
			break
		}
		layer := walk.layer() & set
		set &^= layer
		legal |= g.affordable(p, f, layer, k)
	}
	return legal
}

// HasRoad implements R4.8 and R11.4.3: whether a group of a side may go by road between two spaces.
func (b *Box) HasRoad(in MomentumSet, side engine.Player, from, to int) bool {
	return b.roads.nodes[from] != 0 && b.roads.nodes[to] != 0 && (side != Rebel || !in.Has(NoTravel))
}

// arrestsTo returns the entries that count on the way of a group: none next door,
// else those of the cheapest road (R11.4.4, R12.3.3). They are the same before, between
// and after the moves of the groups, since these are all of one side.
func (g *game) arrestsTo(p *position, f *opFrame, from, to uint8) uint8 {
	if g.box.spaces[from].adjacent.has(to) {
		return 0
	}
	return g.box.roads.entries(from, to, p.guarded(f))
}

// askForUnits implements D11, R11.4.5 and R12.3.4: how many agents, or sleepers; with
// active militia too, as few sleepers as leave somebody to arrive.
func (g *game) askForUnits(p *position, f *opFrame) bool {
	units, active := p.unchosen(f, f.from)
	low := uint8(1)
	if f.side == rebel {
		if units == 0 {
			f.sleepers, f.stage = 0, moveActive
			return false
		}
		low = atLeast(f.arrests+1, active)
	}
	p.decide(AskUnits, f.side)
	p.allowAmounts(low, units)
	return true
}

// askForActive implements D12.
func (g *game) askForActive(p *position, f *opFrame) bool {
	_, active := p.unchosen(f, f.from)
	if active == 0 {
		g.addGroup(p, f, f.sleepers, 0)
		return false
	}
	p.decide(AskActive, f.side)
	p.allowAmounts(atLeast(f.arrests+1, f.sleepers), active)
	return true
}

// atLeast returns how many more than have are needed to make n.
func atLeast(n, have uint8) uint8 {
	if have >= n {
		return 0
	}
	return n - have
}

// chooseOrigin carries out D9.
func (g *game) chooseOrigin(p *position, w *flow.Witness, a engine.Action) {
	f := &p.op
	if a == actDone {
		g.payGroups(p, w, f)
		return
	}
	f.from, f.stage = uint8(a-actSpace), moveTo
}

// chooseDestination carries out D10.
func (g *game) chooseDestination(p *position, _ *flow.Witness, a engine.Action) {
	f := &p.op
	f.to, f.stage = uint8(a-actSpace), moveUnits
	f.arrests = g.arrestsTo(p, f, f.from, f.to)
}

// chooseUnits carries out D11.
func (g *game) chooseUnits(p *position, _ *flow.Witness, a engine.Action) {
	f, n := &p.op, uint8(a-actAmount)
	if f.side == federal {
		g.addGroup(p, f, n, 0)
		return
	}
	f.sleepers, f.stage = n, moveActive
}

// chooseActive carries out D12.
func (g *game) chooseActive(p *position, _ *flow.Witness, a engine.Action) {
	g.addGroup(p, &p.op, p.op.sleepers, uint8(a-actAmount))
}

// groupCost implements R11.4.2 and R12.3.2: dollars of the group that goes from f.from to
// f.to, past f.arrests spaces that count. What an event grants is free (R14.4).
func (g *game) groupCost(p *position, f *opFrame) uint8 {
	if f.free {
		return 0
	}
	return uint8(g.box.GroupPrice(p.momentum, engine.Player(f.side), int(f.to), int(f.arrests)))
}

// addGroup ends the choice of a group. Nothing moves yet (R11.4.1).
func (g *game) addGroup(p *position, f *opFrame, units, active uint8) {
	f.cost += g.groupCost(p, f)
	f.groups[f.numGroups] = group{from: f.from, to: f.to, units: units, active: active}
	f.numGroups++
	f.stage, f.from, f.to, f.arrests, f.sleepers = opBegin, noSpace, noSpace, 0, 0
}

// payGroups pays for all groups, which then move (R7.2).
func (g *game) payGroups(p *position, w *flow.Witness, f *opFrame) {
	g.pay(p, w, f, [numSeats]string{rebel: "R11.4.2", federal: "R12.3.2"}[f.side], f.cost)
	f.cost, f.stage = 0, moving
}

// moveGroup implements R11.4.5 and R12.3.4: the next group leaves, loses those arrested
// on the way, and arrives; its destination is tested before the next group moves (R4.4).
func (g *game) moveGroup(p *position, w *flow.Witness, f *opFrame) {
	gr := f.groups[f.moved]
	f.moved++
	arrived := gr
	if f.side == federal {
		p.spaces[gr.from].Agents -= gr.units
		p.spaces[gr.to].Agents += gr.units
	} else {
		arrived = g.survivors(p, f, gr)
		p.spaces[gr.from].Sleepers -= gr.units
		p.spaces[gr.from].Active -= gr.active
		p.onMap[militia] -= gr.units + gr.active - arrived.units - arrived.active
		p.spaces[gr.to].Sleepers += arrived.units
		p.spaces[gr.to].Active += arrived.active
	}
	if w != nil {
		g.tellMoved(w, [numSeats]string{rebel: "R11.4.5", federal: "R12.3.4"}[f.side], f.side, gr, arrived)
	}
	p.needsTest(gr.to)
}

// survivors implements R11.4.5: what arrives of a group of militia. Active ones are
// arrested first.
func (g *game) survivors(p *position, f *opFrame, gr group) group {
	arrests := g.arrestsTo(p, f, gr.from, gr.to)
	caught := min(arrests, gr.active)
	gr.active -= caught
	gr.units -= arrests - caught
	return gr
}
