package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/insurgency"
)

// chooseCard makes the decisions D1 to D4: which card, how, for which operation and
// with how many reserve points.
func (t *thought) chooseCard(d int, legal []engine.Action) engine.Action {
	t.worth = sign(t.me) * t.b.total(t.places)
	best, bestScore := legal[0], 2*never
	for _, a := range legal {
		v := 0.0
		switch d {
		case cardDecision:
			if a == insurgency.ActRemove {
				continue // a piece on the map is never a burden
			}
			v = t.cardGain(int(a-insurgency.ActCard) + 1)
		case modeDecision:
			v = t.modeGain(int(a-insurgency.ActMode) + 1)
		case operationDecision:
			_, v = t.reservesFor(int(a-insurgency.ActOp), t.state.Ops())
		case reservesDecision:
			n := int(a - insurgency.ActAmount)
			v = t.operation(t.state.Operation(), t.state.Ops()+n) - t.b.w.point*float64(n)
		}
		if v > bestScore {
			best, bestScore = a, v
		}
	}
	return best
}

// cardGain returns what a card of the hand gains, played in the best way. Ops are
// worth the same whichever card gives them, so a good event makes the card come
// early, and the enemy's event makes it come late.
func (t *thought) cardGain(n int) float64 {
	facts := t.state.Card(n)
	ops := t.opsGain(facts.Ops, facts.Side != 1-t.me)
	event := t.eventGain(n)
	if facts.Side != 1-t.me {
		return max(ops, event) - t.b.w.card
	}
	v := ops + event
	if !t.state.UsedSocialMedia(t.me) && !t.b.momenta[blackout] {
		v = max(v, t.socialGain(facts.Ops))
	}
	return v
}

// opsGain returns what the best operation with the Ops of a card gains.
func (t *thought) opsGain(ops int, social bool) float64 {
	return t.bestOperation(ops, social || t.state.UsedSocialMedia(t.me))
}

// modeGain returns what a mode of the running card gains.
func (t *thought) modeGain(mode int) float64 {
	card, _ := t.state.RunningCard()
	facts := t.state.Card(card)
	switch mode {
	case insurgency.ModeEvent:
		return t.runningEvent(mode)
	case insurgency.ModeOps:
		return t.opsGain(facts.Ops, true)
	case insurgency.ModeBurn:
		return t.socialGain(facts.Ops)
	case insurgency.ModeEventOps: // the operation answers the event
		gain := t.runningEvent(mode)
		saved := t.b
		t.b = t.after
		gain += t.opsGain(facts.Ops, false)
		t.b = saved
		return gain
	}
	return t.opsGain(facts.Ops, false) + t.runningEvent(insurgency.ModeEventOps)
}

// runningEvent returns what the event of the running card does to the player's
// situation, in a mode in which it comes first.
func (t *thought) runningEvent(mode int) float64 {
	return t.try(insurgency.ActMode+engine.Action(mode-1)) - t.worth
}

// eventGain returns what the event of a card of the hand does to the player's
// situation.
func (t *thought) eventGain(n int) float64 {
	t.trial.CopyFrom(t.state)
	t.apply(insurgency.ActCard + engine.Action(n-1))
	mode := insurgency.ModeEvent
	if t.state.Card(n).Side == 1-t.me {
		mode = insurgency.ModeEventOps
	}
	t.apply(insurgency.ActMode + engine.Action(mode-1))
	t.finish()
	return t.trialWorth() - t.worth
}
