package network

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBinsHaveTheMeanThatIsAskedFor: a number split over its two bins has itself as
// their mean, up to the ends of the range and not beyond.
func TestBinsHaveTheMeanThatIsAskedFor(t *testing.T) {
	for _, n := range []int{2, 3, 51} {
		for x := float32(-1.5); x <= 1.5; x += 0.0625 {
			low, upper := Bin(x, n)
			if low < 0 || low > n-2 || upper < 0 || upper > 1 {
				t.Fatalf("%v lies at %d + %v of %d bins", x, low, upper, n)
			}
			logits := make([]float32, n)
			for i := range logits {
				logits[i] = float32(math.Inf(-1))
			}
			if upper < 1 {
				logits[low] = float32(math.Log(float64(1 - upper)))
			}
			if upper > 0 {
				logits[low+1] = float32(math.Log(float64(upper)))
			}
			if got, want := Expectation(logits), min(max(x, -1), 1); math.Abs(float64(got-want)) > 1e-5 {
				t.Errorf("%d bins: the mean of %v is %v, want %v", n, x, got, want)
			}
		}
	}
}

func TestFirstValuesOfBinsAreNearZero(t *testing.T) {
	c := Config{Inputs: 5, Actions: 3, Seats: 2, Hidden: []int{64}, Activation: ReLU, Bins: 51}
	n, err := New(c, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	logits, values := make([]float32, 3), make([]float32, 2)
	n.Forward(n.NewWorkspace(1), []float32{1, 2, 3, 4, 5}, logits, values)
	if math.Abs(float64(values[0])) > 0.02 || math.Abs(float64(values[1])) > 0.02 {
		t.Errorf("the first values are %v, want about 0", values)
	}
	for _, bins := range []int{-1, 1, maxBins + 1} {
		if c.Bins = bins; c.Validate() == nil {
			t.Errorf("%d bins are accepted", bins)
		}
	}
}
