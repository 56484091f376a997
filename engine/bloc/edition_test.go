package bloc_test

import (
	"testing"

	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// An edition is a game as any other, and plays by its values.
func TestEditionConforms(t *testing.T) {
	g := enginetest.Edition(t, "bloc(players=3,mode=semi_cooperative)",
		enginetest.Set{File: "loot_cards", At: "cards[bikes].copies", Value: 9}, enginetest.Set{File: "loot_cards", At: "cards[molotovs_1].copies",
			Value: 3},
		enginetest.Set{File: "loot_cards", At: "cards[fireworks].effects[2].max", Value: 5}, enginetest.Set{File: "loot_cards", At: "cards[bikes].name",
			Value: "Bicycles"},
		enginetest.Set{File: "loot_cards", At: "cards[energy_drinks].effects[1].n", Value: 3},
		enginetest.Set{File: "manifestation_cards", At: "cards[leaked_orders].table_by_liberated_difficulty.2", Value: 5},
		enginetest.Set{File: "police_ops_cards", At: "cards[move_state_lowest].copies", Value: 2}, enginetest.Set{File: "police_ops_cards",
			At: "cards[move_state_highest].copies", Value: 1},
	)
	enginetest.Run(t, enginetest.Suite{Game: g, Games: 2, Every: 23, Position: bloc.PlainPosition, Reveals: reveals})
	enginetest.Allocs(t, g)
	if name := bloc.AllCards(g).Loot[bloc.CardBikes].Name; name != "Bicycles" {
		t.Errorf("the card is called %s, the edition says Bicycles", name)
	}
	if name := bloc.AllCards(enginetest.Game(t, "bloc")).Loot[bloc.CardBikes].Name; name != "Bikes" {
		t.Errorf("the shipped card is called %s", name)
	}
}
