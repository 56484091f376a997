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

// TestPlaysTeams plays Bloc by Bloc, where hidden hands, decks and agendas are filled in
// before each simulation and all seats may gain alike: the search sits beside random
// players and chooses legal moves for 60 decisions or to the end.
func TestPlaysTeams(t *testing.T) {
	const decisions = 60
	for _, name := range []string{
		"bloc(players=2,scenario=beginner)", "bloc(scenario=beginner)", "bloc(players=3,mode=semi_cooperative)", "bloc(mode=semi_cooperative)",
	} {
		g := enginetest.Game(t, name)
		ctx, enough := context.WithCancel(context.Background())
		seats := []agents.Agent{agent(t, g, sims(3))}
		for len(seats) < g.Spec().Seats {
			seats = append(seats, random.New())
		}
		mine := 0
		_, err := table.New(g).Play(ctx, seats, table.Seeds{Chance: 1, Agents: 1}, table.Options{
			Each: func(s engine.State, _ engine.Action) {
				if s.ToAct() == 0 {
					if mine++; mine == decisions {
						enough()
					}
				}
			},
		})
		enough()
		if mine < 10 || err != nil && ctx.Err() == nil {
			t.Errorf("%s: %d decisions of the search, error %v", name, mine, err)
		}
	}
}
