package roster

import (
	"cmp"

	"powderkeg/agents/learned"
	"powderkeg/engine"
)

// guide lets a network judge the positions of a search. It implements
// search.Evaluator.
type guide struct {
	policy *learned.Policy
	// largest is the return that a network's value of 1 stands for.
	largest float32
	values  []float32 // by seat
	fault   error
}

func newGuide(g engine.Game, brain *learned.Brain) *guide {
	spec := g.Spec()
	return &guide{
		policy:  brain.NewPolicy(1),
		largest: max(-spec.MinReturn, spec.MaxReturn),
		values:  make([]float32, spec.Seats),
	}
}

// Evaluate implements search.Evaluator. The network speaks from the side of the
// seat that acts; a search counts by seats.
func (g *guide) Evaluate(view engine.View, seat engine.Player, legal []engine.Action, priors []float32) []float32 {
	_, values := g.policy.Evaluate(priors[:0], view, seat, legal)
	if err := g.policy.Err(); err != nil {
		g.fault = cmp.Or(g.fault, err)
		clear(g.values)
		for i := range priors {
			priors[i] = 1 / float32(len(priors))
		}
		return g.values
	}
	for k, v := range values {
		g.values[(int(seat)+k)%len(values)] = v * g.largest
	}
	return g.values
}

// Fault implements search.Failing.
func (g *guide) Fault() (err error) {
	err, g.fault = g.fault, nil
	return err
}
