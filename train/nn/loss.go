package nn

import (
	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
)

// Objective weighs the terms of the loss
//
//	L = policy + ValueCoef value - EntropyCoef entropy + Proximal KL(π‖π_old) + Magnet KL(π‖ρ_magnet)
//
// each a mean over the rows of a batch. With ρ = π(a|s)/π_old(a|s) and A the
// advantage,
//
//	policy  = -mean min(ρ A, clip(ρ, 1-ClipRange, 1+ClipRange) A)
//	value   = mean over rows and seats of ½ max((V-R)², (V_clip-R)²), or with bins
//	          the cross-entropy of the value's distribution with R (binsRow)
//	entropy = mean of -Σ π log π over the legal actions
//
// (Schulman et al., "Proximal policy optimization algorithms", 2017, equations
// 7 and 9), where V_clip moves at most ValueClip away from the old value. The
// last two terms are those of magnetic mirror descent (Sokol et al., "A unified
// approach to reinforcement learning, quantal response equilibria, and two-player
// zero-sum games", 2023, equation 5, with ψ the negative entropy): Proximal is
// 1/η, Magnet is α, and both divergences are exact sums over the legal actions,
//
//	KL(π‖ρ) = Σ π (log π - log ρ)
//
// NeuRD replaces the gradients of the policy and of the terms that hold it, not
// the terms themselves (Hennes et al., "Neural replicator dynamics: multiagent
// learning via hedging policy gradients", 2020): policyRow.
type Objective struct {
	ClipRange   float32 // above 0
	ValueClip   float32 // 0 for none
	ValueCoef   float32
	EntropyCoef float32
	Proximal    float32 // 0 for none
	Magnet      float32 // 0 for none
	NeuRD       float32 // most that 1/π_old(a) counts for, 0 for policy gradients
	// Imitate learns the actions as a teacher's answers (imitateRow), of which Soften, 0
	// to 1, is spread over all legal actions: policy is the cross-entropy then, and
	// besides it only ValueCoef may be above 0.
	Imitate bool
	Soften  float32
	// ValueHead makes Step change the weights of the value head alone: neither the policy
	// nor what it shares with the values moves.
	ValueHead bool
}

// Batch is what a learner learns from in one step. The learner owns it; the
// caller fills the first Rows rows.
type Batch struct {
	// Rows is how many rows count, from 1 to the size that the batch was made for.
	Rows int
	// Obs has shape [size, Inputs], Mask [size, Actions] with 1 for a legal action, or
	// more for one that is advised (network.Config.Advise), and 0 for any other. Each row has
	// at least one legal action.
	Obs  []float32
	Mask []uint8
	// Seen [size] are the observations of a learner that takes rows (NewRowLearner), in the
	// place of Obs, which is nil then.
	Seen []kernel.Row
	// Action is the action that was taken, LogProb its log-probability at that
	// time and Advantage what it gained.
	Action    []int32
	LogProb   []float32
	Advantage []float32
	// Return [size, Seats] is the target of the values, Value [size, Seats] what
	// they were at that time.
	Return []float32
	Value  []float32
	// Old [size, Actions] are the logits of the policy that played, Magnet [size,
	// Actions] those of the magnet, each with the advice. They are read where Objective
	// weighs them.
	Old    []float32
	Magnet []float32
}

// newBatch returns a batch of size rows, without observations.
func newBatch(c network.Config, size int) *Batch {
	return &Batch{
		Mask:   make([]uint8, size*c.Actions),
		Action: make([]int32, size), LogProb: make([]float32, size), Advantage: make([]float32, size),
		Return: make([]float32, size*c.Seats), Value: make([]float32, size*c.Seats),
		Old: make([]float32, size*c.Actions), Magnet: make([]float32, size*c.Actions),
	}
}

// Stats describes one step: the terms of the objective and two measures of how
// far the policy has moved from the old one.
type Stats struct {
	Loss, Policy, Value, Entropy float64
	// Proximal and Magnet are the divergences KL(π‖π_old) and KL(π‖ρ_magnet), each 0
	// where Objective does not weigh it.
	Proximal, Magnet float64
	// KL estimates the divergence of the old policy from the new one: the mean of
	// (ρ-1) - log ρ (Schulman, "Approximating KL divergence", 2020, estimator k3).
	KL float64
	// ClipFraction is the share of rows with ρ outside of 1 ± ClipRange.
	ClipFraction float64
	// GradNorm is the Euclidean norm of the gradient before it was clipped.
	GradNorm float64
	// Agreement is the share of rows whose answer was the most probable action, 0 but
	// in imitation.
	Agreement float64
}

// statRows is how many rows Stats are added up for at a time.
const statRows = 128

// add adds the sums of other rows.
func (s *Stats) add(more *Stats) {
	s.Policy += more.Policy
	s.Value += more.Value
	s.Entropy += more.Entropy
	s.Proximal += more.Proximal
	s.Magnet += more.Magnet
	s.KL += more.KL
	s.ClipFraction += more.ClipFraction
	s.Agreement += more.Agreement
}

// evaluate computes the stats of the outputs [rows, Outputs], to which it adds the advice, and writes
// the gradient of the loss with respect to them to grad, of the same shape,
// with zeroes in the rows that do not count. Illegal actions have probability 0
// and gradient 0: they take no part in the sums, so no large negative logit
// stands in for them.
func (o *Objective) evaluate(c *network.Config, b *Batch, out, grad []float32) Stats {
	width := c.Outputs()
	// Whatever the number of processors, the sums are those of the same rows.
	sums := make([]Stats, (b.Rows+statRows-1)/statRows)
	Share(b.Rows, statRows, func(_, from, to int) {
		for row := from; row < to; row++ {
			s := &sums[row/statRows]
			y, d := out[row*width:(row+1)*width], grad[row*width:(row+1)*width]
			c.Advise(y[:c.Actions], b.Mask[row*c.Actions:(row+1)*c.Actions])
			if o.Imitate {
				o.imitateRow(c, b, row, y[:c.Actions], d[:c.Actions], s)
			} else {
				o.policyRow(c, b, row, y[:c.Actions], d[:c.Actions], s)
			}
			o.valueRow(c, b, row, y[c.Actions:], d[c.Actions:], s)
		}
	})
	clear(grad[b.Rows*width:])
	var s Stats
	for i := range sums {
		s.add(&sums[i])
	}
	n := float64(b.Rows)
	s.Policy /= n
	s.Value /= n
	s.Entropy /= n
	s.Proximal /= n
	s.Magnet /= n
	s.KL /= n
	s.ClipFraction /= n
	s.Agreement /= n
	s.Loss = s.Policy + float64(o.ValueCoef)*s.Value - float64(o.EntropyCoef)*s.Entropy +
		float64(o.Proximal)*s.Proximal + float64(o.Magnet)*s.Magnet
	return s
}
