package network

import (
	"math/rand/v2"
	"testing"
)

// TestSampleFollowsTheProbabilities: 13.8 is the 99.9% point of chi-squared with
// 2 degrees of freedom.
func TestSampleFollowsTheProbabilities(t *testing.T) {
	p := []float32{0, 0.5, 0.2, 0, 0.3, 0}
	rng := rand.NewPCG(1, 1)
	counts := make([]float64, len(p))
	const draws = 30000
	for range draws {
		counts[Sample(p, rng)]++
	}
	chi := 0.0
	for i, x := range p {
		if x == 0 {
			if counts[i] > 0 {
				t.Errorf("index %d of probability 0 was drawn", i)
			}
			continue
		}
		want := draws * float64(x)
		chi += (counts[i] - want) * (counts[i] - want) / want
	}
	if chi > 13.8 {
		t.Errorf("draws %v do not follow %v: chi-squared %.1f", counts, p, chi)
	}
	// Probabilities that rounding has left short of 1 still give an index of theirs.
	for range 1000 {
		if got := Sample([]float32{0, 1e-6, 0}, rng); got != 1 {
			t.Fatalf("drew %d, want 1", got)
		}
	}
}

func TestBestIsLegal(t *testing.T) {
	for _, test := range []struct {
		logits []float32
		mask   []uint8
		want   int
	}{
		{[]float32{9, 1, 2}, []uint8{0, 1, 1}, 2},
		{[]float32{1, 1}, []uint8{1, 1}, 0},
		{[]float32{0, -1e30}, []uint8{0, 1}, 1},
	} {
		if got := Best(test.logits, test.mask); got != test.want {
			t.Errorf("best of %v with mask %v is %d, want %d", test.logits, test.mask, got, test.want)
		}
	}
}
