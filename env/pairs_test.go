package env_test

import (
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/env"
	"powderkeg/env/encoding/encodingtest"
)

// What a seat observes is enough to act on, in every game.
func TestObservationsTellSituationsApart(t *testing.T) {
	texts := []string{
		"kuhn", "leduc", "tictactoe", "connect4", "liars_dice", "liars_dice(players=3,dice=2)", "jogu", "jogu(first=engineers,second=mibits)",
		"jogu(first=agents,second=wu)",
		"goofspiel", "goofspiel(cards=4,bids=shown)",
		"bloc", "bloc(scenario=beginner_city,players=2)", "domination", "domination(players=4)", "insurgency", "insurgency(scenario=resistance)",
		"minuteman", "minuteman(scenario=partisan)",
	}
	enginetest.HasEveryGame(t, texts)
	for _, text := range texts {
		t.Run(text, func(t *testing.T) {
			g := enginetest.Game(t, text)
			encoder, err := env.EncoderFor(g)
			if err != nil {
				t.Fatal(err)
			}
			n := encodingtest.Pairs(t, g, encoder, enginetest.Times(1), 1)
			t.Logf("%d pairs of situations that look alike", n)
		})
	}
}
