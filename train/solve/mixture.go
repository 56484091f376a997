package solve

// Mixture returns the behaviour policy that plays like drawing one of the
// policies before each game, seat by seat, each with the same probability: in
// every information state the probabilities are weighed by the reach that each
// policy gives it (H. Kuhn, "Extensive games and the problem of information",
// 1953). It is how the iterates of self-play are averaged. There is at least one
// policy, and all belong to the tree.
func (t *Tree) Mixture(policies []*Policy) *Policy {
	sums := t.perSequence()
	for _, p := range policies {
		for i, reach := range t.reach(p.probs) {
			for q, x := range reach {
				sums[i][q] += x
			}
		}
	}
	return t.averaged(sums)
}
