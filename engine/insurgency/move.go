package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// move implements R11.4 and R12.3 (Move): up to Ops groups are chosen, each by D9, D10,
// D11 and D12; then all are paid, and then they move one after the other (R7.2, Q9). So
// no arrest and no test on arrival is known while a group is chosen.
func (g *game) move(p *Position, w *flow.Witness, f *OperationFrame) bool {
	switch f.Stage {
	case opBegin:
		return g.askForOrigin(p, w, f)
	case moveTo:
		p.decide(AskDestination, f.Side)
		p.allowSpaces(g.destinations(p, f, f.Group.From, false))
		return true
	case moveUnits:
		return g.askForUnits(p, f)
	case moveActive:
		return g.askForActive(p, f)
	}
	if f.Move.Moved == f.Move.NumGroups {
		p.endOperation()
		return false
	}
	g.moveGroup(p, w, f)
	return false
}

// askForOrigin implements D9 and R11.4.1 (R12.3.1): another group, or DONE.
func (g *game) askForOrigin(p *Position, w *flow.Witness, f *OperationFrame) bool {
	var set SpaceSet
	if f.Move.NumGroups < f.Ops {
		set = g.origins(p, f, false)
	}
	if set == 0 {
		g.payGroups(p, w, f)
		return false
	}
	p.decide(AskOrigin, f.Side)
	p.allowSpaces(set)
	p.allow(ActDone)
	return true
}

// unchosen implements R11.4.1 and R12.3.4 (Q9): units of a space that are in no group
// yet, active militia apart.
func (p *Position) unchosen(f *OperationFrame, i SpaceID) (units, active uint8) {
	units, active = p.Spaces[i].Agents, 0
	if f.Side == rebel {
		units, active = p.Spaces[i].Sleepers, p.Spaces[i].Active
	}
	for _, gr := range f.Move.Groups[:f.Move.NumGroups] {
		if gr.From == i {
			units -= gr.Units
			active -= gr.Active
		}
	}
	return units, active
}

// origins returns the spaces that a group can leave (D9; bases never move, R3.3), in canonical order: not
// below the last origin (R7.2). With one it stops at the first one found.
func (g *game) origins(p *Position, f *OperationFrame, one bool) SpaceSet {
	var found SpaceSet
	set := p.withUnits(f.Side) & g.inPlay(p)
	if f.Move.NumGroups > 0 {
		set = set.from(f.Move.Groups[f.Move.NumGroups-1].From)
	}
	for ; set != 0; set &= set - 1 {
		i := set.First()
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
func (g *game) destinations(p *Position, f *OperationFrame, from SpaceID, one bool) SpaceSet {
	open := g.inPlay(p) &^ (1 << from)
	if p.has(Blizzard) {
		open &^= g.box.blizzard
	}
	if p.Plague != noSpace {
		open &^= 1 << p.Plague
	}
	if n := f.Move.NumGroups; n > 0 && f.Move.Groups[n-1].From == from {
		open = open.from(f.Move.Groups[n-1].To + 1)
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
func (g *game) affordable(p *Position, f *OperationFrame, set SpaceSet, entries uint8) SpaceSet {
	price := func(to int) uint8 {
		return uint8(g.box.GroupPrice(p.Momentum, engine.Player(f.Side), to, int(entries)))
	}
	if !p.canPay(f, price(NoSpace)) {
		return 0
	}
	if hills := set & g.box.mountains; hills != 0 && !p.canPay(f, price(int(hills.First()))) {
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
func (p *Position) guarded(f *OperationFrame) SpaceSet {
	if f.Side == rebel && f.Terms.NoArrest {
		return 0
	}
	return p.withUnits(1 - f.Side)
}

// byRoad implements R4.8 and Q10: the spaces of a set that the cheapest road makes
// reachable: for the Federal with enough money, for the Rebel with fewer arrests
// than it has militia to send, since a group arrested in full is no Move (Q37).
func (g *game) byRoad(p *Position, f *OperationFrame, from SpaceID, set SpaceSet) SpaceSet {
	if set &= g.box.us; set == 0 || !g.box.HasRoad(p.Momentum, engine.Player(f.Side), int(from), int(set.First())) {
		return 0
	}
	units, active := p.unchosen(f, from)
	most := units + active // arrests stay below
	var legal SpaceSet
	walk := g.box.roads.begin(from, p.guarded(f))
	for k := uint8(0); walk.frontier != 0 && set != 0; k++ {
		if f.Side == rebel && k >= most || !p.canPay(f, uint8(g.box.GroupPrice(p.Momentum, engine.Player(f.Side), NoSpace, int(k)))) {
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
func (g *game) arrestsTo(p *Position, f *OperationFrame, from, to SpaceID) uint8 {
	if g.box.spaces[from].adjacent.Has(to) {
		return 0
	}
	return g.box.roads.entries(from, to, p.guarded(f))
}

// askForUnits implements D11, R11.4.5 and R12.3.4: how many agents, or sleepers; with
// active militia too, as few sleepers as leave somebody to arrive.
func (g *game) askForUnits(p *Position, f *OperationFrame) bool {
	units, active := p.unchosen(f, f.Group.From)
	low := uint8(1)
	if f.Side == rebel {
		if units == 0 {
			f.Group.Sleepers, f.Stage = 0, moveActive
			return false
		}
		low = atLeast(f.Group.Arrests+1, active)
	}
	p.decide(AskUnits, f.Side)
	p.allowAmounts(low, units)
	return true
}

// askForActive implements D12.
func (g *game) askForActive(p *Position, f *OperationFrame) bool {
	_, active := p.unchosen(f, f.Group.From)
	if active == 0 {
		g.addGroup(p, f, f.Group.Sleepers, 0)
		return false
	}
	p.decide(AskActive, f.Side)
	p.allowAmounts(atLeast(f.Group.Arrests+1, f.Group.Sleepers), active)
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
func (g *game) chooseOrigin(p *Position, w *flow.Witness, a engine.Action) {
	f := &p.Op
	if a == ActDone {
		g.payGroups(p, w, f)
		return
	}
	f.Group.From, f.Stage = SpaceID(a-ActSpace), moveTo
}

// chooseDestination carries out D10.
func (g *game) chooseDestination(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Op
	f.Group.To, f.Stage = SpaceID(a-ActSpace), moveUnits
	f.Group.Arrests = g.arrestsTo(p, f, f.Group.From, f.Group.To)
}

// chooseUnits carries out D11.
func (g *game) chooseUnits(p *Position, _ *flow.Witness, a engine.Action) {
	f, n := &p.Op, uint8(a-ActAmount)
	if f.Side == federal {
		g.addGroup(p, f, n, 0)
		return
	}
	f.Group.Sleepers, f.Stage = n, moveActive
}

// chooseActive carries out D12.
func (g *game) chooseActive(p *Position, _ *flow.Witness, a engine.Action) {
	g.addGroup(p, &p.Op, p.Op.Group.Sleepers, uint8(a-ActAmount))
}

// groupCost implements R11.4.2 and R12.3.2: dollars of a group that goes to a space past so
// many spaces that count. What an event grants is free (R14.4).
func (g *game) groupCost(p *Position, f *OperationFrame, to SpaceID, entries uint8) uint8 {
	if f.Terms.Free {
		return 0
	}
	return uint8(g.box.GroupPrice(p.Momentum, engine.Player(f.Side), int(to), int(entries)))
}

// addGroup ends the choice of a group. Nothing moves yet (R11.4.1).
func (g *game) addGroup(p *Position, f *OperationFrame, units, active uint8) {
	f.Move.Cost += g.groupCost(p, f, f.Group.To, f.Group.Arrests)
	f.Move.Groups[f.Move.NumGroups] = Group{From: f.Group.From, To: f.Group.To, Units: units, Active: active}
	f.Move.NumGroups++
	f.Stage, f.Group = opBegin, noGroup
}

// payGroups pays for all groups, which then move (R7.2).
func (g *game) payGroups(p *Position, w *flow.Witness, f *OperationFrame) {
	g.pay(p, w, f, [numSeats]string{rebel: "R11.4.2", federal: "R12.3.2"}[f.Side], f.Move.Cost)
	f.Move.Cost, f.Stage = 0, moving
}

// moveGroup implements R11.4.5 and R12.3.4: the next group leaves, loses those arrested
// on the way, and arrives; its destination is tested before the next group moves (R4.4).
func (g *game) moveGroup(p *Position, w *flow.Witness, f *OperationFrame) {
	gr := f.Move.Groups[f.Move.Moved]
	f.Move.Moved++
	arrived := gr
	if f.Side == federal {
		p.Spaces[gr.From].Agents -= gr.Units
		p.Spaces[gr.To].Agents += gr.Units
	} else {
		arrived = g.survivors(p, f, gr)
		p.Spaces[gr.From].Sleepers -= gr.Units
		p.Spaces[gr.From].Active -= gr.Active
		p.OnMap[militia] -= gr.Units + gr.Active - arrived.Units - arrived.Active
		p.Spaces[gr.To].Sleepers += arrived.Units
		p.Spaces[gr.To].Active += arrived.Active
	}
	if w != nil {
		g.tellMoved(w, [numSeats]string{rebel: "R11.4.5", federal: "R12.3.4"}[f.Side], f.Side, gr, arrived)
	}
	p.needsTest(gr.To)
}

// survivors implements R11.4.5: what arrives of a group of militia. Active ones are
// arrested first.
func (g *game) survivors(p *Position, f *OperationFrame, gr Group) Group {
	arrests := g.arrestsTo(p, f, gr.From, gr.To)
	caught := min(arrests, gr.Active)
	gr.Active -= caught
	gr.Units -= arrests - caught
	return gr
}
