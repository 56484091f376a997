package search_test

import (
	"context"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// TestPlaysInsurgency plays whole games of 2040: An American Insurgency with the
// search on each side. The table refuses illegal actions, so that a game that
// ends has been played by the rules.
func TestPlaysInsurgency(t *testing.T) {
	g := enginetest.Game(t, "insurgency(scenario=resistance)")
	searcher := agent(t, g, sims(2))
	for side := range 2 {
		seats := []agents.Agent{random.New(), random.New()}
		seats[side] = searcher
		searched := 0
		returns, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: 1, Agents: 2}, table.Options{
			Each: func(s engine.State, _ engine.Action) {
				if s.ToAct() == engine.Player(side) && len(s.Legal(nil)) > 1 {
					searched++
				}
			},
		})
		if err != nil {
			t.Fatalf("seat %d: %v", side, err)
		}
		if returns[0] != -returns[1] || returns[0] == 0 {
			t.Errorf("seat %d: returns are %v, want a winner and a loser", side, returns)
		}
		if searched < 50 {
			t.Errorf("seat %d: only %d decisions were searched", side, searched)
		}
	}
}
