package insurgency

import (
	"fmt"
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/insurgency"
)

// try returns what the situation is worth to the player after an action and what
// follows from it without a further choice of a card or operation.
func (t *thought) try(a engine.Action) float64 {
	t.trial.CopyFrom(t.state)
	t.apply(a)
	t.finish()
	return t.trialWorth()
}

// apply makes a move in the trial and looks at what it has led to.
func (t *thought) apply(a engine.Action) {
	if err := t.trial.Apply(a); err != nil {
		panic(fmt.Sprintf("scripted: insurgency refuses a move that it offered: %v", err))
	}
	t.trial.See(t.seat, t.seen)
}

// trialWorth returns what the trial is worth to the player.
func (t *thought) trialWorth() float64 {
	if winner, _, _ := t.seen.Winner(); winner != insurgency.Nobody {
		if winner == t.me {
			return wonWorth
		}
		return -wonWorth
	}
	t.after.read(t.seen)
	return sign(t.me) * t.totalAfter()
}

// maxSteps bounds a trial: no event asks for more.
const maxSteps = 100

// finish carries on with the trial until the next card or operation, or the next
// piece of a set-up, is to be chosen, or the round is over. The level below chooses on the way; the last level
// stops choosing as soon as it may.
func (t *thought) finish() {
	for step := range maxSteps {
		s := t.seen
		d := s.Decision()
		if s.ToAct() == engine.Terminal || d == insurgency.AskCard || d == insurgency.AskOperation || d >= insurgency.AskSetUpSpace {
			return
		}
		if s.ToAct() == engine.Chance {
			if s.EventOwner() == insurgency.Nobody && s.Operation() < 0 {
				return // the news and the deal of a new round
			}
			t.apply(t.happens(step))
			continue
		}
		t.legal = t.trial.Legal(t.legal[:0])
		if t.samePicks() {
			t.apply(insurgency.ActDone)
			continue
		}
		if t.below != nil {
			t.apply(t.below.choose(t.trial, s, t.legal))
			continue
		}
		t.apply(t.plain())
	}
}

// happens returns an outcome of the chance event that the trial has come to: dice
// fall low and high by turns, so that several come to about their mean.
func (t *thought) happens(step int) engine.Action {
	t.outcomes = t.trial.Outcomes(t.outcomes[:0])
	n := len(t.outcomes)
	const stride = 7 // prime to 6 and 20
	return t.outcomes[(n/2+step*stride*n/12)%n].Action
}

// plain returns the choice of the last level: to stop, if it may, or else the
// first action.
func (t *thought) plain() engine.Action {
	for _, a := range t.legal {
		if a == insurgency.ActDone || a == insurgency.ActNo {
			return a
		}
	}
	return t.legal[0]
}

// samePicks tells whether the trial has come back to the selection of spaces that
// it began with and may stop there, so that one space is tried at a time.
func (t *thought) samePicks() bool {
	return t.view.Decision() == insurgency.AskSpace && t.seen.Decision() == insurgency.AskSpace &&
		int(t.view.P.Event.PC) == int(t.seen.P.Event.PC) && slices.Contains(t.legal, insurgency.ActDone)
}

// totalAfter is total of the board after the trial. Most spaces are as they were,
// and so is what they are worth.
func (t *thought) totalAfter() float64 {
	a, b := &t.after, &t.b
	if a.momenta != b.momenta {
		return a.total(t.places)
	}
	if !t.valued {
		for i := range b.at {
			t.values[i] = b.value(&t.places[i], &b.at[i])
		}
		t.valued = true
	}
	v := a.tracks()
	for i := range a.at {
		if a.at[i] == b.at[i] {
			v += t.values[i]
		} else {
			v += a.value(&t.places[i], &a.at[i])
		}
	}
	return v
}
