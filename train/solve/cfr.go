package solve

import (
	"math"

	"powderkeg/engine"
)

// minimiser is CFR, CFR+, linear CFR and DCFR, which differ in how they discount.
//
// It goes over the nodes of the tree, where sequence form would need the ends
// alone, so that every sum is taken in the order of the recursion that the papers
// print and that other programs carry out. The order matters: regrets that cancel
// leave zero or a last binary digit, and the one means a uniform policy, the other
// a pure one, which shows in the third digit of a thousandth iteration. For the
// same reason products are rounded by a conversion before they are added: some
// processors would otherwise fuse the two.
type minimiser struct {
	tree   *Tree
	config Config
	t      int // iterations made

	inner []inner
	at    [][]decision // the decisions of each seat in preorder
	// probs holds the probabilities of all moves: the outcomes of chance as in
	// Tree.lots, then those of the current policy by seat and sequence, which are
	// policy.
	probs  []float64
	policy [][]float64
	// values holds what each seat expects at each node, its own current policy
	// included. The ends keep theirs, the others are overwritten.
	values [][]float64

	// Numbers for each sequence of each seat.
	reach  [][]float64 // of the current policy
	regret [][]float64 // cumulative counterfactual regrets
	sum    [][]float64 // reaches of all policies so far, weighted: the average policy before it is normalised
}

// inner is a decision or chance node.
type inner struct {
	node, edge, moves int32
	row               int32 // of the first move's probability in probs
}

// decision is a decision of the seat that it is listed under.
type decision struct {
	inner
	from   int32   // the sequence of the first action
	chance float64 // product of the probabilities of the chance events before
	// before holds the last sequence of every seat.
	before []int32
}

func newMinimiser(t *Tree, c Config) *minimiser {
	m := &minimiser{
		tree: t, config: c, at: make([][]decision, t.Seats()),
		regret: t.perSequence(), sum: t.perSequence(),
	}
	m.probs = append(m.probs, t.lots...)
	for _, p := range t.Uniform().probs {
		m.probs = append(m.probs, p...)
		m.values = append(m.values, make([]float64, t.Nodes()))
	}
	row := len(t.lots)
	for i := range t.sides {
		n := t.sides[i].sequences()
		m.policy = append(m.policy, m.probs[row:row+n:row+n])
		row += n
	}
	m.reach = t.reach(m.policy)
	m.compile(0, 1, make([]int32, t.Seats()))
	return m
}

// compile lists node n and all below it. Now holds the last sequence of every seat,
// chance the probability of the chance events so far.
func (m *minimiser) compile(n int32, chance float64, now []int32) {
	t := m.tree
	actor, info := t.actor[n], t.info[n]
	if actor == engine.Terminal {
		for i := range t.sides {
			m.values[i][n] = float64(t.sides[i].returns[info])
		}
		return
	}
	children := t.children(n)
	node := inner{node: n, edge: t.at[n], moves: int32(len(children)), row: info}
	if actor == engine.Chance {
		m.inner = append(m.inner, node)
		for k, c := range children {
			m.compile(c, chance*t.lots[int(info)+k], now)
		}
		return
	}
	from := t.sides[actor].first[info]
	node.row = from + int32(len(t.lots))
	for i := range actor {
		node.row += int32(t.sides[i].sequences())
	}
	m.inner = append(m.inner, node)
	m.at[actor] = append(m.at[actor], decision{inner: node, from: from, chance: chance, before: append([]int32(nil), now...)})
	old := now[actor]
	for k, c := range children {
		now[actor] = from + int32(k)
		m.compile(c, chance, now)
	}
	now[actor] = old
}

// discount is what an iteration multiplies with: regrets above and below zero after
// they have been updated, and the average before it is.
type discount struct{ positive, negative, average float64 }

// discount returns the factors of iteration t. Scaling the average by (t-1)/t
// before each iteration gives policy t a weight in proportion to t.
func (c Config) discount(t int) discount {
	x := float64(t)
	switch c.Algorithm {
	case CFR:
		return discount{1, 1, 1}
	case CFRPlus:
		return discount{1, 0, (x - 1) / x}
	case LinearCFR:
		c.Alpha, c.Beta, c.Gamma = 1, 1, 1
	}
	return discount{share(x, c.Alpha), share(x, c.Beta), math.Pow((x-1)/x, c.Gamma)}
}

// share returns x^a / (x^a + 1). The power is a root of a square since math.Pow is
// good to a last digit only for whole exponents.
func share(x, a float64) float64 {
	y := math.Sqrt(math.Pow(x, 2*a))
	return y / (y + 1)
}

// Iterate implements Solver.
func (m *minimiser) Iterate() {
	m.t++
	d := m.config.discount(m.t)
	for i := range m.tree.sides {
		m.evaluate(i)
		m.update(i, d)
		if !m.config.Simultaneous {
			m.match()
		}
	}
	if m.config.Simultaneous {
		m.match()
	}
	for _, regret := range m.regret {
		for q, r := range regret {
			if r > 0 {
				regret[q] = r * d.positive
			} else {
				regret[q] = r * d.negative
			}
		}
	}
}

// evaluate computes what the seat expects at every node.
func (m *minimiser) evaluate(seat int) {
	values, edges, probs := m.values[seat], m.tree.edges, m.probs
	for i := len(m.inner) - 1; i >= 0; i-- {
		n := &m.inner[i]
		row := probs[n.row:][:n.moves]
		value := 0.0
		for k, child := range edges[n.edge:][:len(row)] {
			value += float64(row[k] * values[child])
		}
		values[n.node] = value
	}
}

// update adds the seat's regrets (Zinkevich et al. 2007, equation 7), and to its
// average the policy that has been played, weighted by the seat's own reach
// (equation 4).
func (m *minimiser) update(seat int, d discount) {
	values, edges, regret := m.values[seat], m.tree.edges, m.regret[seat]
	for i := range m.at[seat] {
		n := &m.at[seat][i]
		// The probability that chance and the other seats go here.
		weight := 1.0
		for j, q := range n.before {
			if j != seat {
				weight *= m.reach[j][q]
			}
		}
		weight *= n.chance
		value := values[n.node]
		row := regret[n.from:][:n.moves]
		for k, child := range edges[n.edge:][:len(row)] {
			row[k] += float64(weight * (values[child] - value))
		}
	}
	sum := m.sum[seat]
	for q, x := range m.reach[seat] {
		sum[q] = float64(sum[q]*d.average) + x
	}
}

// match gives every seat the policy that answers its regrets (Zinkevich et al.
// 2007, equation 8). Those of the seats that have not been updated are as they
// were, or discounted, which at most changes the last digit of their policies, as
// it does in other programs.
func (m *minimiser) match() {
	for seat, policy := range m.policy {
		s := &m.tree.sides[seat]
		for i := range s.states {
			from, to := s.first[i], s.first[i+1]
			matchRegrets(policy[from:to], m.regret[seat][from:to])
		}
		s.reach(policy, m.reach[seat])
	}
}

// matchRegrets writes the policy in proportion to the positive regrets, and the
// uniform one where there are none (regret matching: Hart and Mas-Colell, "A Simple
// Adaptive Procedure Leading to Correlated Equilibrium", 2000).
func matchRegrets(policy, regret []float64) {
	sum := 0.0
	for _, r := range regret {
		sum += max(r, 0)
	}
	if sum == 0 {
		spread(policy)
		return
	}
	for k, r := range regret {
		policy[k] = max(r, 0) / sum
	}
}

// Average implements Solver.
func (m *minimiser) Average() *Policy { return m.tree.averaged(m.sum) }

// averaged normalises sums of reaches. What has never been reached is uniform.
func (t *Tree) averaged(sums [][]float64) *Policy {
	p := &Policy{t, t.perSequence()}
	for i := range t.sides {
		s := &t.sides[i]
		p.probs[i][0] = 1
		for k := range s.states {
			from, to := s.first[k], s.first[k+1]
			matchRegrets(p.probs[i][from:to], sums[i][from:to])
		}
	}
	return p
}
