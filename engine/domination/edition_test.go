package domination_test

import (
	"testing"

	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

// An edition is a game as any other, and plays by its values: here two Resources change
// places, and a card has other values and another text.
func TestEditionConforms(t *testing.T) {
	f := domination.FactsOf(enginetest.Game(t, "domination"))
	g := enginetest.Edition(t, "domination(players=3,turns=3,extended_pool=true)",
		enginetest.Set{File: "cards", At: "cards[2].build", Value: 6}, enginetest.Set{File: "cards", At: "cards[26].effect[1].reductions", Value: 3},
		enginetest.Set{File: "map", At: "land_areas[CAN].name", Value: "Northland"},
	)
	enginetest.Run(t, enginetest.Suite{Game: g, Games: 1, Every: 37, Position: domination.PlainPosition, Reveals: lastCardDiscarded})
	enginetest.Allocs(t, g)
	if own := domination.FactsOf(g); own.Cards[1].Build != 6 || own.Areas[0].Name != "Northland" || f.Cards[1].Build == 0 ||
		f.Areas[0].Name != "Canada" {
		t.Errorf("the edition has %d Builds in %s, the shipped game %d in %s", own.Cards[1].Build, own.Areas[0].Name, f.Cards[1].Build, f.Areas[0].Name)
	}
	if n, _ := domination.FactsOf(g).Cards[25].Points(); n != 3 {
		t.Errorf("Strategic Bombers spend %d points, the edition says 3", n)
	}
}
