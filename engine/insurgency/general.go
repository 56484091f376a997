package insurgency

import (
	"powderkeg/engine"
)

// addReserves implements R13.2 (Reserves): the Ops go to the own reserve track, at
// most two in all, legal even there.
func (b Board) addReserves(f *OperationFrame) {
	b.setReserves("R13.2", f.Side, b.Reserves[f.Side]+f.Ops)
	b.endOperation()
}

// setReserves sets a reserve track within its limit.
func (b Board) setReserves(rule string, side Side, n uint8) {
	b.Reserves[side] = min(n, b.box.maxReserves)
	b.tell(reservesChanged, rule, side, b.Reserves[side])
}

// playSocial implements R13.3 (Social Media): one step of the marker or none (R13.3.2,
// Q20), then attacks while their Ops last (R13.3.3, Q21).
func (b Board) playSocial(f *OperationFrame) bool {
	switch f.Stage {
	case opBegin, socialPersuade:
		if f.Stage == opBegin {
			f.Budget = f.Ops
		}
		return b.askForStep(f.Side)
	case socialAttacks:
		return b.askForAttack(f)
	case socialDistract: // the cycle is over: D29
		f.Stage = socialAttacks
		b.startNews(newsSwap, f.Side, 0, true)
		return false
	case socialEnrage:
		b.decide(AskEnrage, f.Side)
		b.allowSpaces(b.enrageable())
		return true
	default:
		b.decide(AskConvert, f.Side)
		b.allowSpaces(b.convertible(f.Side))
		return true
	}
}

// askForStep implements D23 (R13.3.1): a legal neighbour of the marker, or DONE to
// stay.
func (b Board) askForStep(side Side) bool {
	b.decide(AskStep, side)
	b.allow(ActDone)
	for _, to := range b.box.sm[b.Social].moves {
		b.allow(ActSM + engine.Action(to))
	}
	return true
}

// askForAttack implements D24: attacks that the rest of the Ops pays for and that
// have a legal target; without one the operation is over.
func (b Board) askForAttack(f *OperationFrame) bool {
	b.decide(AskSocialAttack, f.Side)
	some := false
	for k, cost := range b.box.attacks {
		if cost <= f.Budget && b.canAttack(f, socialAttack(k)) {
			b.allow(ActAttack + engine.Action(k))
			some = true
		}
	}
	if !some {
		b.endOperation()
		return false
	}
	b.allow(ActDone)
	return true
}

// canAttack tells whether a Social Media attack has a target.
func (b Board) canAttack(f *OperationFrame, k socialAttack) bool {
	switch k {
	case censor:
		return b.Pool != 0
	case enrage:
		return b.enrageable() != 0
	case convert:
		return b.convertible(f.Side) != 0
	}
	return true
}

// enrageable implements D30 (Q8): spaces in Anger or Defiance.
func (b Board) enrageable() SpaceSet {
	return b.withStatus(1<<anger|1<<defiance) & b.inPlay()
}

// convertible implements D31: spaces with an enemy unit where an own unit may be
// placed.
func (b Board) convertible(side Side) SpaceSet {
	set := b.withUnits(1-side) & b.inPlay()
	if b.Plague != noSpace {
		set &^= 1 << b.Plague
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		if i := rest.First(); !b.canGet(side, false, i) {
			set &^= 1 << i
		}
	}
	return set
}

// chooseEnrage carries out D30.
func (b Board) chooseEnrage(a engine.Action) {
	b.toggle("R13.3.3", SpaceID(a-ActSpace))
	b.Op.Stage = socialAttacks
}

// chooseConvert carries out D31: one unit, no bases (Q46).
func (b Board) chooseConvert(a engine.Action) {
	b.Op.Stage = socialAttacks
	b.startPlacing(replaceUnit, b.Op.Side, SpaceID(a-ActSpace), 1)
}

// chooseStep carries out D23, for the operation or for an event.
func (b Board) chooseStep(a engine.Action) {
	if a != ActDone {
		b.Social = Marker(a - ActSM)
		b.tell(markerMoved, "R13.3.1", b.Social, b.edge())
	}
	if b.Op.Kind == socialMedia {
		b.Op.Stage = socialAttacks
		return
	}
	if b.Event.Left--; a == ActDone {
		b.Event.Left = 0
	}
}

// chooseAttack implements R13.3.3: Feed, Censor, Persuade, Distract, Enrage, Convert.
func (b Board) chooseAttack(a engine.Action) {
	f := &b.Op
	if a == ActDone {
		b.endOperation()
		return
	}
	k := socialAttack(a - ActAttack)
	f.Budget -= b.box.attacks[k]
	switch k {
	case feed:
		b.startNews(newsFeed, f.Side, 1, false)
	case censor:
		b.startNews(newsCensor, f.Side, 1, false)
	case persuade:
		f.Stage = socialPersuade
	case distract:
		f.Stage = socialDistract
		b.startNews(newsCycle, f.Side, 0, false)
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
func (b Board) hack(f *OperationFrame) bool {
	switch f.Stage {
	case opBegin:
		return b.wait(chanceHack)
	case hackTheft:
		if f.Theft.Dice > 0 {
			return b.wait(chanceTheft)
		}
		b.gain("R13.4.2", f.Side, b.lose("R13.4.2", 1-f.Side, f.Theft.Sum)) // what was really lost (Q39)
		b.endOperation()
		return false
	}
	b.decide(AskHack, f.Side)
	for k := range hackChoice(len(hackNames)) {
		if b.canHack(f, k) {
			b.allow(ActHack + engine.Action(k))
		}
	}
	if b.Choices().Size() == 0 {
		b.allow(ActDone)
	}
	return true
}

// HackFaces implements R13.4.1: how many faces of the die are a success with so many Ops.
func (b *Box) HackFaces(ops int) int { return max(0, min(d6Faces+1+ops-b.hackSuccess, d6Faces)) }

// hackRolled carries out C7.
func (b Board) hackRolled(a engine.Action) {
	face := int(a-outD6) + 1
	success := face > d6Faces-b.box.HackFaces(int(b.Op.Ops))
	if b.w != nil {
		b.tell(hackDieRolled, "R13.4.1", b.Op.Side, face, b.Op.Ops, success)
	}
	if !success {
		b.endOperation()
		return
	}
	b.Op.Stage = hackEffect
}

// theftRolled carries out C8: the sum of two dice.
func (b Board) theftRolled(a engine.Action) {
	face := uint8(a-outD6) + 1
	b.Op.Theft.Sum += face
	b.Op.Theft.Dice--
	b.tell(dieRolled, "R13.4.2", face)
}

// canHack implements R13.4.3: Shields of the other HQ bar the first three effects.
func (b Board) canHack(f *OperationFrame, k hackChoice) bool {
	other := 1 - f.Side
	if k <= hackDenial && b.Shields[other] > 0 && !f.Terms.Ignore {
		return false
	}
	switch k {
	case hackTheftEffect:
		return b.Resources[other] >= 1
	case hackDenial:
		return b.Hacked[other] < b.box.maxHacked
	case hackRestore:
		return b.Hacked[f.Side] > 0
	case hackSecure:
		return b.Shields[f.Side] < b.box.maxShields
	case hackInvade:
		return b.Shields[other] > 0
	}
	return true
}

// chooseHack implements R13.4.2; markers move Rebellion Power at once (R13.4.4), since
// it is derived from them.
func (b Board) chooseHack(a engine.Action) {
	f := &b.Op
	other := 1 - f.Side
	if a != ActDone {
		switch hackChoice(a - ActHack) {
		case hackIntelligence:
			b.inspect("R13.4.2", other)
		case hackTheftEffect:
			f.Stage, f.Theft.Dice, f.Theft.Sum = hackTheft, 2, 0
			return
		case hackDenial:
			b.setHQ("R13.4.2", other, b.Hacked[other]+1, b.Shields[other])
		case hackRestore:
			b.setHQ("R13.4.2", f.Side, b.Hacked[f.Side]-1, b.Shields[f.Side])
		case hackSecure:
			b.setHQ("R13.4.2", f.Side, b.Hacked[f.Side], b.Shields[f.Side]+1)
		case hackInvade:
			b.setHQ("R13.4.2", other, b.Hacked[other], b.Shields[other]-1)
		}
	}
	b.endOperation()
}

// setHQ sets the markers of an HQ.
func (b Board) setHQ(rule string, side Side, hacked, shields uint8) {
	before := b.power()
	b.Hacked[side], b.Shields[side] = hacked, shields
	b.tell(hqChanged, rule, side, hacked, shields)
	b.tellPower(before)
}

// inspect implements R19.2: the other side sees a hand.
func (b Board) inspect(rule string, side Side) {
	b.Known[side] = b.Hand[side]
	if b.w != nil {
		b.tell(handSeen, rule, side, cards(b.Hand[side]))
	}
}
