package minuteman_test

import (
	"testing"

	"powderkeg/engine/enginetest"
)

// R24.3, R24.5, R25.13 and R28.9: margins are of the victory levels and what they count.
func TestR24_5_MarginsAgreeWithTheReturns(t *testing.T) {
	enginetest.Margins(t, 6, "minuteman", "minuteman(scenario=partisan)", "minuteman(scenario=civil_war)",
		"minuteman(scenario=occupation)", "minuteman(players=4)")
}
