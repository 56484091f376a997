package insurgency

import (
	"powderkeg/engine"
)

// TaxYield implements R12.1: $2 for each population, $1 under tax_revolt.
func (b *Box) TaxYield(in MomentumSet, i int) int {
	if in.Has(TaxRevolt) {
		return int(b.spaces[i].population)
	}
	return 2 * int(b.spaces[i].population)
}

// taxSpace implements R12.1 (Tax): dollars, and Unrest where no agent stands.
func (b Board) taxSpace(f *OperationFrame) {
	i := f.next()
	b.gain("R12.1", federal, uint8(b.box.TaxYield(b.Momentum, int(i))))
	if b.Spaces[i].Agents == 0 && !f.Terms.NoUnrest {
		b.addUnrest("R12.1", i, 1)
	}
}

// askForAgents implements R12.2 (Deploy), R12.2.2 (D17, Q12): agents in a selected space,
// up to Ops in all, or with deploy=each up to Ops in every one. Where none is left there
// is nothing to ask.
func (b Board) askForAgents(f *OperationFrame) bool {
	most := f.Deploy.AgentsLeft
	if b.deployEach {
		most = f.Ops
	}
	if most == 0 {
		f.next()
		return false
	}
	b.decide(AskAgents, f.Side)
	b.allowAmounts(0, most)
	return true
}

// askForSwap implements R12.2.3 and R12.2.4 (D18): when all agents are placed, two of
// them may become a base in one selected space, or with deploy=each in every one. NO
// leaves the base open to the next space.
func (b Board) askForSwap(f *OperationFrame) bool {
	if f.Pick.Todo == 0 || f.Deploy.BaseChosen && !b.deployEach {
		b.endOperation()
		return false
	}
	if !b.canSwap(federal, f.Pick.Todo.First()) {
		f.next()
		return false
	}
	b.decide(AskSwap, f.Side)
	b.allow(ActYes)
	b.allow(ActNo)
	return true
}

// chooseAgents carries out D17. Agents count as chosen also if one is then not lifted
// (R12.2.2, R-14).
func (b Board) chooseAgents(a engine.Action) {
	f, n := &b.Op, uint8(a-ActAmount)
	if !b.deployEach {
		f.Deploy.AgentsLeft -= n
	}
	b.startPlacing(placeUnit, federal, f.next(), n)
}

// chooseSwap carries out D18. The base counts as made also if it is then not lifted
// (R12.2.3, R-14).
func (b Board) chooseSwap(a engine.Action) {
	i := b.Op.next()
	if a == ActYes {
		b.Op.Deploy.BaseChosen = true
		b.startPlacing(swapBase, federal, i, 1)
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
func (b Board) huntSpace(f *OperationFrame) {
	i := f.next()
	effects := b.box.HuntEffects(b.Momentum, int(i), int(b.Spaces[i].Agents))
	gone, turned, bases := Hunted(effects, int(b.Spaces[i].Active), int(b.Spaces[i].Sleepers), int(b.Spaces[i].RebelBases))
	b.Spaces[i].Active += uint8(turned) - uint8(gone)
	b.Spaces[i].Sleepers -= uint8(turned)
	b.OnMap[militia] -= uint8(gone)
	for range bases {
		b.removeBase(rebel, i)
	}
	if b.w != nil {
		b.tell(spaceHunted, "R12.4.3", i, effects, gone, turned, bases)
		if bases > 0 {
			b.tellPoints("R5.1", [numSeats]int{-1, -1})
		}
	}
	b.checkMilitary()
}

// pacifySpace implements R12.5 (Pacify), R12.5.2.
func (b Board) pacifySpace(f *OperationFrame) {
	b.addUnrest("R12.5.2", f.next(), -int8(f.Ops))
}

// What a Secure needs (R12.6.1): dollars beside the Control Factor, and agents more than
// militia, of which an event may ask for fewer.
const (
	secureCost   = 2
	SecureMargin = 3
)

// chooseSecure implements R12.6 (Secure), R12.6.2.
func (b Board) chooseSecure(a engine.Action) {
	i := SpaceID(a - ActSpace)
	b.pay(&b.Op, "R12.6.1", uint8(b.box.Price(Secure, b.Momentum, int(b.Spaces[i].Status))))
	b.shift("R12.6.2", i, -1)
	b.endOperation()
}
