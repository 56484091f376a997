package solve

import (
	"math"

	"powderkeg/engine"
)

// Evaluation is what a joint policy is worth.
type Evaluation struct {
	// Values is what each seat expects.
	Values []float64
	// Responses is what each seat would expect if it alone went over to its best
	// response.
	Responses []float64
	// NashConv is the sum over the seats of Responses less Values, 0 exactly at an
	// equilibrium.
	NashConv float64
	// Exploitability is NashConv divided by the number of seats, as OpenSpiel has
	// it; with two seats it is what a best response gains on average over the value
	// of the game. It is defined for zero-sum games alone and NaN for others.
	Exploitability float64
}

// ZeroSum reports whether Exploitability is defined.
func (e Evaluation) ZeroSum() bool { return !math.IsNaN(e.Exploitability) }

// Evaluate computes exactly what the policy is worth and how far it is from an
// equilibrium.
func (t *Tree) Evaluate(p *Policy) Evaluation {
	e := Evaluation{Values: t.Values(p), Exploitability: math.NaN()}
	reach, gains := t.reach(p.probs), t.perSequence()
	for i := range t.sides {
		t.gains(i, reach, gains[i])
		r := t.sides[i].respond(gains[i], nil)
		e.Responses = append(e.Responses, r)
		e.NashConv += r - e.Values[i]
	}
	if t.game.Spec().Payoff == engine.ZeroSum {
		e.Exploitability = e.NashConv / float64(t.Seats())
	}
	return e
}

// Values returns what each seat expects when all play the policy.
func (t *Tree) Values(p *Policy) []float64 {
	reach := t.reach(p.probs)
	values := make([]float64, t.Seats())
	for end, x := range t.chance {
		for i := range t.sides {
			x *= reach[i][t.sides[i].last[end]]
		}
		for i := range t.sides {
			values[i] += x * float64(t.sides[i].returns[end])
		}
	}
	return values
}

// BestResponse returns the most that a seat can expect while the others play the
// policy, and the policy in which it does so: it takes the best action of each
// information state, the first of equally good ones, and the others play on as
// before.
func (t *Tree) BestResponse(p *Policy, seat engine.Player) (float64, *Policy) {
	s := &t.sides[seat]
	gains := make([]float64, s.sequences())
	t.gains(int(seat), t.reach(p.probs), gains)
	best := &Policy{t, append([][]float64(nil), p.probs...)}
	best.probs[seat] = make([]float64, s.sequences())
	return s.respond(gains, best.probs[seat]), best
}

// reach returns the probability with which each seat plays each of its sequences,
// as far as it is up to the seat.
func (t *Tree) reach(probs [][]float64) [][]float64 {
	reach := t.perSequence()
	for i := range t.sides {
		t.sides[i].reach(probs[i], reach[i])
	}
	return reach
}

// reach multiplies the probabilities of a seat down its sequences.
func (s *side) reach(probs, dst []float64) {
	dst[0] = 1
	for i, parent := range s.parent {
		x := dst[parent]
		for q := s.first[i]; q < s.first[i+1]; q++ {
			dst[q] = x * probs[q]
		}
	}
}

// gains writes for each sequence of a seat what the seat gains at the ends of the
// game whose last own sequence it is: the sum of returns, each times the
// probability that chance and the other seats go there. This is the gradient of
// the seat's expectation in its own reach.
func (t *Tree) gains(seat int, reach [][]float64, dst []float64) {
	clear(dst)
	s := &t.sides[seat]
	for end, x := range t.chance {
		for i := range t.sides {
			if i != seat {
				x *= reach[i][t.sides[i].last[end]]
			}
		}
		dst[s.last[end]] += x * float64(s.returns[end])
	}
}

// respond returns the seat's best expectation from the gains of its sequences, and
// marks its choices in probs unless that is nil. The gains are spoilt: each
// sequence's grow by what follows it. Information states are numbered after those
// that lead to them, so that going backwards meets what follows first.
func (s *side) respond(gains, probs []float64) float64 {
	if probs != nil {
		clear(probs)
		probs[0] = 1
	}
	for i := len(s.states) - 1; i >= 0; i-- {
		best := s.first[i]
		for q := best + 1; q < s.first[i+1]; q++ {
			if gains[q] > gains[best] {
				best = q
			}
		}
		gains[s.parent[i]] += gains[best]
		if probs != nil {
			probs[best] = 1
		}
	}
	return gains[0]
}
