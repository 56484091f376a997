package nn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestStepsAreTheSameOnAnyProcessors: Adam, the norm of its gradient and moving means are those
// of one processor, bit for bit, and the squares are added up four in turn, in their order.
func TestStepsAreTheSameOnAnyProcessors(t *testing.T) {
	for _, n := range []int{3, 5 * light, 5*light + 13} {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		numbers := func() []float32 {
			list := make([]float32, n)
			for i := range list {
				list[i] = float32(r.NormFloat64())
			}
			return list
		}
		first, gradients, to := numbers(), [][]float32{numbers(), numbers()}, numbers()
		var want []float32
		for _, procs := range []int{1, 2, 7} {
			processors(t, procs)
			w, a := slices.Clone(first), NewAdam(n)
			for _, g := range gradients {
				var sums [4]float64
				for i, v := range g {
					lane := i % 4
					if i >= n&^3 {
						lane = i - n&^3
					}
					sums[lane] += float64(v) * float64(v)
				}
				if got, norm := a.Update(w, g, 0.01, 0.5), math.Sqrt(sums[0]+sums[1]+sums[2]+sums[3]); got != norm {
					t.Errorf("%d numbers: norm %v, want %v", n, got, norm)
				}
			}
			Move(w, to, 0.3)
			if want == nil {
				want = w
			}
			if !slices.Equal(w, want) {
				t.Errorf("%d numbers on %d processors: other weights than on one", n, procs)
			}
		}
		for i, x := range want { // all have moved, and towards where they should
			if x == first[i] || math.Abs(float64(x-(first[i]+0.3*(to[i]-first[i])))) > 0.05 {
				t.Fatalf("number %d went from %v to %v, towards %v", i, first[i], x, to[i])
			}
		}
	}
}
