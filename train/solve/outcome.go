package solve

import "powderkeg/engine"

// outcome is outcome-sampling MCCFR (Lanctot et al. 2009, section 3.1): one game is
// drawn for each seat being updated, in which that seat mixes uniformly random
// moves into its policy, and what was drawn is divided by its probability.
type outcome struct {
	sampler
	epsilon float64
}

// reaches are the probabilities with which a node is reached.
type reaches struct {
	own    float64 // by the policy of the seat being updated
	others float64 // by chance and the policies of the other seats
	sample float64 // by what is drawn
}

// Iterate implements Solver.
func (m *outcome) Iterate() {
	for i := range m.tree.sides {
		m.seat = i
		m.walk(0, reaches{1, 1, 1})
	}
}

// walk plays a game to its end from node n and returns an unbiased estimate of what
// the seat being updated expects there.
func (m *outcome) walk(n int32, r reaches) float64 {
	t := m.tree
	actor := t.actor[n]
	switch actor {
	case engine.Terminal:
		return m.payoff(n)
	case engine.Chance:
		p, child := m.chance(n)
		r.others *= p
		r.sample *= p
		return m.walk(child, r)
	}
	from, to := m.actions(n)
	top := len(m.stack)
	policy := m.push(int(to - from))
	matchRegrets(policy, m.regret[actor][from:to])
	if int(actor) == m.seat {
		value := m.own(n, from, policy, r)
		m.stack = m.stack[:top]
		return value
	}
	k := m.draw(policy)
	r.others *= policy[k]
	r.sample *= policy[k]
	m.stack = m.stack[:top]
	return m.walk(t.children(n)[k], r)
}

// own draws an action of the seat being updated and corrects its regrets (Lanctot
// et al. 2009, equation 10, with the policy as it was when the game was drawn) and
// its average.
func (m *outcome) own(n, from int32, policy []float64, r reaches) float64 {
	actor := m.tree.actor[n]
	drawn := m.push(len(policy))
	for k, p := range policy {
		drawn[k] = m.epsilon/float64(len(policy)) + (1-m.epsilon)*p
	}
	k := m.draw(drawn)
	value := m.walk(m.tree.children(n)[k], reaches{r.own * policy[k], r.others, r.sample * drawn[k]}) / drawn[k]
	weight := r.others / r.sample
	regret := m.regret[actor][from:]
	for j := range policy {
		regret[j] -= weight * policy[k] * value
	}
	regret[k] += weight * value
	m.add(actor, from, policy, r.own/r.sample)
	return policy[k] * value
}
