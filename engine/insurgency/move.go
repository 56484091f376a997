package insurgency

import (
	"powderkeg/engine"
)

// move implements R11.4 and R12.3 (Move): up to Ops groups are chosen, each by D9, D10,
// D11 and D12; then all are paid, and then they move one after the other (R7.2, Q9). So
// no arrest and no test on arrival is known while a group is chosen.
func (b Board) move(f *OperationFrame) bool {
	switch f.Stage {
	case opBegin:
		return b.askForOrigin(f)
	case moveTo:
		b.decide(AskDestination, f.Side)
		b.allowSpaces(b.destinations(f, f.Group.From, false))
		return true
	case moveUnits:
		return b.askForUnits(f)
	case moveActive:
		return b.askForActive(f)
	}
	if f.Move.Moved == f.Move.NumGroups {
		b.endOperation()
		return false
	}
	b.moveGroup(f)
	return false
}

// askForOrigin implements D9 and R11.4.1 (R12.3.1): another group, or DONE.
func (b Board) askForOrigin(f *OperationFrame) bool {
	var set SpaceSet
	if f.Move.NumGroups < f.Ops {
		set = b.origins(f, false)
	}
	if set == 0 {
		b.payGroups(f)
		return false
	}
	b.decide(AskOrigin, f.Side)
	b.allowSpaces(set)
	b.allow(ActDone)
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
func (b Board) origins(f *OperationFrame, one bool) SpaceSet {
	var found SpaceSet
	set := b.withUnits(f.Side) & b.inPlay()
	if f.Move.NumGroups > 0 {
		set = set.from(f.Move.Groups[f.Move.NumGroups-1].From)
	}
	for ; set != 0; set &= set - 1 {
		i := set.First()
		units, active := b.unchosen(f, i)
		if units+active == 0 || b.destinations(f, i, true) == 0 {
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
func (b Board) destinations(f *OperationFrame, from SpaceID, one bool) SpaceSet {
	open := b.inPlay() &^ (1 << from)
	if b.has(Blizzard) {
		open &^= b.box.blizzard
	}
	if b.Plague != noSpace {
		open &^= 1 << b.Plague
	}
	if n := f.Move.NumGroups; n > 0 && f.Move.Groups[n-1].From == from {
		open = open.from(f.Move.Groups[n-1].To + 1)
	}
	near := b.box.spaces[from].adjacent
	legal := b.affordable(f, open&near, 0)
	if one && legal != 0 {
		return legal
	}
	return legal | b.byRoad(f, from, open&^near)
}

// affordable returns the spaces of a set that a group can pay to end its Move in, past so
// many spaces that count.
func (b Board) affordable(f *OperationFrame, set SpaceSet, entries uint8) SpaceSet {
	price := func(to int) uint8 {
		return uint8(b.box.GroupPrice(b.Momentum, engine.Player(f.Side), to, int(entries)))
	}
	if !b.canPay(f, price(NoSpace)) {
		return 0
	}
	if hills := set & b.box.mountains; hills != 0 && !b.canPay(f, price(int(hills.First()))) {
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
func (b Board) byRoad(f *OperationFrame, from SpaceID, set SpaceSet) SpaceSet {
	if set &= b.box.us; set == 0 || !b.box.HasRoad(b.Momentum, engine.Player(f.Side), int(from), int(set.First())) {
		return 0
	}
	units, active := b.unchosen(f, from)
	most := units + active // arrests stay below
	var legal SpaceSet
	walk := b.box.roads.begin(from, b.guarded(f))
	for k := uint8(0); walk.frontier != 0 && set != 0; k++ {
		if f.Side == rebel && k >= most || !b.canPay(f, uint8(b.box.GroupPrice(b.Momentum, engine.Player(f.Side), NoSpace, int(k)))) {
			break
		}
		layer := walk.layer() & set
		set &^= layer
		legal |= b.affordable(f, layer, k)
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
func (b Board) arrestsTo(f *OperationFrame, from, to SpaceID) uint8 {
	if b.box.spaces[from].adjacent.Has(to) {
		return 0
	}
	return b.box.roads.entries(from, to, b.guarded(f))
}

// askForUnits implements D11, R11.4.5 and R12.3.4: how many agents, or sleepers; with
// active militia too, as few sleepers as leave somebody to arrive.
func (b Board) askForUnits(f *OperationFrame) bool {
	units, active := b.unchosen(f, f.Group.From)
	low := uint8(1)
	if f.Side == rebel {
		if units == 0 {
			f.Group.Sleepers, f.Stage = 0, moveActive
			return false
		}
		low = atLeast(f.Group.Arrests+1, active)
	}
	b.decide(AskUnits, f.Side)
	b.allowAmounts(low, units)
	return true
}

// askForActive implements D12.
func (b Board) askForActive(f *OperationFrame) bool {
	_, active := b.unchosen(f, f.Group.From)
	if active == 0 {
		b.addGroup(f, f.Group.Sleepers, 0)
		return false
	}
	b.decide(AskActive, f.Side)
	b.allowAmounts(atLeast(f.Group.Arrests+1, f.Group.Sleepers), active)
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
func (b Board) chooseOrigin(a engine.Action) {
	f := &b.Op
	if a == ActDone {
		b.payGroups(f)
		return
	}
	f.Group.From, f.Stage = SpaceID(a-ActSpace), moveTo
}

// chooseDestination carries out D10.
func (b Board) chooseDestination(a engine.Action) {
	f := &b.Op
	f.Group.To, f.Stage = SpaceID(a-ActSpace), moveUnits
	f.Group.Arrests = b.arrestsTo(f, f.Group.From, f.Group.To)
}

// chooseUnits carries out D11.
func (b Board) chooseUnits(a engine.Action) {
	f, n := &b.Op, uint8(a-ActAmount)
	if f.Side == federal {
		b.addGroup(f, n, 0)
		return
	}
	f.Group.Sleepers, f.Stage = n, moveActive
}

// chooseActive carries out D12.
func (b Board) chooseActive(a engine.Action) {
	b.addGroup(&b.Op, b.Op.Group.Sleepers, uint8(a-ActAmount))
}

// groupCost implements R11.4.2 and R12.3.2: dollars of a group that goes to a space past so
// many spaces that count. What an event grants is free (R14.4).
func (b Board) groupCost(f *OperationFrame, to SpaceID, entries uint8) uint8 {
	if f.Terms.Free {
		return 0
	}
	return uint8(b.box.GroupPrice(b.Momentum, engine.Player(f.Side), int(to), int(entries)))
}

// addGroup ends the choice of a group. Nothing moves yet (R11.4.1).
func (b Board) addGroup(f *OperationFrame, units, active uint8) {
	f.Move.Cost += b.groupCost(f, f.Group.To, f.Group.Arrests)
	f.Move.Groups[f.Move.NumGroups] = Group{From: f.Group.From, To: f.Group.To, Units: units, Active: active}
	f.Move.NumGroups++
	f.Stage, f.Group = opBegin, noGroup
}

// payGroups pays for all groups, which then move (R7.2).
func (b Board) payGroups(f *OperationFrame) {
	b.pay(f, [numSeats]string{rebel: "R11.4.2", federal: "R12.3.2"}[f.Side], f.Move.Cost)
	f.Move.Cost, f.Stage = 0, moving
}

// moveGroup implements R11.4.5 and R12.3.4: the next group leaves, loses those arrested
// on the way, and arrives; its destination is tested before the next group moves (R4.4).
func (b Board) moveGroup(f *OperationFrame) {
	gr := f.Move.Groups[f.Move.Moved]
	f.Move.Moved++
	arrived := gr
	if f.Side == federal {
		b.Spaces[gr.From].Agents -= gr.Units
		b.Spaces[gr.To].Agents += gr.Units
	} else {
		arrived = b.survivors(f, gr)
		b.Spaces[gr.From].Sleepers -= gr.Units
		b.Spaces[gr.From].Active -= gr.Active
		b.OnMap[militia] -= gr.Units + gr.Active - arrived.Units - arrived.Active
		b.Spaces[gr.To].Sleepers += arrived.Units
		b.Spaces[gr.To].Active += arrived.Active
	}
	if b.w != nil {
		b.tellMoved([numSeats]string{rebel: "R11.4.5", federal: "R12.3.4"}[f.Side], f.Side, gr, arrived)
	}
	b.needsTest(gr.To)
}

// survivors implements R11.4.5: what arrives of a group of militia. Active ones are
// arrested first.
func (b Board) survivors(f *OperationFrame, gr Group) Group {
	arrests := b.arrestsTo(f, gr.From, gr.To)
	caught := min(arrests, gr.Active)
	gr.Active -= caught
	gr.Units -= arrests - caught
	return gr
}
