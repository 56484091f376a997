package solve

import "powderkeg/engine"

// external is external-sampling MCCFR (Lanctot et al. 2009, section 3.2). The
// seat being updated looks at all of its actions; chance and the other seats are
// sampled, so that regrets need no correction.
//
// While one seat is updated the next one is averaged at each of its decisions that
// are met: its own actions are drawn from its policy, which weighs the policies by
// reach as the average must (stochastically-weighted averaging, Lanctot, "Monte
// Carlo Sampling and Regret Minimization for Equilibrium Computation and
// Decision-Making in Large Extensive Form Games", 2013, chapter 4). Where there are
// more than two seats the other ones' actions are drawn too, from policies that
// change; dividing by their probabilities keeps that out of the weights, where
// usual implementations let it in.
type external struct {
	sampler
	averaged engine.Player
}

// Iterate implements Solver.
func (m *external) Iterate() {
	for i := range m.tree.sides {
		m.seat = i
		m.averaged = engine.Player((i + 1) % len(m.tree.sides))
		m.walk(0, 1)
	}
}

// walk returns an estimate of what the seat being updated expects at node n. The
// weight is that of policies for the average.
func (m *external) walk(n int32, weight float64) float64 {
	switch actor := m.tree.actor[n]; {
	case actor == engine.Terminal:
		return m.payoff(n)
	case actor == engine.Chance:
		_, child := m.chance(n)
		return m.walk(child, weight)
	case int(actor) == m.seat:
		return m.own(n, weight)
	default:
		return m.others(n, weight)
	}
}

// own looks at all actions of the seat being updated.
func (m *external) own(n int32, weight float64) float64 {
	top, actor := len(m.stack), m.tree.actor[n]
	from, to := m.actions(n)
	regret := m.regret[actor][from:to]
	policy, values := m.push(len(regret)), m.push(len(regret))
	matchRegrets(policy, regret)
	alone := actor == m.averaged // in a game for one seat nobody else meets its decisions
	if alone {
		m.add(actor, from, policy, weight)
	}
	value := 0.0
	for k, c := range m.tree.children(n) {
		w := weight
		if alone {
			w *= policy[k]
		}
		values[k] = m.walk(c, w)
		value += policy[k] * values[k]
	}
	for k, v := range values {
		regret[k] += v - value
	}
	m.stack = m.stack[:top]
	return value
}

// others draws the action of another seat.
func (m *external) others(n int32, weight float64) float64 {
	top, actor := len(m.stack), m.tree.actor[n]
	from, to := m.actions(n)
	policy := m.push(int(to - from))
	matchRegrets(policy, m.regret[actor][from:to])
	k := m.draw(policy)
	if actor == m.averaged {
		m.add(actor, from, policy, weight)
	} else {
		weight /= policy[k]
	}
	m.stack = m.stack[:top]
	return m.walk(m.tree.children(n)[k], weight)
}
