package train

import (
	"testing"

	"powderkeg/train/luck"
)

// TestNoFactorOfEqualResults: where results do not vary, chance or not, there is no luck factor.
func TestNoFactorOfEqualResults(t *testing.T) {
	for _, test := range []struct {
		events int
		high   float64
		want   bool
	}{{5, 1.5, true}, {5, 1, false}, {0, 1.5, false}} {
		r := &luck.Result{Events: test.events, Raw: luck.Mean{Mean: 1, Low: 1, High: test.high}, Factor: 2}
		if got := luckOf(r, 1).Factor != nil; got != test.want {
			t.Errorf("%d events, results up to %v: a factor is there: %v, want %v", test.events, test.high, got, test.want)
		}
	}
}
