package solve

import (
	"math/rand/v2"

	"powderkeg/engine"
)

// samplingStream is the PCG stream of what a sampling solver draws.
const samplingStream = 0x6d63636672

// sampler holds what both ways of Monte Carlo CFR share. Their regrets are
// estimates whose expectations are the regrets of CFR.
type sampler struct {
	tree        *Tree
	rng         *rand.PCG
	regret, sum [][]float64
	seat        int // the seat being updated
	// stack holds the distributions and values of the decisions being looked at.
	stack []float64
}

func newSampler(t *Tree, seed uint64) sampler {
	return sampler{tree: t, rng: rand.NewPCG(seed, samplingStream), regret: t.perSequence(), sum: t.perSequence()}
}

// push returns n numbers that are the caller's until it sets the stack back to the
// length that it had.
func (m *sampler) push(n int) []float64 {
	top := len(m.stack)
	m.stack = append(m.stack, make([]float64, n)...)
	return m.stack[top:]
}

// draw returns an index, each with its probability.
func (m *sampler) draw(probs []float64) int {
	x, last := engine.Unit(m.rng), 0
	for k, p := range probs {
		if p > 0 {
			if x < p {
				return k
			}
			last = k // where rounding has left a remainder
		}
		x -= p
	}
	return last
}

// chance draws an outcome of a chance node and returns its probability and the
// node behind it.
func (m *sampler) chance(n int32) (p float64, child int32) {
	children := m.tree.children(n)
	lots := m.tree.lots[m.tree.info[n]:][:len(children)]
	k := m.draw(lots)
	return lots[k], children[k]
}

// payoff returns what the seat being updated gets at an end of the game.
func (m *sampler) payoff(n int32) float64 {
	return float64(m.tree.sides[m.seat].returns[m.tree.info[n]])
}

// actions returns the sequences of the actions at a decision, from up to but not
// including to.
func (m *sampler) actions(n int32) (from, to int32) {
	first := m.tree.sides[m.tree.actor[n]].first[m.tree.info[n]:]
	return first[0], first[1]
}

// add gives the average of a seat a policy with its weight.
func (m *sampler) add(seat engine.Player, from int32, policy []float64, weight float64) {
	for k, p := range policy {
		m.sum[seat][int(from)+k] += weight * p
	}
}

// Average implements Solver.
func (m *sampler) Average() *Policy { return m.tree.averaged(m.sum) }
