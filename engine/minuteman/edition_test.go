package minuteman_test

import (
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/minuteman"
)

// An edition is a game as any other: here with another build table, weaker CIGs and other
// terrain.
func TestEditionConforms(t *testing.T) {
	sets := []enginetest.Set{
		{File: "units", At: "cig.steps[2].attack", Value: 4}, {File: "units", At: "agent.weak.defense", Value: 4},
		{File: "map", At: "hexes[1205].terrain", Value: "clear"}, {File: "map", At: "hexes[1206].terrain", Value: "rough_brushland"},
	}
	for _, die := range []string{"0", "1", "2", "3"} {
		sets = append(sets, enginetest.Set{File: "tables", At: "unit_build_table.cells." + die, Value: []any{"B", "B", "B", "U", "R", "none"}})
	}
	g := enginetest.Edition(t, "minuteman(scenario=partisan)", sets...)
	enginetest.Run(t, enginetest.Suite{Game: g, Games: 1, Every: 41, Position: minuteman.PlainPosition, Reveals: minuteman.Reveals})
	enginetest.Allocs(t, g)
}
