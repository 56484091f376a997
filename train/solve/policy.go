package solve

import (
	"fmt"
	"math"
	"slices"

	"powderkeg/agents/tabular"
	"powderkeg/engine"
)

// Policy is a joint policy: for every information state of every seat the
// probability of each of its legal actions. It belongs to the tree that it was
// made for.
type Policy struct {
	tree *Tree
	// probs is the probability of the last action of each sequence of each seat,
	// with 1 for the empty sequence.
	probs [][]float64
}

// Uniform returns the policy that plays each legal action with the same
// probability.
func (t *Tree) Uniform() *Policy {
	p := &Policy{t, t.perSequence()}
	for i := range t.sides {
		uniform(&t.sides[i], p.probs[i])
	}
	return p
}

// perSequence returns a number for each sequence of each seat, all 0.
func (t *Tree) perSequence() [][]float64 {
	list := make([][]float64, len(t.sides))
	for i := range t.sides {
		list[i] = make([]float64, t.sides[i].sequences())
	}
	return list
}

func uniform(s *side, probs []float64) {
	probs[0] = 1
	for i := range s.states {
		spread(probs[s.first[i]:s.first[i+1]])
	}
}

// spread makes a uniform distribution.
func spread(probs []float64) {
	for k := range probs {
		probs[k] = 1 / float64(len(probs))
	}
}

// tolerance is how far a distribution may be from adding up to 1. It leaves room
// for what a network's softmax loses in single precision.
const tolerance = 1e-4

// Policy returns the joint policy that fill describes. It is called once a seat,
// with all of the seat's information states in the order of InfoStates, so that a
// network can judge them in one batch, and writes to probabilities[k] one number
// for each action of states[k].Legal, in that order. They must be at least 0 and
// add up to 1 within 1e-4; what is missing to 1 is made up in proportion. An error
// of fill is returned as it is.
func (t *Tree) Policy(fill func(states []InfoState, probabilities [][]float64) error) (*Policy, error) {
	p := &Policy{t, t.perSequence()}
	for i := range t.sides {
		s, probs := &t.sides[i], p.probs[i]
		probs[0] = 1
		rows := make([][]float64, len(s.states))
		for k := range rows {
			rows[k] = probs[s.first[k]:s.first[k+1]:s.first[k+1]]
		}
		if err := fill(s.states, rows); err != nil {
			return nil, err
		}
		for k, row := range rows {
			if err := normalise(probs[s.first[k]:s.first[k+1]], row); err != nil {
				return nil, fmt.Errorf("solve: seat %d, information state %q: %w", i, s.states[k].Key, err)
			}
		}
	}
	return p, nil
}

// Ask returns the joint policy of somebody who is asked in one information state after another,
// in the order of InfoStates of the first seat, then of the next. Nobody is asked where there is
// one action alone, or where the answers before keep the seat itself from coming: there each
// action counts as equally likely. What the answers must be, Policy says.
func (t *Tree) Ask(ask func(s InfoState, probabilities []float64) error) (*Policy, error) {
	p := t.Uniform()
	for i := range t.sides {
		s, probs := &t.sides[i], p.probs[i]
		comes := make([]bool, s.sequences())
		comes[0] = true
		for k, state := range s.states {
			row := probs[s.first[k]:s.first[k+1]]
			if len(row) > 1 && comes[s.parent[k]] {
				clear(row)
				if err := ask(state, row); err != nil {
					return nil, err
				}
				if err := normalise(row, row); err != nil {
					return nil, fmt.Errorf("solve: seat %d, information state %q: %w", i, state.Key, err)
				}
			}
			for q, x := range row {
				comes[s.first[k]+int32(q)] = comes[s.parent[k]] && x > 0
			}
		}
	}
	return p, nil
}

// normalise checks a distribution and copies it to dst, scaled to add up to 1.
func normalise(dst, row []float64) error {
	if len(row) != len(dst) {
		return fmt.Errorf("%d probabilities for %d actions", len(row), len(dst))
	}
	sum := 0.0
	for _, x := range row {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("probabilities are %v; each must be from 0 to 1", row)
		}
		sum += x
	}
	if math.Abs(sum-1) > tolerance {
		return fmt.Errorf("probabilities %v add up to %g, want 1", row, sum)
	}
	for k, x := range row {
		dst[k] = x / sum
	}
	return nil
}

// Probabilities returns the probability of each legal action in information state
// i of the seat, in the order of its Legal. The caller must not change them.
func (p *Policy) Probabilities(seat engine.Player, i int) []float64 {
	s := &p.tree.sides[seat]
	return p.probs[seat][s.first[i]:s.first[i+1]:s.first[i+1]]
}

// Tabular writes the policy down by key, to be stored or played. It refuses trees
// whose keys forget.
func (p *Policy) Tabular() (*tabular.Policy, error) {
	t := p.tree
	if t.Forgets() {
		return nil, fmt.Errorf("solve: the keys of %s forget what a seat has done, so that no policy can be written down by key", t.game.Spec().Text)
	}
	var rows []tabular.Row
	for i := range t.sides {
		for k, s := range t.sides[i].states {
			rows = append(rows, tabular.Row{Seat: s.Seat, Key: s.Key, Actions: s.Legal, Probabilities: p.Probabilities(s.Seat, k)})
		}
	}
	return tabular.New(t.game, rows)
}

// FromTabular returns the policy that is written down, uniform where nothing is. It
// refuses one that plays an illegal action.
func (t *Tree) FromTabular(written *tabular.Policy) (*Policy, error) {
	return t.Policy(func(states []InfoState, probabilities [][]float64) error {
		for i, s := range states {
			if err := Written(probabilities[i], written, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// Written writes the probabilities that a policy plays with in an information state to dst, which is zero:
// uniform ones where nothing is written down.
func Written(dst []float64, written *tabular.Policy, s InfoState) error {
	row, ok := written.Probabilities([]byte(s.Key))
	if !ok {
		spread(dst)
		return nil
	}
	for k, a := range row.Actions {
		j, legal := slices.BinarySearch(s.Legal, a)
		switch {
		case legal:
			dst[j] = row.Probabilities[k]
		case row.Probabilities[k] > 0:
			return fmt.Errorf("solve: information state %q: the policy plays action %d, legal are %v", s.Key, a, s.Legal)
		}
	}
	return nil
}

// With returns the joint policy in which one seat plays other, and the others go on as
// before. Both belong to the same tree.
func (p *Policy) With(seat engine.Player, other *Policy) *Policy {
	joint := &Policy{p.tree, slices.Clone(p.probs)}
	joint.probs[seat] = other.probs[seat]
	return joint
}
