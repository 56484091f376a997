package bloc_test

import (
	"testing"

	"powderkeg/engine/enginetest"
)

// R10.1 and R10.2: margins are of the condition of success, for each that a scenario has.
func TestR10_2_MarginsAgreeWithTheReturns(t *testing.T) {
	enginetest.Margins(t, 20, settings...)
}
