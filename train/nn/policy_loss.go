package nn

import (
	"math"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
)

// maxLogRatio keeps ρ finite where a policy has run away: an infinite ρ would make
// the gradient NaN, this one is only clipped by its norm.
const maxLogRatio = 20

// policyRow adds the terms of a row that depend on the policy to s and writes the
// gradient with respect to its logits:
//
//	∂policy/∂z_j  = -A ρ (1[j=a] - π_j) where min takes the unclipped branch, else 0
//	∂entropy/∂z_j = -π_j (log π_j + H)
//	∂KL(π‖ρ)/∂z_j = π_j (log π_j - log ρ_j - KL(π‖ρ))
//
// With NeuRD the factor π_j goes, so that an action which is hardly ever played
// learns as fast as any other: the policy's part is -A/π_old(a) for the action
// taken and 0 for the others, which is the advantage of each action in the mean,
// and π_j is left out of the other two. The mean over the legal actions is
// subtracted: it changes no probability, and logits do not drift.
func (o *Objective) policyRow(c *network.Config, b *Batch, row int, logits, grad []float32, s *Stats) {
	from, to := row*c.Actions, (row+1)*c.Actions
	mask := b.Mask[from:to]
	normaliser, entropy := network.Softmax(grad, logits, mask)
	a := b.Action[row]
	advantage := float64(b.Advantage[row])
	logRatio := min(float64(logits[a]-normaliser)-float64(b.LogProb[row]), maxLogRatio)
	ratio := math.Exp(logRatio)
	low, high := 1-float64(o.ClipRange), 1+float64(o.ClipRange)
	plain, clipped := ratio*advantage, min(max(ratio, low), high)*advantage
	s.Policy -= min(plain, clipped)
	s.Entropy += entropy
	s.KL += ratio - 1 - logRatio
	if ratio < low || ratio > high {
		s.ClipFraction++
	}

	scale := 1 / float32(b.Rows)
	h := o.hold(b, from, to, grad, mask, entropy, s)
	if o.NeuRD > 0 {
		weight := min(float32(math.Exp(-float64(b.LogProb[row]))), o.NeuRD)
		o.replicate(&h, logits, grad, mask, normaliser, scale)
		grad[a] -= float32(advantage) * weight * scale
		centre(grad, mask)
		return
	}
	var pull float32
	if plain <= clipped {
		pull = float32(plain) * scale
	}
	var list [kernel.Most]int32
	for at := 0; at < len(mask); at += kernel.Most {
		for _, i := range list[:kernel.Places(&list, mask[at:min(at+kernel.Most, len(mask))])] {
			j := at + int(i)
			if p := grad[j]; p != 0 {
				grad[j] = p * (pull + scale*o.slope(&h, logits[j]-normaliser, j))
			}
		}
	}
	grad[a] -= pull
}

// hold is what keeps the policy of a row where it is: its entropy and the policies
// that it is held to.
type hold struct {
	entropy     float32
	old, magnet reference
}

// hold measures the policy p of a row, of which the logits of the references are
// b.Old[from:to] and b.Magnet[from:to], and adds the divergences to s.
func (o *Objective) hold(b *Batch, from, to int, p []float32, mask []uint8, entropy float64, s *Stats) hold {
	h := hold{entropy: float32(entropy)}
	if o.Proximal > 0 {
		h.old = refer(p, b.Old[from:to], mask, entropy)
		s.Proximal += h.old.divergence
	}
	if o.Magnet > 0 {
		h.magnet = refer(p, b.Magnet[from:to], mask, entropy)
		s.Magnet += h.magnet.divergence
	}
	return h
}

// slope is the gradient of -EntropyCoef H + Proximal KL + Magnet KL with respect to
// logit j, divided by π_j, whose logarithm is log.
func (o *Objective) slope(h *hold, log float32, j int) float32 {
	slope := o.EntropyCoef * (log + h.entropy)
	if o.Proximal > 0 {
		slope += o.Proximal * h.old.slope(log, j)
	}
	if o.Magnet > 0 {
		slope += o.Magnet * h.magnet.slope(log, j)
	}
	return slope
}

// replicate writes the slopes of the legal actions, without the factor π_j.
func (o *Objective) replicate(h *hold, logits, grad []float32, mask []uint8, normaliser, scale float32) {
	for j, legal := range mask {
		if legal != 0 {
			grad[j] = scale * o.slope(h, logits[j]-normaliser, j)
		}
	}
}

// centre subtracts the mean over the legal actions.
func centre(grad []float32, mask []uint8) {
	var sum float32
	count := 0
	for j, legal := range mask {
		if legal != 0 {
			sum += grad[j]
			count++
		}
	}
	for j, legal := range mask {
		if legal != 0 {
			grad[j] -= sum / float32(count)
		}
	}
}

// reference is a policy ρ that π is held to, seen from one row.
type reference struct {
	logits     []float32
	normaliser float32
	divergence float64 // KL(π‖ρ)
}

// refer measures the policy p, of the given entropy, against the reference with
// the logits.
func refer(p, logits []float32, mask []uint8, entropy float64) reference {
	r := reference{logits: logits, normaliser: network.LogSum(logits, mask)}
	r.divergence = -entropy
	var list [kernel.Most]int32
	for at := 0; at < len(mask); at += kernel.Most {
		for _, i := range list[:kernel.Places(&list, mask[at:min(at+kernel.Most, len(mask))])] {
			j := at + int(i)
			r.divergence -= float64(p[j]) * float64(logits[j]-r.normaliser)
		}
	}
	return r
}

// slope is ∂KL(π‖ρ)/∂z_j divided by π_j, whose logarithm is log.
func (r *reference) slope(log float32, j int) float32 {
	return log - (r.logits[j] - r.normaliser) - float32(r.divergence)
}
