package nn

import (
	"math"
	"slices"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
)

// TestRowsTeachTheSame: a learner that takes rows has the gradients of one that takes all
// numbers, bit for bit, on any number of processors and in batches that are not full.
func TestRowsTeachTheSame(t *testing.T) {
	wide := network.Config{Inputs: 300, Actions: 20, Seats: 2, Hidden: []int{70, 33}, Activation: network.ReLU, LayerNorm: true}
	square := wide
	square.Hidden, square.Residual = []int{300, 40}, true
	for _, c := range slices.Concat(shapes, entities(), []network.Config{wide, square}) {
		const size = 150
		plain, err := NewLearner(noisy(t, c, 4), size)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = plain.Close() }()
		rows, err := NewRowLearner(noisy(t, c, 4), size)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		for step, procs := range []int{1, 2, 5} {
			processors(t, procs)
			b := plain.Batch()
			fill(b, c, size-20*step, uint64(step))
			for i := range b.Obs {
				if (i*7+i/c.Inputs)%6 != 0 {
					b.Obs[i] = 0
				}
			}
			own := *b
			own.Obs, own.Seen = nil, make([]kernel.Row, size)
			for row := range b.Rows {
				own.Seen[row].Set(b.Obs[row*c.Inputs:][:c.Inputs])
			}
			to := rows.Batch()
			seen := to.Seen
			copy(seen, own.Seen)
			*to = own
			to.Seen = seen
			adam, other := NewAdam(c.NumWeights()), NewAdam(c.NumWeights())
			s, err := plain.Step(objectives["alltogether"], adam, 0.01, 0.5)
			if err != nil {
				t.Fatal(err)
			}
			r, err := rows.Step(objectives["alltogether"], other, 0.01, 0.5)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range plain.net.Weights() {
				if math.Float32bits(w) != math.Float32bits(rows.net.Weights()[i]) {
					t.Fatalf("%s, step %d: weight %d is %v by rows, %v by all numbers", testName(c), step, i, rows.net.Weights()[i], w)
				}
			}
			if s != r {
				t.Fatalf("%s, step %d: stats %+v by rows, %+v by all numbers", testName(c), step, r, s)
			}
		}
	}
}
