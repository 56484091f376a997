package nn

import "powderkeg/agents/network"

// imitateRow replaces policyRow where Objective.Imitate is set: Action is what a
// teacher answered, and the policy is moved towards it as far as it will go. With n
// legal actions and ε = Soften the target is
//
//	q_j = (1-ε) 1[j=a] + ε/n
//
// policy = -Σ q_j log π_j, and its gradient with respect to the logits is π - q. A
// target that keeps ε/n on every legal action leaves a later learner something to try
// (label smoothing: C. Szegedy et al., "Rethinking the Inception architecture for
// computer vision", 2016, section 7).
func (o *Objective) imitateRow(c *network.Config, b *Batch, row int, logits, grad []float32, s *Stats) {
	mask := b.Mask[row*c.Actions : (row+1)*c.Actions]
	normaliser, entropy := network.Softmax(grad, logits, mask)
	s.Entropy += entropy
	answer := int(b.Action[row])
	if network.Best(logits, mask) == answer {
		s.Agreement++
	}
	legal := 0
	for _, m := range mask {
		legal += int(min(m, 1))
	}
	scale, share := 1/float32(b.Rows), o.Soften/float32(legal)
	for j, m := range mask {
		if m == 0 {
			continue
		}
		target := share
		if j == answer {
			target += 1 - o.Soften
		}
		s.Policy -= float64(target) * float64(logits[j]-normaliser)
		grad[j] = (grad[j] - target) * scale
	}
}
