package search

import (
	"math/rand/v2"

	"powderkeg/engine"
)

// Beliefs deal worlds as likely as they are, in a game so small that all its situations can be gone
// through: by chance, and by how likely the others would have been to do in each what they did. A
// redeal takes all worlds that a view allows for equally likely, and so misses what a bet tells of a
// hand.
//
// They are never written once they are made, so that several goroutines may share them.
type Beliefs struct {
	worlds map[knowledge][]likely
}

// knowledge is what a seat knows at a decision of its own.
type knowledge struct {
	view uint64
	seat engine.Player
}

// likely is a world and how likely it is beside others of the same view.
type likely struct {
	state  engine.State
	weight float64
}

const (
	// smallGame and smallTree bound games that are gone through: their decisions, and the decisions
	// of all their courses together.
	smallGame, smallTree = 10, 10000
	// surprise is the share of its choices that a seat is supposed to make at random, so that no
	// world is ruled out by what somebody else would not have done.
	surprise = 0.1
	// askedOften is how often a judge is asked for a policy in the way that a Study asks: what one without
	// probabilities draws by chance must not pass for its habit.
	askedOften = 32
)

// NewBeliefs goes through a game in which every seat plays by a judge's policy. It returns nil for a
// game that is too large, or in which nothing is hidden. Errors are the judge's. A game that starts at a
// position is gone through from its own beginning: from there on nobody could have anything else in hand.
func NewBeliefs(g engine.Game, judge Judge) (*Beliefs, error) {
	g = engine.Original(g)
	s := g.New()
	if _, hides := s.(engine.Hidden); !hides || g.Spec().MaxDecisions > smallGame {
		return nil, nil
	}
	w := walk{game: g, judge: judge, policies: map[knowledge][]float64{}, Beliefs: Beliefs{map[knowledge][]likely{}}}
	reach := make([]float64, g.Spec().Seats+1)
	for i := range reach {
		reach[i] = 1
	}
	if !w.from(s, reach) || w.fault != nil {
		return nil, w.fault
	}
	return &w.Beliefs, nil
}

// walk goes through a game.
type walk struct {
	Beliefs
	game     engine.Game
	judge    Judge
	policies map[knowledge][]float64
	nodes    int
	fault    error
}

// from goes through all that follows from a state, and reports whether that was within bounds. reach has
// by how likely choices each seat, and at its end chance, has come there.
func (w *walk) from(s engine.State, reach []float64) bool {
	next := func(a engine.Action, by int, odds float64) bool {
		to, reached := engine.Clone(w.game, s), append([]float64(nil), reach...)
		if reached[by] *= odds; w.fault == nil {
			w.fault = to.Apply(a)
		}
		return w.fault == nil && w.from(to, reached)
	}
	p := s.ToAct()
	switch p {
	case engine.Terminal:
		return true
	case engine.Chance:
		outcomes, sum := s.(engine.Stochastic).Outcomes(nil), 0.0
		for _, o := range outcomes {
			sum += float64(o.Weight)
		}
		for _, o := range outcomes {
			if !next(o.Action, len(reach)-1, float64(o.Weight)/sum) {
				return false
			}
		}
		return true
	}
	if w.nodes++; w.nodes > smallTree {
		return false
	}
	view, legal, weight := engine.Look(s, p), s.Legal(nil), 1.0
	for i, r := range reach {
		if i != int(p) {
			weight *= r
		}
	}
	known := knowledge{view.Hash(), p}
	w.worlds[known] = append(w.worlds[known], likely{s, weight})
	policy := w.policies[known]
	if policy == nil {
		policy = make([]float64, len(legal))
		for n := range askedOften {
			odds, err := liking(w.judge, view, p, legal, known.view+uint64(n*asked), asked)
			if w.fault = err; err != nil {
				return false
			}
			for i, x := range odds {
				policy[i] += x / askedOften
			}
		}
		w.policies[known] = policy
	}
	for i, a := range legal {
		if !next(a, int(p), (1-surprise)*policy[i]+surprise/float64(len(legal))) {
			return false
		}
	}
	return true
}

// Deal makes a world one that the view of a seat allows, and reports whether it knows any; nil knows none.
func (b *Beliefs) Deal(world engine.State, view engine.View, seat engine.Player, rng *rand.PCG) bool {
	if b == nil {
		return false
	}
	list := b.worlds[knowledge{view.Hash(), seat}]
	sum := 0.0
	for _, w := range list {
		sum += w.weight
	}
	u := engine.Unit(rng) * sum
	for i, w := range list {
		if u -= w.weight; u < 0 || i == len(list)-1 {
			world.CopyFrom(w.state)
			return true
		}
	}
	return false
}
