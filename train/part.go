package train

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/train/rollout"
)

// Part is what was decided in a rollout in some neighbouring slots, of which there are n:
// all that is not known of it already where the slots stand as they did before. Observations,
// rewards and ends follow from it, at a small part of the cost of deciding, so that a part
// takes some bytes a decision and one that was made up is found out.
type Part struct {
	// Actions [T×n] were played, step by step.
	Actions []engine.Action
	// LogProbs [T×n] and Values [T×n×P] are those of rollout.Buffer, zero where the
	// learner did not decide; so is Logits [T×n×A], which is nil unless the policy is held
	// to the one that played.
	LogProbs []float32
	Values   []float32
	Logits   []float32
	// Next [n×P] are the NextValues after the last step, Cut those of truncated steps, in
	// their order.
	Next []float32
	Cut  []Cut
	// Choices are the generators of the choices afterwards, Hashes those of the positions.
	Choices [][]byte
	Hashes  []uint64
}

// Cut is what was to be expected, [P], when a step truncated an episode before a decision of
// the learner. Slots of a part count from 0.
type Cut struct {
	Step, Slot int
	Values     []float32
}

// PartShape says how large the parts of a run are.
type PartShape struct {
	Steps, Seats int
	// Logits is how many there are for each decision, 0 without them.
	Logits int
}

// PartShape returns that of a run with the config.
func (c Config) PartShape() (PartShape, error) {
	g, err := c.NewGame()
	if err != nil {
		return PartShape{}, err
	}
	s := PartShape{Steps: c.Steps, Seats: g.Spec().Seats}
	if c.PPO.HoldsToOld() {
		s.Logits = len(g.Spec().Actions)
	}
	return s, nil
}

// ErrPart is wrapped by the errors of parts that do not fit the games they are said to be of.
var ErrPart = errors.New("not what was played")

// part copies what the collector has just played in all of its slots.
func (k *collector) part() (*Part, error) {
	b := k.rollout
	n := b.Steps * b.Envs
	p := &Part{
		Actions: slices.Clone(b.Actions), LogProbs: make([]float32, n), Values: make([]float32, n*b.Seats),
		Next: slices.Clone(b.NextValues[n*b.Seats:]),
	}
	if k.ppo.HoldsToOld() {
		p.Logits = make([]float32, n*b.NumActions)
	}
	for i := range n {
		if b.Ends[i] == rollout.Truncated && b.NextActors[i] != rollout.Opponent {
			p.Cut = append(p.Cut, Cut{i / b.Envs, i % b.Envs, slices.Clone(b.NextValues[i*b.Seats : (i+1)*b.Seats])})
		}
		if !b.Learn[i] {
			continue
		}
		p.LogProbs[i] = b.LogProbs[i]
		copy(p.Values[i*b.Seats:(i+1)*b.Seats], b.Values[i*b.Seats:])
		if p.Logits != nil {
			copy(p.Logits[i*b.NumActions:(i+1)*b.NumActions], b.Logits[i*b.NumActions:])
		}
	}
	for i := range k.slots {
		choices, err := k.slots[i].rng.MarshalBinary()
		if err != nil {
			return nil, err
		}
		p.Choices = append(p.Choices, choices)
		p.Hashes = append(p.Hashes, k.vec.Env(i).State().Hash())
	}
	return p, nil
}

// fits reports what is wrong with the sizes and numbers of a part of n slots.
func (k *collector) fits(p *Part, n int) error {
	b := k.rollout
	logits := 0
	if k.ppo.HoldsToOld() {
		logits = b.Steps * n * b.NumActions
	}
	for _, field := range []struct {
		name      string
		got, want int
	}{
		{"actions", len(p.Actions), b.Steps * n}, {"log-probabilities", len(p.LogProbs), b.Steps * n},
		{"values", len(p.Values), b.Steps * n * b.Seats}, {"logits", len(p.Logits), logits},
		{"next values", len(p.Next), n * b.Seats}, {"generators", len(p.Choices), n}, {"hashes", len(p.Hashes), n},
	} {
		if field.got != field.want {
			return fmt.Errorf("%w: %d %s, not %d", ErrPart, field.got, field.name, field.want)
		}
	}
	numbers := [][]float32{p.LogProbs, p.Values, p.Logits, p.Next}
	for _, c := range p.Cut {
		numbers = append(numbers, c.Values)
	}
	for _, list := range numbers {
		for _, x := range list {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("%w: a number is %v", ErrPart, x)
			}
		}
	}
	for _, x := range p.LogProbs {
		if x > 1e-3 {
			return fmt.Errorf("%w: the logarithm of a probability is %v", ErrPart, x)
		}
	}
	return nil
}

// recall fills the rows of slots from to to of the rollout by playing a part again, and
// leaves the slots as its play did. After an error they must be restored.
func (k *collector) recall(p *Part, from, to int) (e episodes, err error) {
	return k.replay(p, from, to, func(int, int) {})
}

// replay is recall, where look is called when what slot i is worth after step t has been taken
// from the part, and the slot still stands there.
func (k *collector) replay(p *Part, from, to int, look func(t, i int)) (e episodes, err error) {
	defer env.Recover(k.vec.Env(from).Game(), &err)
	b, n := k.rollout, to-from
	e = episodes{returns: make([]float64, b.Seats)}
	if err := k.fits(p, n); err != nil {
		return e, err
	}
	for i := from; i < to; i++ {
		b.Carry(i)
	}
	cuts := 0
	worth := func(t, i int) {
		if cuts < len(p.Cut) && p.Cut[cuts].Step == t && p.Cut[cuts].Slot == i-from && len(p.Cut[cuts].Values) == b.Seats {
			copy(b.NextValues[(t*b.Envs+i)*b.Seats:], p.Cut[cuts].Values)
			look(t, i)
		} else {
			k.slots[i].err = fmt.Errorf("%w: step %d, environment %d: nothing is said of what was cut off", ErrPart, t, i)
		}
		cuts++
	}
	for t := range b.Steps {
		for i := from; i < to; i++ {
			at := t*b.Envs + i
			k.remember(p, t*n+i-from, at, i)
			if k.slots[i].err = k.advance(t, i); k.slots[i].err != nil {
				return e, fmt.Errorf("%w: step %d, environment %d: %w", ErrPart, t, i, k.slots[i].err)
			}
			if k.settle(t, i, &e, worth); k.slots[i].err != nil {
				return e, k.slots[i].err
			}
		}
	}
	if cuts != len(p.Cut) {
		return e, fmt.Errorf("%w: %d episodes cut off, not %d", ErrPart, len(p.Cut), cuts)
	}
	last := b.Steps * b.Envs
	for i := from; i < to; i++ {
		own := i - from
		b.NextActors[last+i] = k.slots[i].next(k.vec.Env(i).Actor())
		copy(b.NextValues[(last+i)*b.Seats:(last+i+1)*b.Seats], p.Next[own*b.Seats:])
		if got := k.vec.Env(i).State().Hash(); got != p.Hashes[own] {
			return e, fmt.Errorf("%w: environment %d ends at position %016x, not %016x; is it of the same rules?", ErrPart, i, got, p.Hashes[own])
		}
		if err := k.slots[i].rng.UnmarshalBinary(p.Choices[own]); err != nil {
			return e, fmt.Errorf("%w: environment %d: %w", ErrPart, i, err)
		}
	}
	return e, nil
}

// remember writes decision j of a part as that of index at, in slot i.
func (k *collector) remember(p *Part, j, at, i int) {
	b, s := k.rollout, &k.slots[i]
	b.Actors[at] = k.vec.Env(i).Actor()
	b.Learn[at] = s.learner(b.Actors[at])
	b.Actions[at], s.action = p.Actions[j], p.Actions[j]
	b.LogProbs[at] = p.LogProbs[j]
	copy(b.Values[at*b.Seats:(at+1)*b.Seats], p.Values[j*b.Seats:])
	if p.Logits != nil {
		copy(b.Logits[at*b.NumActions:(at+1)*b.NumActions], p.Logits[j*b.NumActions:])
	}
}
