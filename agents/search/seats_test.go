package search_test

import (
	"context"
	"slices"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// TestPlaysAtAnyNumberOfSeats sets a search against random players at short games
// of Domination, which has hidden cards, questions asked in secret, chance, and a
// win for one seat of many. It must find legal moves alone, and win far more than
// its share.
func TestPlaysAtAnyNumberOfSeats(t *testing.T) {
	for _, c := range []struct {
		game  string
		games int
		bar   float32 // share of the wins
	}{
		{"domination(turns=2)", 20, 0.7},
		{"domination(players=4,turns=2)", 20, 0.6},
		{"domination(players=6,turns=1)", 6, 0},
	} {
		if enginetest.Race {
			c.games, c.bar = 2, 0
		}
		g := enginetest.Game(t, c.game)
		seats := g.Spec().Seats
		searcher, tb := agent(t, g, sims(30)), table.New(g)
		var won float32
		for n := range c.games {
			players := make([]agents.Agent, seats)
			for s := range players {
				players[s] = random.New()
			}
			players[n%seats] = searcher
			seeds := table.Seeds{Chance: uint64(n / seats), Agents: uint64(n)}
			returns, err := tb.Play(context.Background(), players, seeds, table.Options{Each: func(s engine.State, a engine.Action) {
				if s.ToAct() >= 0 && !slices.Contains(s.Legal(nil), a) {
					t.Errorf("%s: seat %d plays %d, which is not legal", c.game, s.ToAct(), a)
				}
			}})
			if err != nil {
				t.Fatalf("%s: game %d: %v", c.game, n, err)
			}
			won += returns[n%seats]
		}
		if share := won / float32(c.games); share < c.bar {
			t.Errorf("%s: the search wins %.2f of %d games against random play, want at least %.2f", c.game, share, c.games, c.bar)
		}
	}
}
