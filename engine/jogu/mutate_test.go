package jogu_test

import (
	"testing"

	"powderkeg/engine/enginetest"
)

// Positions of real games with a few fields changed at random are refused, or can be seen,
// dealt anew and played on.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	for i, name := range []string{
		"jogu(first=mibits,second=wu,start=first)", "jogu(first=engineers,second=agents,start=first)",
		"jogu(first=agents,second=mibits,start=first,auto_forced=false)", "jogu(first=hours,second=mibits,expansion=true,start=first)",
	} {
		n := enginetest.Times(1200)
		if accepted := enginetest.Mutations(t, enginetest.Game(t, name), n, uint64(i)); accepted < n/50 {
			t.Errorf("%s: only %d of %d changed positions were accepted", name, accepted, n)
		}
	}
}
