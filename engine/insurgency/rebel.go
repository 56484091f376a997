package insurgency

import (
	"powderkeg/engine"
)

// fundraiseIn implements R11.1 (Fundraise): $2 for each population of a red space.
func (b Board) fundraiseIn(i SpaceID) {
	if s := b.Spaces[i].Status; s == defiance || s == revolt {
		b.gain("R11.1", rebel, 2*b.box.spaces[i].population)
	}
}

// recruitIn implements R11.2 (Recruit) for one selection: R11.2.1 nothing in Order,
// R11.2.3 nothing in a plague space, else D7.
func (b Board) recruitIn(f *OperationFrame) bool {
	i := f.Net.Selected[f.Net.At]
	if f.Stage == netRecruited || b.Spaces[i].Status == order {
		f.Net.At++
		f.Stage = netApplying
		return false
	}
	f.Stage = netRecruiting
	b.decide(AskRecruit, f.Side)
	b.allow(ActDone)
	if i != b.Plague {
		b.allow(ActUnits)
		if b.canSwap(rebel, i) {
			b.allow(ActBase)
		}
	}
	return true
}

// canSwap implements R11.2.4 and R12.2.3: two units in the space, room for a base,
// and one in stock or to lift.
func (b Board) canSwap(side Side, i SpaceID) bool {
	return b.units(side, i) >= 2 && b.roomForBase(i) && b.canGet(side, true, i)
}

// chooseRecruit implements R11.2.2: a militia and one more for each Rebel base; or
// R11.2.4: a base for two militia.
func (b Board) chooseRecruit(a engine.Action) {
	f := &b.Op
	i := f.Net.Selected[f.Net.At]
	switch a {
	case ActUnits:
		b.startPlacing(placeUnit, rebel, i, 1+b.Spaces[i].RebelBases)
	case ActBase:
		b.startPlacing(swapBase, rebel, i, 1)
	}
	f.Stage = netRecruited
}

// UnrestToShift implements R11.3.2: how much Unrest shifts a selected space of a status.
func (b *Box) UnrestToShift(status int) int { return int(b.cf[status]) + 1 }

// spreadUnrest implements R11.3 (Unrest): R11.3.1 a marker for each selection outside
// Order, up to three; then R11.3.2 (Q6, Q7, Q43) each selected space is checked once:
// Unrest above the Control Factor shifts it and goes.
func (b Board) spreadUnrest(f *OperationFrame) {
	var spaces SpaceSet
	for _, i := range f.Net.Selected[:f.Net.Count] {
		spaces |= 1 << i
		if b.Spaces[i].Status != order {
			b.addUnrest("R11.3.1", i, 1)
		}
	}
	for ; spaces != 0; spaces &= spaces - 1 {
		i := spaces.First()
		if s := b.Spaces[i].Status; s != revolt && int(b.Spaces[i].Unrest) >= b.box.UnrestToShift(int(s)) {
			b.shift("R11.3.2", i, 1)
			b.addUnrest("R11.3.2", i, -int8(b.Spaces[i].Unrest))
		}
	}
}

// beginAttack implements R11.5 (Attack), R11.5.2 (Q15): the militia of the next space turn active,
// and each of them rolls.
func (b Board) beginAttack(f *OperationFrame) {
	i := f.Pick.Todo.First()
	b.turn("R11.5.2", i, activeOnly)
	f.Attack.Dice, f.Attack.Hits, f.Stage = b.Spaces[i].Active, 0, rolling
}

// turn makes all militia of a space active, or sleepers (R3.1).
func (b Board) turn(rule string, i SpaceID, to militiaState) {
	old := b.Spaces[i].Active
	b.Spaces[i].Active, b.Spaces[i].Sleepers = 0, b.militiaAt(i)
	if to == activeOnly {
		b.Spaces[i].Active, b.Spaces[i].Sleepers = b.Spaces[i].Sleepers, 0
	}
	if b.Spaces[i].Active != old {
		b.tell(militiaTurned, rule, i, b.Spaces[i].Sleepers, b.Spaces[i].Active)
	}
}

// rollAttack implements R11.5.3 once all dice are rolled: each hit removes a Federal
// piece, agents first, bases last; spare hits are lost.
func (b Board) rollAttack(f *OperationFrame) bool {
	if f.Attack.Dice > 0 {
		return b.wait(chanceAttack)
	}
	i := f.next()
	agents := min(f.Attack.Hits, b.Spaces[i].Agents)
	bases := min(f.Attack.Hits-agents, b.Spaces[i].FederalBases)
	b.removeAgents(i, agents)
	for range bases {
		b.removeBase(federal, i)
	}
	if b.w != nil {
		b.tell(battleFought, "R11.5.3", i, b.Spaces[i].Active, f.Attack.Hits, agents, bases)
		if bases > 0 {
			b.tellPoints("R5.1", [numSeats]int{-1, -1})
		}
	}
	f.Attack.Hits, f.Stage = 0, opCarrying
	b.checkMilitary()
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
func (b Board) attackRolled(a engine.Action) {
	f, face := &b.Op, int(a-outD6)+1
	i := f.Pick.Todo.First()
	hit := face <= b.box.HitFaces(b.Momentum, int(i), int(b.Spaces[i].Status), int(f.Ops))
	if hit {
		f.Attack.Hits++
	}
	f.Attack.Dice--
	if b.w != nil {
		b.tell(attackDieRolled, "R11.5.2", i, face, hit)
	}
}

// What a Surge needs (R11.6.1): dollars, and militia more than agents.
const (
	surgeCost   = 3
	SurgeMargin = 4
)

// chooseSurge implements R11.6 (Surge), R11.6.2: the militia turn active, the space
// shifts to Anger, Unrest stays (Q35).
func (b Board) chooseSurge(a engine.Action) {
	i := SpaceID(a - ActSpace)
	b.pay(&b.Op, "R11.6.1", uint8(b.box.Price(Surge, b.Momentum, int(b.Spaces[i].Status))))
	b.turn("R11.6.2", i, activeOnly)
	b.shift("R11.6.2", i, 1)
	b.endOperation()
}
