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
	// Rho and C are the most that a ratio counts, C at most Rho. With Rho 0 nothing is
	// corrected.
	Rho float64 `yaml:"rho" json:"rho"`
	C   float64 `yaml:"c" json:"c"`
}

// review is what the present weights think of a rollout that earlier ones have played.
type review struct {
	work, judge *network.Workspace // of the network, and of the critic
	rows        int                // of the workspaces
	obs, whole  []float32          // [rows, Inputs], of the critic [rows, P×Inputs]
	logits      []float32          // [rows, Actions]
	certain     []float32          // [rows], the critic's
	values      []float32          // [rows, Seats]
	probs       []float32          // [Actions]
	ratios      []float32          // [T×N]
	next        []int32            // decisions after the last step
}

// correct computes advantages and returns of a rollout that earlier weights have played, and
// returns the mean of min(ρ̄, ratio) over its samples.
func (l *Learner) correct(b *rollout.Buffer) float64 {
	c := &l.config
	r := l.reviewOf(b)
	l.samples = b.Samples(l.samples[:0])
	sum := 0.0
	l.revise(r, b, l.samples, b.Values, func(i int, logits []float32) {
		mask := b.Masks[i*b.NumActions : (i+1)*b.NumActions]
		l.net.Config().Advise(logits, mask)
		normaliser, _ := network.Softmax(r.probs, logits, mask)
		r.ratios[i] = float32(math.Exp(float64(logits[b.Actions[i]] - normaliser - b.LogProbs[i])))
		sum += min(float64(r.ratios[i]), c.VTrace.Rho)
	})
	r.next = r.next[:0]
	for n := range b.Envs {
		if i := b.Steps*b.Envs + n; b.NextActors[i] >= 0 {
			r.next = append(r.next, int32(i))
		}
	}
	// What truncated episodes had to expect stays as it was: nothing is left of where they were.
	l.revise(r, b, r.next, b.NextValues, nil)
	b.Trace(float32(c.Gamma), float32(c.Lambda), c.valueLambda(), r.ratios, rollout.Bounds{Rho: float32(c.VTrace.Rho), C: float32(c.VTrace.C)})
	return sum / float64(max(1, len(l.samples)))
}

// revise computes the values of decisions anew, into those of all; each is told of their
// logits, unless it is nil.
func (l *Learner) revise(r *review, b *rollout.Buffer, list []int32, values []float32, each func(i int, logits []float32)) {
	d, a, p := b.Inputs, b.NumActions, b.Seats
	for len(list) > 0 {
		n := min(r.rows, len(list))
		for row, i := range list[:n] {
			copy(r.obs[row*d:(row+1)*d], b.Obs[int(i)*d:])
		}
		l.net.Forward(r.work, r.obs[:n*d], r.logits[:n*a], r.values[:n*p])
		if l.critic != nil {
			for row, i := range list[:n] {
				b.Whole(r.whole[row*p*d:(row+1)*p*d], int(i))
			}
			l.critic.net.Forward(r.judge, r.whole[:n*p*d], r.certain[:n], r.values[:n*p])
		}
		for row, i := range list[:n] {
			copy(values[int(i)*p:(int(i)+1)*p], r.values[row*p:])
			if each != nil {
				each(int(i), r.logits[row*a:(row+1)*a])
			}
		}
		list = list[n:]
	}
}

// reviewOf returns the learner's review, made for rollouts of the shape of b.
func (l *Learner) reviewOf(b *rollout.Buffer) *review {
	if l.review == nil {
		rows := l.config.Minibatch
		r := &review{
			work: l.net.NewWorkspace(rows), rows: rows, obs: make([]float32, rows*b.Inputs), logits: make([]float32, rows*b.NumActions),
			values: make([]float32, rows*b.Seats), probs: make([]float32, b.NumActions), ratios: make([]float32, len(b.Actors)),
		}
		if l.critic != nil {
			r.judge = l.critic.net.NewWorkspace(rows)
			r.whole, r.certain = make([]float32, rows*b.Seats*b.Inputs), make([]float32, rows)
		}
		l.review = r
	}
	return l.review
}
