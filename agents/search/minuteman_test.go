package search_test

import (
	"context"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/search"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// TestPlaysMinuteman sets a search at each seat of the longest game with the largest
// vocabulary, against random play, and looks that it plays to the end: the table
// refuses what is not legal, and a redealt view in which a move is not possible fails.
// Rollouts are short, so that a whole game takes seconds.
func TestPlaysMinuteman(t *testing.T) {
	if testing.Short() {
		t.Skip("plays whole games")
	}
	for _, c := range []struct {
		game string
		seat int
	}{{"minuteman(scenario=partisan)", 0}, {"minuteman(scenario=partisan)", 1}, {"minuteman(players=3)", 2}} {
		g := enginetest.Game(t, c.game)
		seats := []agents.Agent{random.New(), random.New(), random.New()}[:g.Spec().Seats]
		seats[c.seat] = agent(t, g, search.Config{Simulations: 3, RolloutDepth: 5})
		searched := 0
		if _, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: 2, Agents: 2}, table.Options{
			Each: func(s engine.State, _ engine.Action) {
				if s.ToAct() == engine.Player(c.seat) {
					searched++
				}
			},
		}); err != nil {
			t.Errorf("%s, seat %d: %v", c.game, c.seat, err)
		}
		if searched < 20 {
			t.Errorf("%s, seat %d: searched at %d decisions, want 20 at least", c.game, c.seat, searched)
		}
	}
}
