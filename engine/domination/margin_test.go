package domination_test

import (
	"fmt"
	"testing"

	"powderkeg/engine/enginetest"
)

// R10.2: margins are of the Victory Points.
func TestR10_2_MarginsAgreeWithTheReturns(t *testing.T) {
	for n := 2; n <= 6; n++ {
		enginetest.Margins(t, 4, fmt.Sprintf("domination(players=%d)", n))
	}
}
