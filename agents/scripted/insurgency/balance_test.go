package insurgency

import (
	"context"
	"flag"
	"fmt"
	"sync"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

// balanceGames is how many games TestBalance plays in each scenario; reports give
// the number that they used.
var balanceGames = flag.Int("balance-games", 4, "games of the scripted player against itself in each scenario")

// TestBalance plays the scripted player against itself, logs who wins and how, and
// demands that points decide most games: throwing pieces away until none is left is
// no way to play.
func TestBalance(t *testing.T) {
	for _, scenario := range []string{"patriot", "resistance"} {
		g := enginetest.Game(t, "insurgency(scenario="+scenario+")")
		var (
			mu       sync.Mutex
			wins     [2]int
			military int
			kinds    = map[string]int{}
			wg       sync.WaitGroup
			next     = make(chan uint64)
		)
		for range 2 {
			wg.Go(func() {
				tb := table.New(g)
				for n := range next {
					seats := []agents.Agent{agents.FromPolicy(New(g)), agents.FromPolicy(New(g))}
					var last *insurgency.State
					_, err := tb.Play(context.Background(), seats, table.Seeds{Chance: n, Agents: n}, table.Options{
						Each: func(s engine.State, _ engine.Action) { last = s.(*insurgency.State) },
					})
					mu.Lock()
					if err != nil {
						t.Error(err)
					} else {
						winner, by, decisive := last.Winner()
						wins[winner]++
						if by == "military" {
							military++
						}
						kinds[fmt.Sprintf("%s %s decisive=%t round=%d", []string{"rebel", "federal"}[winner], by, decisive, last.Round())]++
					}
					mu.Unlock()
				}
			})
		}
		for n := range *balanceGames {
			next <- uint64(n)
		}
		close(next)
		wg.Wait()
		if 4*military > *balanceGames {
			t.Errorf("%s: %d of %d games end because a side has no piece left, want a quarter at most", scenario, military, *balanceGames)
		}
		t.Logf("%s: rebel %d, federal %d; %v", scenario, wins[0], wins[1], kinds)
	}
}
