package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// addReserves implements R13.2 (Reserves): the Ops go to the own reserve track, at
// most two in all, legal even there.
func (g *game) addReserves(p *Position, w *flow.Witness, f *OperationFrame) {
	g.setReserves(p, w, "R13.2", f.Side, p.Reserves[f.Side]+f.Ops)
	p.endOperation()
}

// setReserves sets a reserve track within its limit.
func (g *game) setReserves(p *Position, w *flow.Witness, rule string, side Side, n uint8) {
	p.Reserves[side] = min(n, g.box.maxReserves)
	if w != nil {
		w.All("reserves", rule, bySeat("side", side), flow.Arg("reserves", int(p.Reserves[side])))
	}
}

// playSocial implements R13.3 (Social Media): one step of the marker or none (R13.3.2,
// Q20), then attacks while their Ops last (R13.3.3, Q21).
func (g *game) playSocial(p *Position, w *flow.Witness, f *OperationFrame) bool {
	switch f.Stage {
	case opBegin, socialPersuade:
		if f.Stage == opBegin {
			f.Budget = f.Ops
		}
		return g.askForStep(p, f.Side)
	case socialAttacks:
		return g.askForAttack(p, w, f)
	case socialDistract: // the cycle is over: D29
		f.Stage = socialAttacks
		p.startNews(newsSwap, f.Side, 0, true)
		return false
	case socialEnrage:
		p.decide(AskEnrage, f.Side)
		p.allowSpaces(g.enrageable(p))
		return true
	default:
		p.decide(AskConvert, f.Side)
		p.allowSpaces(g.convertible(p, f.Side))
		return true
	}
}

// askForStep implements D23 (R13.3.1): a legal neighbour of the marker, or DONE to
// stay.
func (g *game) askForStep(p *Position, side Side) bool {
	p.decide(AskStep, side)
	p.allow(ActDone)
	for _, to := range g.box.sm[p.Social].moves {
		p.allow(ActSM + engine.Action(to))
	}
	return true
}

// askForAttack implements D24: attacks that the rest of the Ops pays for and that
// have a legal target; without one the operation is over.
func (g *game) askForAttack(p *Position, w *flow.Witness, f *OperationFrame) bool {
	p.decide(AskSocialAttack, f.Side)
	some := false
	for k, cost := range g.box.attacks {
		if cost <= f.Budget && g.canAttack(p, f, socialAttack(k)) {
			p.allow(ActAttack + engine.Action(k))
			some = true
		}
	}
	if !some {
		p.endOperation()
		return false
	}
	p.allow(ActDone)
	return true
}

// canAttack tells whether a Social Media attack has a target.
func (g *game) canAttack(p *Position, f *OperationFrame, k socialAttack) bool {
	switch k {
	case censor:
		return p.Pool != 0
	case enrage:
		return g.enrageable(p) != 0
	case convert:
		return g.convertible(p, f.Side) != 0
	}
	return true
}

// enrageable implements D30 (Q8): spaces in Anger or Defiance.
func (g *game) enrageable(p *Position) SpaceSet {
	return p.withStatus(1<<anger|1<<defiance) & g.inPlay(p)
}

// convertible implements D31: spaces with an enemy unit where an own unit may be
// placed.
func (g *game) convertible(p *Position, side Side) SpaceSet {
	set := p.withUnits(1-side) & g.inPlay(p)
	if p.Plague != noSpace {
		set &^= 1 << p.Plague
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		if i := rest.First(); !g.canGet(p, side, false, i) {
			set &^= 1 << i
		}
	}
	return set
}

// chooseEnrage carries out D30.
func (g *game) chooseEnrage(p *Position, w *flow.Witness, a engine.Action) {
	g.toggle(p, w, "R13.3.3", SpaceID(a-ActSpace))
	p.Op.Stage = socialAttacks
}

// chooseConvert carries out D31: one unit, no bases (Q46).
func (g *game) chooseConvert(p *Position, _ *flow.Witness, a engine.Action) {
	p.Op.Stage = socialAttacks
	p.startPlacing(replaceUnit, p.Op.Side, SpaceID(a-ActSpace), 1)
}

// chooseStep carries out D23, for the operation or for an event.
func (g *game) chooseStep(p *Position, w *flow.Witness, a engine.Action) {
	if a != ActDone {
		p.Social = Marker(a - ActSM)
		if w != nil {
			w.All("social_media", "R13.3.1", flow.Arg("social_media", smNames[p.Social]), bySeat("edge", g.edge(p)))
		}
	}
	if p.Op.Kind == socialMedia {
		p.Op.Stage = socialAttacks
		return
	}
	if p.Event.Left--; a == ActDone {
		p.Event.Left = 0
	}
}

// chooseAttack implements R13.3.3: Feed, Censor, Persuade, Distract, Enrage, Convert.
func (g *game) chooseAttack(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Op
	if a == ActDone {
		p.endOperation()
		return
	}
	k := socialAttack(a - ActAttack)
	f.Budget -= g.box.attacks[k]
	switch k {
	case feed:
		p.startNews(newsFeed, f.Side, 1, false)
	case censor:
		p.startNews(newsCensor, f.Side, 1, false)
	case persuade:
		f.Stage = socialPersuade
	case distract:
		f.Stage = socialDistract
		p.startNews(newsCycle, f.Side, 0, false)
	case enrage:
		f.Stage = socialEnrage
	case convert:
		f.Stage = socialConvert
	}
}

// hackChoice is an effect of a hack.
type hackChoice uint8

// Effects of a hack, in the order of the vocabulary (R13.4.2).
const (
	hackIntelligence hackChoice = iota
	hackTheftEffect
	hackDenial
	hackRestore
	hackSecure
	hackInvade
)

var hackNames = []string{"a", "b", "c", "d", "e", "f"}

// hack implements R13.4 (Hack, of which the rulebook prints parts twice, Q33): R13.4.1 a roll, unless an event grants success; then
// D32.
func (g *game) hack(p *Position, w *flow.Witness, f *OperationFrame) bool {
	switch f.Stage {
	case opBegin:
		return p.wait(chanceHack)
	case hackTheft:
		if f.Theft.Dice > 0 {
			return p.wait(chanceTheft)
		}
		g.gain(p, w, "R13.4.2", f.Side, g.lose(p, w, "R13.4.2", 1-f.Side, f.Theft.Sum)) // what was really lost (Q39)
		p.endOperation()
		return false
	}
	p.decide(AskHack, f.Side)
	for k := range hackChoice(len(hackNames)) {
		if g.canHack(p, f, k) {
			p.allow(ActHack + engine.Action(k))
		}
	}
	if p.Choices().Size() == 0 {
		p.allow(ActDone)
	}
	return true
}

// HackFaces implements R13.4.1: how many faces of the die are a success with so many Ops.
func (b *Box) HackFaces(ops int) int { return max(0, min(d6Faces+1+ops-b.hackSuccess, d6Faces)) }

// hackRolled carries out C7.
func (g *game) hackRolled(p *Position, w *flow.Witness, a engine.Action) {
	face := int(a-outD6) + 1
	success := face > d6Faces-g.box.HackFaces(int(p.Op.Ops))
	if w != nil {
		w.All("hack_roll", "R13.4.1", bySeat("side", p.Op.Side), flow.Arg("die", face), flow.Arg("ops", int(p.Op.Ops)), flow.Arg("success", success))
	}
	if !success {
		p.endOperation()
		return
	}
	p.Op.Stage = hackEffect
}

// theftRolled carries out C8: the sum of two dice.
func (g *game) theftRolled(p *Position, w *flow.Witness, a engine.Action) {
	face := uint8(a-outD6) + 1
	p.Op.Theft.Sum += face
	p.Op.Theft.Dice--
	tellDie(w, "R13.4.2", face)
}

// canHack implements R13.4.3: Shields of the other HQ bar the first three effects.
func (g *game) canHack(p *Position, f *OperationFrame, k hackChoice) bool {
	other := 1 - f.Side
	if k <= hackDenial && p.Shields[other] > 0 && !f.Terms.Ignore {
		return false
	}
	switch k {
	case hackTheftEffect:
		return p.Resources[other] >= 1
	case hackDenial:
		return p.Hacked[other] < g.box.maxHacked
	case hackRestore:
		return p.Hacked[f.Side] > 0
	case hackSecure:
		return p.Shields[f.Side] < g.box.maxShields
	case hackInvade:
		return p.Shields[other] > 0
	}
	return true
}

// chooseHack implements R13.4.2; markers move Rebellion Power at once (R13.4.4), since
// it is derived from them.
func (g *game) chooseHack(p *Position, w *flow.Witness, a engine.Action) {
	f := &p.Op
	other := 1 - f.Side
	if a != ActDone {
		switch hackChoice(a - ActHack) {
		case hackIntelligence:
			g.inspect(p, w, "R13.4.2", other)
		case hackTheftEffect:
			f.Stage, f.Theft.Dice, f.Theft.Sum = hackTheft, 2, 0
			return
		case hackDenial:
			g.setHQ(p, w, "R13.4.2", other, p.Hacked[other]+1, p.Shields[other])
		case hackRestore:
			g.setHQ(p, w, "R13.4.2", f.Side, p.Hacked[f.Side]-1, p.Shields[f.Side])
		case hackSecure:
			g.setHQ(p, w, "R13.4.2", f.Side, p.Hacked[f.Side], p.Shields[f.Side]+1)
		case hackInvade:
			g.setHQ(p, w, "R13.4.2", other, p.Hacked[other], p.Shields[other]-1)
		}
	}
	p.endOperation()
}

// setHQ sets the markers of an HQ.
func (g *game) setHQ(p *Position, w *flow.Witness, rule string, side Side, hacked, shields uint8) {
	before := g.power(p)
	p.Hacked[side], p.Shields[side] = hacked, shields
	if w != nil {
		w.All("hq", rule, bySeat("side", side), flow.Arg("hacked", int(hacked)), flow.Arg("shields", int(shields)))
	}
	g.tellPower(p, w, before)
}

// inspect implements R19.2: the other side sees a hand.
func (g *game) inspect(p *Position, w *flow.Witness, rule string, side Side) {
	p.Known[side] = p.Hand[side]
	if w != nil {
		w.All("hand_seen", rule, bySeat("side", side), flow.Arg("cards", cards(p.Hand[side])))
	}
}
