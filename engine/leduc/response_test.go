package leduc_test

import (
	"math"
	"testing"
	"time"

	"powderkeg/engine"
)

// Best response is what tabular methods ask of the interfaces: a walk over the
// whole tree that gathers the information states of one seat. Against a
// uniformly random opponent OpenSpiel's NashConv of the uniform policy is
// 4.747222 (2.373611, the exploitability of a first iteration of CFR, times two).
func TestBestResponseToUniformPlay(t *testing.T) {
	start := time.Now()
	conv := 0.0
	for seat := range engine.Player(2) {
		r := responder{g: game(t), seat: seat, nodes: map[string][]node{}, best: map[string]engine.Action{}}
		r.gather(r.g.New(), 1)
		conv += r.value(r.g.New())
	}
	if math.Abs(conv-4.747222) > 1e-5 {
		t.Errorf("NashConv of uniform play is %.6f, want 4.747222", conv)
	}
	t.Logf("two best responses in %v", time.Since(start))
}

// node is a state of an information state with its reach probability, the
// responder's own choices left out.
type node struct {
	state engine.State
	reach float64
}

type responder struct {
	g     engine.Game
	seat  engine.Player
	nodes map[string][]node
	best  map[string]engine.Action
}

// each calls f with every successor and its probability; that of the responder's
// own moves is 1.
func (r *responder) each(s engine.State, f func(next engine.State, p float64)) {
	step := func(a engine.Action, p float64) {
		next := engine.Clone(r.g, s)
		if err := next.Apply(a); err != nil {
			panic(err)
		}
		f(next, p)
	}
	if s.ToAct() == engine.Chance {
		outcomes := s.(engine.Stochastic).Outcomes(nil)
		for _, o := range outcomes {
			step(o.Action, float64(o.Weight)/float64(engine.Total(outcomes)))
		}
		return
	}
	legal := s.Legal(nil)
	p := 1 / float64(len(legal))
	if s.ToAct() == r.seat {
		p = 1
	}
	for _, a := range legal {
		step(a, p)
	}
}

func (r *responder) key(s engine.State) string {
	return string(s.(engine.Recaller).InfoState(nil, r.seat))
}

func (r *responder) gather(s engine.State, reach float64) {
	if s.ToAct() == engine.Terminal {
		return
	}
	if s.ToAct() == r.seat {
		r.nodes[r.key(s)] = append(r.nodes[r.key(s)], node{s, reach})
	}
	r.each(s, func(next engine.State, p float64) { r.gather(next, reach*p) })
}

// value is what the responder gets from s on with its best play.
func (r *responder) value(s engine.State) float64 {
	switch s.ToAct() {
	case engine.Terminal:
		return float64(s.Returns(nil)[r.seat])
	case r.seat:
		next := engine.Clone(r.g, s)
		if err := next.Apply(r.choose(r.key(s))); err != nil {
			panic(err)
		}
		return r.value(next)
	}
	sum := 0.0
	r.each(s, func(next engine.State, p float64) { sum += p * r.value(next) })
	return sum
}

// choose returns the action that is best over all states of the information
// state.
func (r *responder) choose(key string) engine.Action {
	if a, ok := r.best[key]; ok {
		return a
	}
	var best engine.Action
	top := math.Inf(-1)
	for _, a := range r.nodes[key][0].state.Legal(nil) {
		sum := 0.0
		for _, n := range r.nodes[key] {
			next := engine.Clone(r.g, n.state)
			if err := next.Apply(a); err != nil {
				panic(err)
			}
			sum += n.reach * r.value(next)
		}
		if sum > top {
			best, top = a, sum
		}
	}
	r.best[key] = best
	return best
}
