package ppo

import (
	"math"

	"powderkeg/agents/network"
	"powderkeg/train/rollout"
)

// VTrace says how much what was played by earlier weights counts (rollout.Buffer.Trace,
// train.Config.Lag): values and the probability of each action are computed anew by the present
// weights, and the ratio of that probability to the one that it was played with corrects
// advantages and targets. Where the weights that learn have played themselves there is nothing
// to correct, and nothing is done.
type VTrace struct {
	// Rho is the most that a ratio counts in the error of a decision. With 0 nothing is corrected.
	Rho float64 `yaml:"rho" json:"rho"`
	// C is the most that a ratio counts in how far later errors reach back, at most Rho.
	C float64 `yaml:"c" json:"c"`
}

// review is what the present weights think of a rollout that earlier ones have played.
type review struct {
	policy reader
	judge  *reader   // the critic, nil without one
	ratios []float32 // [T×N]
	next   []int32   // decisions after the last step
}

// correct computes advantages and returns of a rollout that earlier weights have played, and
// returns the mean of min(ρ̄, ratio) over its samples.
func (l *Learner) correct(b *rollout.Buffer) float64 {
	c := &l.config
	r := l.reviewOf(b)
	l.samples = b.Samples(l.samples[:0])
	shape := l.net.Config()
	r.revise(b, l.samples, b.Values, func(i int, logits []float32) {
		mask := b.Masks[i*b.NumActions : (i+1)*b.NumActions]
		shape.Advise(logits, mask)
		r.ratios[i] = float32(math.Exp(float64(logits[b.Actions[i]] - network.LogSum(logits, mask) - b.LogProbs[i])))
	})
	sum := 0.0
	for _, i := range l.samples {
		sum += min(float64(r.ratios[i]), c.VTrace.Rho)
	}
	r.next = r.next[:0]
	for n := range b.Envs {
		if i := b.Steps*b.Envs + n; b.NextActors[i] >= 0 {
			r.next = append(r.next, int32(i))
		}
	}
	// What truncated episodes had to expect stays as it was: nothing is left of where they were.
	r.revise(b, r.next, b.NextValues, func(int, []float32) {})
	b.Trace(float32(c.Gamma), float32(c.Lambda), c.valueLambda(), r.ratios, rollout.Bounds{Rho: float32(c.VTrace.Rho), C: float32(c.VTrace.C)})
	return sum / float64(max(1, len(l.samples)))
}

// revise computes the values of decisions anew, into those of all, and calls each with their
// logits, on several goroutines at the same time.
func (r *review) revise(b *rollout.Buffer, list []int32, values []float32, each func(i int, logits []float32)) {
	keep := func(i int, own []float32) { copy(values[i*b.Seats:(i+1)*b.Seats], own) }
	r.policy.read(list, b, func(i int, logits, own []float32) {
		keep(i, own)
		each(i, logits)
	})
	if r.judge != nil {
		r.judge.read(list, b, func(i int, _, own []float32) { keep(i, own) })
	}
}

// reviewOf returns the learner's review, made for rollouts of the shape of b.
func (l *Learner) reviewOf(b *rollout.Buffer) *review {
	if l.review == nil {
		l.review = &review{policy: reader{net: l.net}, ratios: make([]float32, len(b.Actors))}
		if l.critic != nil {
			l.review.judge = &reader{net: l.critic.net, whole: true}
		}
	}
	return l.review
}
