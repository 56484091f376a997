package suite

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// TestAgreesWithRliable compares with values of the library itself
// (experiments/yardsticks/rliable_golden.py says how they were made).
func TestAgreesWithRliable(t *testing.T) {
	text, err := os.ReadFile("testdata/rliable.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Thresholds []float64
		Cases      []struct {
			X, Y             [][]float64
			IQM, Improvement float64
			Profile          []float64
		}
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Cases) < 7 {
		t.Fatalf("%d cases, want 7", len(golden.Cases))
	}
	near := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("%s is %.12f, rliable says %.12f", name, got, want)
		}
	}
	for _, c := range golden.Cases {
		near("the interquartile mean", IQM(c.X), c.IQM)
		near("the probability of improvement", Improvement(c.X, c.Y), c.Improvement)
		for i, share := range Profile(c.X, golden.Thresholds) {
			near("the profile", share, c.Profile[i])
		}
	}
}

// TestBootstrapCovers counts how often the stratified bootstrap interval of the mean holds the
// truth: with ten runs of a few tasks somewhat less than 95%, as is known of percentile
// intervals.
func TestBootstrapCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const trials, runs, tasks = 200, 10, 3
	mean := func(scores [][]float64) float64 { return average(flat(scores)) }
	held := 0
	for trial := range trials {
		scores := make([][]float64, runs)
		for r := range scores {
			for task := range tasks {
				scores[r] = append(scores[r], float64(task)+rng.NormFloat64())
			}
		}
		if i := stratified(scores, uint64(trial), mean); i.Low <= 1 && 1 <= i.High {
			held++
		}
	}
	if share := float64(held) / trials; share < 0.88 || share > 0.99 {
		t.Errorf("the interval holds the truth in %.1f%% of trials, want about 93%%", 100*share)
	}
	one := [][]float64{{0.25, 0.5}}
	if got := stratified(one, 1, mean); got != (Interval{0.375, 0.375}) {
		t.Errorf("of a single run: %v, want its own figure", got)
	}
}

func TestQuantilesInterpolate(t *testing.T) {
	for p, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 2.5, 1: 4} {
		if got := quantile([]float64{1, 2, 3, 4}, p); math.Abs(got-want) > 1e-12 {
			t.Errorf("quantile %g of 1 to 4 is %g, want %g", p, got, want)
		}
	}
}
