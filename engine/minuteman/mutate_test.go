package minuteman_test

import (
	"testing"

	"powderkeg/engine/enginetest"
)

// TestMutatedPositionsAreRefusedOrPlayable is about R1.2 to R1.7: positions of real games
// with a few fields changed are refused or can be seen, dealt anew and played on.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	games := []string{"minuteman", "minuteman(scenario=partisan)", "minuteman(scenario=occupation)",
		"minuteman(scenario=civil_war,canada_mexico=true,foreign_intervention=true)", "minuteman(government=unprepared,rebel=organized)",
		"minuteman(players=3,foreign_intervention=true)", "minuteman(players=4,foreign_intervention=true)"}
	accepted := 0
	for i, name := range games {
		t.Run(name, func(t *testing.T) {
			accepted += enginetest.Mutations(t, enginetest.Game(t, name), enginetest.Times(250), uint64(i))
		})
	}
	if accepted < 100 {
		t.Errorf("only %d changed positions were accepted", accepted)
	}
}
