package solve_test

import (
	"math"
	"testing"

	"powderkeg/engine"
	"powderkeg/train/solve"
)

// This file is the slow twin of the package: recursion over the states of the
// engine and maps over keys, nothing compiled and nothing shared.

// behaviour gives the probabilities of the legal actions by key.
type behaviour map[string][]float64

// behaviourOf reads a policy by key.
func behaviourOf(t testing.TB, tree *solve.Tree, p *solve.Policy) behaviour {
	t.Helper()
	b := behaviour{}
	for seat := range engine.Player(tree.Seats()) {
		for i, s := range tree.InfoStates(seat) {
			if b[s.Key] != nil {
				t.Fatalf("key %q occurs twice", s.Key)
			}
			b[s.Key] = p.Probabilities(seat, i)
		}
	}
	return b
}

// slow walks one game.
type slow struct {
	g    engine.Game
	play behaviour
}

func (w slow) key(s engine.State) string {
	return string(s.(engine.Recaller).InfoState(nil, s.ToAct()))
}

func (w slow) after(s engine.State, a engine.Action) engine.State {
	next := engine.Clone(w.g, s)
	if err := next.Apply(a); err != nil {
		panic(err)
	}
	return next
}

// each calls f with every successor of s, the move to it and its probability.
func (w slow) each(s engine.State, f func(next engine.State, p float64)) {
	if s.ToAct() == engine.Chance {
		outcomes := s.(engine.Stochastic).Outcomes(nil)
		for _, o := range outcomes {
			f(w.after(s, o.Action), float64(o.Weight)/float64(engine.Total(outcomes)))
		}
		return
	}
	for k, a := range s.Legal(nil) {
		f(w.after(s, a), w.play[w.key(s)][k])
	}
}

// values returns what every seat expects from s on.
func (w slow) values(s engine.State) []float64 {
	sum := make([]float64, w.g.Spec().Seats)
	if s.ToAct() == engine.Terminal {
		for i, r := range s.Returns(nil) {
			sum[i] = float64(r)
		}
		return sum
	}
	w.each(s, func(next engine.State, p float64) {
		for i, v := range w.values(next) {
			sum[i] += p * v
		}
	})
	return sum
}

// responder finds a best response by gathering the states of each information
// state of its seat.
type responder struct {
	slow
	seat  engine.Player
	nodes map[string][]node
	best  map[string]engine.Action
}

// node is a state of an information state with its reach probability, the
// responder's own choices left out.
type node struct {
	state engine.State
	reach float64
}

// response returns what the seat's best response expects.
func (w slow) response(seat engine.Player) float64 {
	r := responder{w, seat, map[string][]node{}, map[string]engine.Action{}}
	r.gather(w.g.New(), 1)
	return r.value(w.g.New())
}

func (r *responder) gather(s engine.State, reach float64) {
	switch s.ToAct() {
	case engine.Terminal:
	case r.seat:
		r.nodes[r.key(s)] = append(r.nodes[r.key(s)], node{s, reach})
		for _, a := range s.Legal(nil) {
			r.gather(r.after(s, a), reach)
		}
	default:
		r.each(s, func(next engine.State, p float64) { r.gather(next, reach*p) })
	}
}

func (r *responder) value(s engine.State) float64 {
	switch s.ToAct() {
	case engine.Terminal:
		return float64(s.Returns(nil)[r.seat])
	case r.seat:
		return r.value(r.after(s, r.choose(r.key(s))))
	}
	sum := 0.0
	r.each(s, func(next engine.State, p float64) { sum += p * r.value(next) })
	return sum
}

// choose returns the action that is best over all states of the information state.
func (r *responder) choose(key string) engine.Action {
	if a, ok := r.best[key]; ok {
		return a
	}
	var best engine.Action
	top := math.Inf(-1)
	for _, a := range r.nodes[key][0].state.Legal(nil) {
		sum := 0.0
		for _, n := range r.nodes[key] {
			sum += n.reach * r.value(r.after(n.state, a))
		}
		if sum > top {
			best, top = a, sum
		}
	}
	r.best[key] = best
	return best
}
