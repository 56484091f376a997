package insurgency_test

import (
	"testing"

	"powderkeg/engine/enginetest"
)

// R5: margins are of the victory points, the Edge and the pieces of R5.2.
func TestR5_MarginsAgreeWithTheReturns(t *testing.T) {
	enginetest.Margins(t, 20, "insurgency", "insurgency(scenario=resistance)", "insurgency(scenario=custom)")
}
