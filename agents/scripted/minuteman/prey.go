package minuteman

import (
	"math/bits"

	"powderkeg/engine/minuteman"
)

// Kinds of attack.
const (
	military     = minuteman.Military
	infiltration = minuteman.Infiltration
	subversion   = minuteman.Subversion
	sedition     = minuteman.Sedition
	numKinds     = sedition + 1
)

// prey is a target of one kind of attack, with what the results would be worth.
type prey struct {
	hex, kind    int
	defence      float32
	out, back    float32 // worth of De, and of Dr or D1
	pin, convert float32
	unrest, riot float32
	factor       float32 // of the attack strength (R10.6)
}

// hunt lists what the own side may attack with a kind of attack, wherever its units
// are.
func (t *situation) hunt(kind int, list []prey) []prey {
	if kind == sedition {
		for c := range minuteman.Cities {
			if p, ok := t.preyAt(kind, t.state.CityHex(c)); ok {
				list = append(list, p)
			}
		}
		return list
	}
	for _, h := range t.used {
		if p, ok := t.preyAt(kind, int(h)); ok {
			list = append(list, p)
		}
	}
	if kind != military || t.rebel {
		return list
	}
	for c := range minuteman.Cities { // Riots without a unit
		if h := t.state.CityHex(c); t.at[h] == emptySpot && t.state.Riot(h) {
			if p, ok := t.preyAt(kind, h); ok {
				list = append(list, p)
			}
		}
	}
	return list
}

// preyAt judges one hex. ok is false if nothing there can be attacked.
func (t *situation) preyAt(kind, h int) (p prey, ok bool) {
	p = prey{hex: h, kind: kind, factor: 1}
	switch {
	case t.serves && kind <= infiltration:
		return p, t.rivalPrey(&p)
	case t.serves:
		return p, false
	case t.rebel && kind == military:
		return p, t.armyPrey(&p)
	case t.rebel && kind == infiltration:
		return p, t.agentPrey(&p)
	case t.rebel && kind == subversion:
		return p, t.subversionPrey(&p)
	case t.rebel:
		return p, t.seditionPrey(&p)
	case kind == military:
		return p, t.risingPrey(&p)
	case kind == infiltration:
		return p, t.secretPrey(&p)
	}
	return p, false
}

// risingPrey is what Army may strike: Militia, and in an exposed hex all that is
// there (R10.4, R20.6). Networks do not survive a retreat; of the others some half.
func (t *situation) risingPrey(p *prey) bool {
	s := &t.at[p.hex]
	exposed := t.state.Exposed(p.hex)
	if s.militia+s.held == 0 && !(exposed && (s.rebels() || t.state.Riot(p.hex))) {
		return false
	}
	escape := pick(t.cornered(p.hex), 1, t.w.militiaDriven)
	men := t.w.militia*float32(s.militia) + t.w.army*float32(s.held)
	p.defence, p.out, p.back = s.milDefence, men, men*escape
	if t.state.Riot(p.hex) || t.rise && s.net >= 0 {
		p.defence += t.state.RiotDefence()
	}
	if t.state.Riot(p.hex) {
		p.out += t.w.riot
		p.back += t.w.riot
	}
	if exposed {
		minutemen := t.w.weakMM * float32(s.minutemen)
		if !t.rise {
			minutemen = t.w.weakMM * float32(min(s.minutemen, 1))
		}
		p.defence += t.defenceOf(s.net) + s.mmDefence
		p.out += minutemen
		p.back += minutemen * escape
		if s.net >= 0 {
			p.out += t.worth(int(s.net))
			p.back += t.worth(int(s.net))
		}
	}
	if t.state.Informer(p.hex) {
		p.factor = 2
	}
	if t.state.Ruthless() && t.state.Riot(p.hex) {
		p.factor *= 2
	}
	p.out, p.back = t.atKey(p.hex, p.out), t.atKey(p.hex, p.back)
	return true
}

// secretPrey is what Agents and CIGs hunt: the Network and one Minuteman (R10.4). A
// Network does not survive a D1 (R10.11).
func (t *situation) secretPrey(p *prey) bool {
	s := &t.at[p.hex]
	if s.net < 0 && s.minutemen == 0 {
		return false
	}
	p.defence = t.defenceOf(s.net) + s.mmDefence
	if s.minutemen > 0 {
		p.out, p.back = t.w.weakMM, t.w.minutemanDriven*t.w.weakMM
	}
	if s.net >= 0 {
		p.out += t.worth(int(s.net))
		p.back += t.worth(int(s.net))
	}
	if t.state.Informer(p.hex) {
		p.factor = 2
	}
	p.out, p.back = t.atKey(p.hex, p.out), t.atKey(p.hex, p.back)
	return true
}

// atKey raises a worth in and beside the cities that decide the Partisan scenario,
// and by those that what stands there cuts off.
func (t *situation) atKey(h int, worth float32) float32 {
	worth *= 1 + (t.w.nearKey-1)*min(t.keysAround(h), 1)
	return worth + t.w.line*t.blockade(h)
}

// keysAround counts the deciding cities in a hex and its neighbours, each by its share.
func (t *situation) keysAround(h int) float32 {
	n := float32(0)
	for set := t.keysAt[h]; set != 0; set &= set - 1 {
		n += t.share(t.keys[bits.TrailingZeros8(set)])
	}
	return n
}

// armyPrey is an Army that Militia attack.
func (t *situation) armyPrey(p *prey) bool {
	s := &t.at[p.hex]
	if s.army < 0 {
		return false
	}
	p.defence = t.defenceOf(s.army)
	p.out = pick(t.bold, t.w.boldArmy*t.w.army, t.w.army)
	p.back = p.out * pick(t.cornered(p.hex), 1, t.w.armyDriven)
	if t.rise {
		p.defence += s.agentDefence + t.defenceOf(s.cig)
		p.out += t.w.weakAgt * float32(s.agents)
		if s.cig >= 0 {
			p.out += t.worth(int(s.cig))
			p.back += t.worth(int(s.cig))
		}
	}
	return true
}

// rivalPrey is what a federalized Rebel may attack of the others (R28.3): their
// Militia, and in secret a Network and one Minuteman.
func (t *situation) rivalPrey(p *prey) bool {
	var men float32
	t.state.UnitsIn(p.hex, func(u int) {
		x := &t.units[u]
		if x.Owner == t.me || x.Owner == t.gov || (p.kind == military) != (u >= minuteman.FirstMilitia) {
			return
		}
		worth := t.worth(u)
		p.out += worth
		switch {
		case u < minuteman.FirstMinuteman:
			p.defence += t.defenceOf(int16(u))
			p.back += worth
		case u < minuteman.FirstMilitia:
			men = max(men, t.defenceOf(int16(u)))
		default:
			p.defence += t.defenceOf(int16(u))
			p.back += t.w.militiaDriven * worth
		}
	})
	p.defence += men
	return p.out > 0
}

// cornered reports whether what stands in a hex finds no way out (R11.2): all its
// neighbours are in the Zone of the own side, or full.
func (t *situation) cornered(h int) bool {
	t.learnZones()
	for _, n := range t.near[h] {
		if int(n) != minuteman.NoHex && t.isOpen.Has(int(n)) && !t.own.Has(int(n)) && t.at[n].total < minuteman.HexLimit && (!t.rebel || t.at[n].army < 0) {
			return false
		}
	}
	return true
}

// agentPrey is what Minutemen and Networks attack in secret: Agents, CIG and
// Informer of the hex together (R10.4).
func (t *situation) agentPrey(p *prey) bool {
	s := &t.at[p.hex]
	informer := t.state.Informer(p.hex)
	if s.agents == 0 && s.cig < 0 && !informer {
		return false
	}
	p.defence = s.agentDefence + t.defenceOf(s.cig)
	for u := minuteman.FirstAgent; u < minuteman.FirstCIG; u++ {
		if t.units[u].Hex == p.hex {
			p.out += t.worth(u)
			p.back += t.w.agentDriven * t.worth(u)
		}
	}
	if s.cig >= 0 {
		p.out += t.worth(int(s.cig))
		p.back += t.worth(int(s.cig))
	}
	if informer {
		p.defence += t.state.InformerDefence()
		p.out += t.w.informer
		p.back += t.w.informer
	}
	return true
}

// subversionPrey is an Army that Minutemen pin or win over (R10.12).
func (t *situation) subversionPrey(p *prey) bool {
	s := &t.at[p.hex]
	if s.army < 0 || t.rise || !t.state.Subvertible(int(s.army)) {
		return false
	}
	p.convert, p.pin = t.w.army+t.w.militia, t.w.pinned*t.w.army
	return true
}

// seditionPrey is a city where a Riot may be raised (R10.13).
func (t *situation) seditionPrey(p *prey) bool {
	if !t.state.Incitable(p.hex) {
		return false
	}
	p.riot = t.riotGain(p.hex)
	p.unrest = t.w.unrest * p.riot
	return true
}

// expect returns the mean worth of an attack with so much strength, before what it
// risks is weighed against it.
func (t *situation) expect(p *prey, strength, lossOut, lossBack float32) float32 {
	if strength <= 0 {
		return 0
	}
	c := t.state.AttackChances(t.me, p.kind, p.hex, strength*p.factor, p.defence)
	return c.DefenderOut*p.out + c.DefenderBack*p.back + c.Pin*p.pin + c.Convert*p.convert + c.Unrest*p.unrest + c.Outrage*p.riot -
		c.AttackerOut*lossOut - c.AttackerBack*lossBack
}
