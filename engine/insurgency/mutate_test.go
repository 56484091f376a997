package insurgency_test

import (
	"testing"

	"powderkeg/engine/enginetest"
)

// Positions of real games with a few fields changed at random are refused, or can be seen,
// dealt anew and played on.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	for i, name := range settings {
		n := enginetest.Times(400)
		accepted := enginetest.Mutations(t, enginetest.Game(t, name), n, uint64(i))
		t.Logf("%s: %d of %d changed positions were accepted", name, accepted, n)
		if accepted < n/50 {
			t.Errorf("%s: only %d of %d changed positions were accepted", name, accepted, n)
		}
	}
}
