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
// demands that points decide: a player that throws its last piece away would lose
// by military victory, which strong sides never allow.
func TestBalance(t *testing.T) {
	for _, scenario := range []string{"patriot", "resistance"} {
		g := enginetest.Game(t, "insurgency(scenario="+scenario+")")
		var (
			mu    sync.Mutex
			wins  [2]int
			kinds = map[string]int{}
			wg    sync.WaitGroup
			next  = make(chan uint64)
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
							t.Errorf("%s, game %d: %s loses its last piece", scenario, n, []string{"rebel", "federal"}[1-winner])
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
		t.Logf("%s: rebel %d, federal %d; %v", scenario, wins[0], wins[1], kinds)
	}
}
