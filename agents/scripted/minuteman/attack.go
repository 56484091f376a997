package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// plan is an attack worth making: its units, in the order in which they join.
type plan struct {
	force
	units [32]int16
}

// force is what an attack brings.
type force struct {
	target, kind int
	n            int // units
	strength     float32
	out, back    float32 // what it risks at Ae, and at Ar or A1
	value        float32
}

// canStrike reports whether an own unit may begin or join an attack of a kind. In
// Military combat what backs a Militia or an Army comes along with it (strike).
func (t *situation) canStrike(u, kind int) bool {
	if t.units[u].Hex == minuteman.NoHex || t.units[u].Owner != t.me || kind == military && kindOf(u) != military {
		return false
	}
	return t.state.CanStrike(u, kind)
}

// strike returns the strength that a unit brings to an attack, and what of its own
// side it risks at Ae and at Ar or A1. After the Revolution what stands beside a
// Militia or an Army comes along (R20.6).
func (t *situation) strike(u, kind int) (strength, out, back float32) {
	x := &t.units[u]
	s := &t.at[x.Hex]
	strength = t.attackOf(int16(u))
	out = t.worth(u)
	switch {
	case u < minuteman.FirstMinuteman || u >= minuteman.FirstCIG:
		return strength, out, out // it cannot retreat
	case kind != military:
		return strength, out, t.w.secretBack * out
	case u >= minuteman.FirstArmy && !x.Rebel:
		if t.rise {
			strength += s.agentAttack + t.attackOf(s.cig)
			out += t.w.weakAgt * float32(s.agents)
			if s.cig >= 0 {
				return strength, out + t.worth(int(s.cig)), t.worth(int(s.cig))
			}
		}
		return strength, out, t.w.armyBack + pick(t.state.FrontLine(u), t.leaving(u), 0)
	}
	if t.state.Doubles(u) {
		strength *= 2
	}
	back = t.w.militiaBack
	if t.rise && s.net >= 0 {
		out += t.worth(int(s.net)) / float32(max(s.militia, 1))
		back += t.worth(int(s.net)) / float32(max(s.militia, 1))
		strength += t.attackOf(s.net) / float32(max(s.militia, 1))
	}
	return strength, out, back
}

// muster gathers the units that make an attack worth most. They join in ascending
// order of hexes, and in each as the rules have it; the plan is the best beginning of
// that row.
func (t *situation) muster(p *prey) plan { return t.musterFrom(p, everybody) }

// Who joins an attack, in the place of the unit that is to join next.
const (
	everybody = -1 - iota
	nobody    // but those that have joined
)

// musterFrom gathers the units that make an attack worth most if those that have joined are
// followed by the unit next, and that by some of those behind it in the row.
func (t *situation) musterFrom(p *prey, next int) plan {
	best := plan{force: force{target: p.hex, kind: p.kind}}
	all, joined, fixed := best, next == everybody, next != everybody
	hexes := [7]int{p.hex}
	n := 1
	for _, x := range t.near[p.hex] {
		if int(x) != minuteman.NoHex {
			i := n
			for ; i > 0 && hexes[i-1] > int(x); i-- {
				hexes[i] = hexes[i-1]
			}
			hexes[i] = int(x)
			n++
		}
	}
	for _, h := range hexes[:n] {
		if t.at[h] == emptySpot {
			continue
		}
		oneMM := false
		t.state.UnitsIn(h, func(u int) {
			isMM := u >= minuteman.FirstMinuteman && u < minuteman.FirstMilitia
			if all.n == len(all.units) || isMM && oneMM || !t.canStrike(u, p.kind) {
				return
			}
			joined = joined || u == next
			if !joined && !t.p.Combat.Attackers.Has(u) {
				return
			}
			oneMM = oneMM || isMM
			strength, out, back := t.strike(u, p.kind)
			all.units[all.n] = int16(u)
			all.n++
			all.strength += strength
			all.out += out
			all.back += back
			all.value = t.expect(p, all.strength, all.out, all.back) - t.w.unitCost*float32(all.n)
			if all.value > best.value || fixed && (!joined || u == next) {
				best = all
			}
		})
	}
	return best
}

// planAttack finds the best attack of all kinds (D40).
func (t *situation) planAttack() {
	t.attack = plan{force: force{target: minuteman.NoHex}}
	t.attacks, t.left = [numKinds]force{}, 0
	for kind := range numKinds {
		if !t.rebel && kind > infiltration {
			break
		}
		t.prey = t.hunt(kind, t.prey[:0])
		for i := range t.prey {
			p := t.muster(&t.prey[i])
			t.left += max(0, p.value-t.w.leastGain)
			if p.value > t.attacks[kind].value {
				t.attacks[kind] = p.force
			}
			if p.value > t.attack.value && p.value >= t.w.leastGain {
				t.attack = p
			}
		}
	}
}

// scoreAttack (D40): the kind of the best attack; none if none is worth it.
func (t *situation) scoreAttack(a engine.Action) float32 {
	switch {
	case a == minuteman.Done:
		return 0
	case a >= minuteman.AttackMilitary && a <= minuteman.AttackSedition:
		if t.attack.target != minuteman.NoHex && int(a-minuteman.AttackMilitary) == t.attack.kind {
			return 1
		}
	}
	return -1
}

// scoreTarget (D41): what the attack on a hex is worth.
func (t *situation) scoreTarget(h int) float32 {
	p, ok := t.preyAt(t.chain.Attack, h)
	if !ok {
		return -100 // another Rebel's
	}
	t.aimed = t.muster(&p).force
	return t.aimed.value
}

// planAttackers finds the unit that joins next (D42): the first of the plan that has
// not joined and can still do so.
func (t *situation) planAttackers(legal []engine.Action) {
	if t.pledged() {
		return
	}
	p, ok := t.preyAt(t.chain.Attack, t.chain.Target)
	if !ok {
		return
	}
	best := t.muster(&p)
	for _, u := range best.units[:best.n] {
		if t.p.Combat.Attackers.Has(int(u)) {
			continue
		}
		token := minuteman.FirstHex + engine.Action(t.units[u].Hex)
		if legal[len(legal)-1] < minuteman.FirstHex { // the classes of a hex
			token = minuteman.FirstClass + engine.Action(t.state.Class(int(u)))
			if t.units[u].Hex != t.chain.Hex {
				continue
			}
		}
		for _, a := range legal {
			if a == token {
				t.join = u
				return
			}
		}
	}
}

// pledged reports whether a Rebel with a pact is asked to join an attack of the
// Government. Any unit will do: the first one federalizes him (R28.6).
func (t *situation) pledged() bool {
	return t.rebel && !t.serves && t.p.Phase == minuteman.PhaseG4
}

// scoreAttackers (D42): the unit that the plan has next, or the end.
func (t *situation) scoreAttackers(a engine.Action) float32 {
	switch {
	case t.pledged():
		return pick(a == minuteman.Done, 0, 1)
	case t.join < 0:
		return pick(a == minuteman.Done, 1, 0)
	case a == minuteman.FirstClass+engine.Action(t.state.Class(int(t.join))):
		return 1
	}
	return 0
}

// scoreBetrayal (D44): a doubled attack is worth the markers where it can still
// gain by it.
func (t *situation) scoreBetrayal(n int) float32 {
	p, ok := t.preyAt(t.chain.Attack, t.chain.Target)
	if !ok {
		return -float32(n)
	}
	plain := t.expect(&p, t.chain.AttackSum, 0, 0)
	doubled := t.expect(&p, 2*t.chain.AttackSum, 0, 0)
	return float32(n)/3*(doubled-plain) - t.w.marker*float32(n)
}
