package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// addReserves implements R13.2 (Reserves): the Ops go to the own reserve track, at
// most two in all, legal even there.
func (g *game) addReserves(p *position, w *flow.Witness, f *opFrame) {
	g.setReserves(p, w, "R13.2", f.side, p.reserves[f.side]+f.ops)
	p.endOperation()
}

// setReserves sets a reserve track within its limit.
func (g *game) setReserves(p *position, w *flow.Witness, rule string, side, n uint8) {
	p.reserves[side] = min(n, g.box.maxReserves)
	if w != nil {
		w.All("reserves", rule, bySeat("side", side), flow.Arg("reserves", int(p.reserves[side])))
	}
}

// playSocial implements R13.3 (Social Media): one step of the marker or none (R13.3.2,
// Q20), then attacks while their Ops last (R13.3.3, Q21).
func (g *game) playSocial(p *position, w *flow.Witness, f *opFrame) bool {
	switch f.stage {
	case opBegin, socialPersuade:
		if f.stage == opBegin {
			f.budget = f.ops
		}
		return g.askForStep(p, f.side)
	case socialAttacks:
		return g.askForAttack(p, w, f)
	case socialDistract: // the cycle is over: D29
		f.stage = socialAttacks
		p.startNews(newsSwap, f.side, 0, true)
		return false
	case socialEnrage:
		p.decide(AskEnrage, f.side)
		p.allowSpaces(g.enrageable(p))
		return true
	default:
		p.decide(AskConvert, f.side)
		p.allowSpaces(g.convertible(p, f.side))
		return true
	}
}

// askForStep implements D23 (R13.3.1): a legal neighbour of the marker, or DONE to
// stay.
func (g *game) askForStep(p *position, side uint8) bool {
	p.decide(AskStep, side)
	p.allow(actDone)
	for _, to := range g.box.sm[p.social].moves {
		p.allow(actSM + engine.Action(to))
	}
	return true
}

// askForAttack implements D24: attacks that the rest of the Ops pays for and that
// have a legal target; without one the operation is over.
func (g *game) askForAttack(p *position, w *flow.Witness, f *opFrame) bool {
	p.decide(AskSocialAttack, f.side)
	some := false
	for k, cost := range g.box.attacks {
		if cost <= f.budget && g.canAttack(p, f, uint8(k)) {
			p.allow(actAttack + engine.Action(k))
			some = true
		}
	}
	if !some {
		p.endOperation()
		return false
	}
	p.allow(actDone)
	return true
}

// canAttack tells whether a Social Media attack has a target.
func (g *game) canAttack(p *position, f *opFrame, k uint8) bool {
	switch k {
	case censor:
		return p.pool != 0
	case enrage:
		return g.enrageable(p) != 0
	case convert:
		return g.convertible(p, f.side) != 0
	}
	return true
}

// enrageable implements D30 (Q8): spaces in Anger or Defiance.
func (g *game) enrageable(p *position) spaceSet {
	return p.withStatus(1<<anger|1<<defiance) & g.inPlay(p)
}

// convertible implements D31: spaces with an enemy unit where an own unit may be
// placed.
func (g *game) convertible(p *position, side uint8) spaceSet {
	set := p.withUnits(1-side) & g.inPlay(p)
	if p.plague != noSpace {
		set &^= 1 << p.plague
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		if i := rest.first(); !g.canGet(p, side, false, i) {
			set &^= 1 << i
		}
	}
	return set
}

// chooseEnrage carries out D30.
func (g *game) chooseEnrage(p *position, w *flow.Witness, a engine.Action) {
	g.toggle(p, w, "R13.3.3", uint8(a-actSpace))
	p.op.stage = socialAttacks
}

// chooseConvert carries out D31: one unit, no bases (Q46).
func (g *game) chooseConvert(p *position, _ *flow.Witness, a engine.Action) {
	p.op.stage = socialAttacks
	p.startPlacing(replaceUnit, p.op.side, uint8(a-actSpace), 1)
}

// chooseStep carries out D23, for the operation or for an event.
func (g *game) chooseStep(p *position, w *flow.Witness, a engine.Action) {
	if a != actDone {
		p.social = uint8(a - actSM)
		if w != nil {
			w.All("social_media", "R13.3.1", flow.Arg("social_media", smNames[p.social]), bySeat("edge", g.edge(p)))
		}
	}
	if p.op.kind == socialMedia {
		p.op.stage = socialAttacks
		return
	}
	if p.event.left--; a == actDone {
		p.event.left = 0
	}
}

// chooseAttack implements R13.3.3: Feed, Censor, Persuade, Distract, Enrage, Convert.
func (g *game) chooseAttack(p *position, _ *flow.Witness, a engine.Action) {
	f := &p.op
	if a == actDone {
		p.endOperation()
		return
	}
	k := uint8(a - actAttack)
	f.budget -= g.box.attacks[k]
	switch k {
	case feed:
		p.startNews(newsFeed, f.side, 1, false)
	case censor:
		p.startNews(newsCensor, f.side, 1, false)
	case persuade:
		f.stage = socialPersuade
	case distract:
		f.stage = socialDistract
		p.startNews(newsCycle, f.side, 0, false)
	case enrage:
		f.stage = socialEnrage
	case convert:
		f.stage = socialConvert
	}
}

// Effects of a hack, in the order of the vocabulary (R13.4.2).
const (
	hackIntelligence uint8 = iota
	hackTheftEffect
	hackDenial
	hackRestore
	hackSecure
	hackInvade
)

var hackNames = []string{"a", "b", "c", "d", "e", "f"}

// hack implements R13.4 (Hack, of which the rulebook prints parts twice, Q33): R13.4.1 a roll, unless an event grants success; then
// D32.
func (g *game) hack(p *position, w *flow.Witness, f *opFrame) bool {
	switch f.stage {
	case opBegin:
		return p.wait(chanceHack)
	case hackTheft:
		if f.dice > 0 {
			return p.wait(chanceTheft)
		}
		g.gain(p, w, "R13.4.2", f.side, g.lose(p, w, "R13.4.2", 1-f.side, f.sum)) // what was really lost (Q39)
		p.endOperation()
		return false
	}
	p.decide(AskHack, f.side)
	for k := range uint8(len(hackNames)) {
		if g.canHack(p, f, k) {
			p.allow(actHack + engine.Action(k))
		}
	}
	if p.Choices().Size() == 0 {
		p.allow(actDone)
	}
	return true
}

// HackFaces implements R13.4.1: how many faces of the die are a success with so many Ops.
func (b *Box) HackFaces(ops int) int { return max(0, min(d6Faces+1+ops-b.hackSuccess, d6Faces)) }

// hackRolled carries out C7.
func (g *game) hackRolled(p *position, w *flow.Witness, a engine.Action) {
	face := int(a-outD6) + 1
	success := face > d6Faces-g.box.HackFaces(int(p.op.ops))
	if w != nil {
		w.All("hack_roll", "R13.4.1", bySeat("side", p.op.side), flow.Arg("die", face), flow.Arg("ops", int(p.op.ops)), flow.Arg("success", success))
	}
	if !success {
		p.endOperation()
		return
	}
	p.op.stage = hackEffect
}

// theftRolled carries out C8: the sum of two dice.
func (g *game) theftRolled(p *position, w *flow.Witness, a engine.Action) {
	face := uint8(a-outD6) + 1
	p.op.sum += face
	p.op.dice--
	tellDie(w, "R13.4.2", face)
}

// canHack implements R13.4.3: Shields of the other HQ bar the first three effects.
func (g *game) canHack(p *position, f *opFrame, k uint8) bool {
	other := 1 - f.side
	if k <= hackDenial && p.shields[other] > 0 && !f.ignore {
		return false
	}
	switch k {
	case hackTheftEffect:
		return p.resources[other] >= 1
	case hackDenial:
		return p.hacked[other] < g.box.maxHacked
	case hackRestore:
		return p.hacked[f.side] > 0
	case hackSecure:
		return p.shields[f.side] < g.box.maxShields
	case hackInvade:
		return p.shields[other] > 0
	}
	return true
}

// chooseHack implements R13.4.2; markers move Rebellion Power at once (R13.4.4), since
// it is derived from them.
func (g *game) chooseHack(p *position, w *flow.Witness, a engine.Action) {
	f := &p.op
	other := 1 - f.side
	if a != actDone {
		switch uint8(a - actHack) {
		case hackIntelligence:
			g.inspect(p, w, "R13.4.2", other)
		case hackTheftEffect:
			f.stage, f.dice, f.sum = hackTheft, 2, 0
			return
		case hackDenial:
			g.setHQ(p, w, "R13.4.2", other, p.hacked[other]+1, p.shields[other])
		case hackRestore:
			g.setHQ(p, w, "R13.4.2", f.side, p.hacked[f.side]-1, p.shields[f.side])
		case hackSecure:
			g.setHQ(p, w, "R13.4.2", f.side, p.hacked[f.side], p.shields[f.side]+1)
		case hackInvade:
			g.setHQ(p, w, "R13.4.2", other, p.hacked[other], p.shields[other]-1)
		}
	}
	p.endOperation()
}

// setHQ sets the markers of an HQ.
func (g *game) setHQ(p *position, w *flow.Witness, rule string, side, hacked, shields uint8) {
	before := g.power(p)
	p.hacked[side], p.shields[side] = hacked, shields
	if w != nil {
		w.All("hq", rule, bySeat("side", side), flow.Arg("hacked", int(hacked)), flow.Arg("shields", int(shields)))
	}
	g.tellPower(p, w, before)
}

// inspect implements R19.2: the other side sees a hand.
func (g *game) inspect(p *position, w *flow.Witness, rule string, side uint8) {
	p.known[side] = p.hand[side]
	if w != nil {
		w.All("hand_seen", rule, bySeat("side", side), flow.Arg("cards", cards(p.hand[side])))
	}
}
