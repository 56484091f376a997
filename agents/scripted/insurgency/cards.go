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
		case insurgency.AskCard:
			if a == insurgency.ActRemove {
				continue // a piece on the map is never a burden
			}
			v = t.cardGain(int(a-insurgency.ActCard) + 1)
		case insurgency.AskMode:
			v = t.modeGain(int(a-insurgency.ActMode) + 1)
		case insurgency.AskOperation:
			_, v = t.reservesFor(int(a-insurgency.ActOp), t.view.Ops())
		case insurgency.AskReserves:
			n := int(a - insurgency.ActAmount)
			v = t.operation(t.view.Operation(), t.view.Ops()+n) - t.b.w.point*float64(n)
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
	facts := t.view.Card(n)
	ops := t.opsGain(facts.Ops, facts.Side != 1-t.me)
	event := t.eventGain(n)
	if facts.Side != 1-t.me {
		return max(ops, event) - t.b.w.card
	}
	v := ops + event
	if !t.view.P.SocialUsed[t.me] && t.game.Allows(insurgency.SocialMedia, facts.Ops, t.b.momenta) {
		v = max(v, t.socialGain(facts.Ops))
	}
	return v
}

// opsGain returns what the best operation with the Ops of a card gains.
func (t *thought) opsGain(ops int, social bool) float64 {
	return t.bestOperation(ops, social || t.view.P.SocialUsed[t.me])
}

// modeGain returns what a mode of the running card gains.
func (t *thought) modeGain(mode int) float64 {
	card, _ := t.view.RunningCard()
	facts := t.view.Card(card)
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
		t.forgetGains()
		gain += t.opsGain(facts.Ops, false)
		t.forgetGains()
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
	if t.view.Card(n).Side == 1-t.me {
		mode = insurgency.ModeEventOps
	}
	t.apply(insurgency.ActMode + engine.Action(mode-1))
	t.finish()
	return t.trialWorth() - t.worth
}

// readHand counts the own cards to come by their Ops, and what they can do. Of the
// other side's it is not known.
func (t *thought) readHand() {
	const held = 4. // cards among which some Ops are likely
	t.hand = [insurgency.MaxOps + 1]int{}
	for side := range t.b.horizon.can {
		n := float64(t.b.hand[side])
		t.b.horizon.can[side] = [insurgency.MaxOps + 1]float64{1, min(1, n), min(1, n*0.8), min(1, n/held) * 0.6}
	}
	if t.me != t.seat {
		return
	}
	own := t.view.P.Hand[t.me]
	for n := own.Next(0); n != 0; n = own.Next(n) {
		t.hand[t.view.Card(int(n)).Ops]++
	}
	t.spend(0)
}

// spend sets what the own cards can do after one with so many Ops, 0 for none.
func (t *thought) spend(ops int) {
	if t.me != t.seat {
		return
	}
	const rest = 0.15 // cards of the next round
	left := t.hand
	if ops > 0 && left[ops] > 0 {
		left[ops]--
	}
	sum := 0
	can := &t.b.horizon.can[t.me]
	for k := insurgency.MaxOps; k > 0; k-- {
		sum += left[k]
		n := sum
		if k > 1 && t.b.reserves[t.me] > 0 {
			n += left[k-1]
		}
		can[k] = rest
		if n > 0 {
			can[k] = 1
		}
	}
}
