package games_test

import (
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/soak"
)

// mutated are the games whose positions are changed at random.
var mutated = []string{
	"kuhn", "leduc", "tictactoe", "connect4",
	"liars_dice", "liars_dice(players=3,dice=2,faces=4)",
	"goofspiel", "goofspiel(cards=4,bids=shown,order=descending)",
	"jogu(first=any,second=any)", "jogu(first=any,second=any,expansion=true,auto_forced=false)", "jogu(first=engineers,second=engineers)",
	"bloc(scenario=beginner_city)", "bloc(players=2)", "bloc(mode=semi_cooperative)",
	"domination(turns=3)", "domination(players=3,turns=3,auto_forced=false)", "domination(players=5,extended_pool=true,turns=2)",
	"insurgency", "insurgency(scenario=resistance,auto_forced=false)", "insurgency(scenario=custom)",
	"minuteman", "minuteman(scenario=partisan)", "minuteman(players=4)", "minuteman(foreign_intervention=true,canada_mexico=true)",
}

// Positions that are nearly right are refused or can be played on, in every game.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	enginetest.HasEveryGame(t, mutated)
	for _, text := range mutated {
		t.Run(text, func(t *testing.T) {
			n := 500
			if soak.On() {
				n = enginetest.Times(5000) // a million in "make soak"
			}
			accepted := enginetest.Mutations(t, enginetest.Game(t, text), n, 1)
			t.Logf("%d of %d accepted", accepted, n)
			if accepted < n/100 {
				t.Errorf("only %d changed positions were accepted", accepted)
			}
		})
	}
}
