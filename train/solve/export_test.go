package solve

import (
	"math"

	"powderkeg/engine"
)

// Estimate is what one update of a seat adds, number by number for the sequences of
// a seat, with the standard error where it was sampled.
type Estimate struct{ Mean, Error []float64 }

// ExactUpdate returns the regrets that CFR adds for the seat, and for the sequences
// of the seat averaged its reach times a factor of the information state that
// depends on no policy: the number of its states, or the probability that chance
// alone leads to it.
func ExactUpdate(t *Tree, p *Policy, seat, averaged engine.Player) (regret, byNodes, byChance []float64) {
	m := newMinimiser(t, Default(CFR))
	for i := range m.policy {
		copy(m.policy[i], p.probs[i])
		t.sides[i].reach(p.probs[i], m.reach[i])
	}
	m.evaluate(int(seat))
	m.update(int(seat), discount{1, 1, 1})
	reach := m.reach[averaged]
	byNodes, byChance = make([]float64, len(reach)), make([]float64, len(reach))
	for _, n := range m.at[averaged] {
		for q := n.from; q < n.from+n.moves; q++ {
			byNodes[q] += reach[q]
			byChance[q] += n.chance * reach[q]
		}
	}
	return m.regret[seat], byNodes, byChance
}

// SampleUpdates makes many updates of one seat, each from the same policy, and
// returns what they add to its regrets and to the average of the seat averaged.
func SampleUpdates(t *Tree, a Algorithm, p *Policy, seat, averaged engine.Player, times int) (regret, sum Estimate) {
	var m *sampler
	var update func()
	switch a {
	case ExternalSampling:
		e := &external{sampler: newSampler(t, 1), averaged: averaged}
		m, update = &e.sampler, func() { e.walk(0, 1) }
	case OutcomeSampling:
		o := &outcome{sampler: newSampler(t, 1), epsilon: 0.6}
		m, update = &o.sampler, func() { o.walk(0, reaches{1, 1, 1}) }
	}
	m.seat = int(seat)
	start := p.probs // as regrets, these give the policy itself
	var ofRegret, ofSum moments
	for range times {
		for i := range t.sides {
			copy(m.regret[i], start[i])
			clear(m.sum[i])
		}
		update()
		for q := range m.regret[seat] {
			m.regret[seat][q] -= start[seat][q]
		}
		ofRegret.add(m.regret[seat])
		ofSum.add(m.sum[averaged])
	}
	return ofRegret.estimate(), ofSum.estimate()
}

// moments gathers sums and sums of squares.
type moments struct {
	n             float64
	sums, squares []float64
}

func (m *moments) add(row []float64) {
	if m.n == 0 {
		m.sums, m.squares = make([]float64, len(row)), make([]float64, len(row))
	}
	m.n++
	for q, x := range row {
		m.sums[q] += x
		m.squares[q] += x * x
	}
}

func (m *moments) estimate() Estimate {
	var e Estimate
	for q, x := range m.sums {
		mean := x / m.n
		e.Mean = append(e.Mean, mean)
		e.Error = append(e.Error, math.Sqrt(max(0, m.squares[q]/m.n-mean*mean)/m.n))
	}
	return e
}
