package domination

import "testing"

// The table of scaled counts holds what the layout says of each count.
func TestScaledCounts(t *testing.T) {
	for n := range maxOwned {
		if perScale[n] != float32(n)*(1./countScale) {
			t.Errorf("%d cards are %v", n, perScale[n])
		}
	}
}
