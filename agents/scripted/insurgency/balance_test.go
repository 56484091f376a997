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
var balanceGames = flag.Int("balance-games", 20, "games of the scripted player against itself in each scenario")

// TestBalance plays the scripted player against itself, logs who wins and how, and
// demands that both sides win and that games end by points as well as they may.
func TestBalance(t *testing.T) {
	for _, scenario := range []string{"patriot", "resistance"} {
		g := enginetest.Game(t, "insurgency(scenario="+scenario+")")
		var (
			mu    sync.Mutex
			wins  [2]int
			kinds = map[string]int{}
			wg    sync.WaitGroup
			next  = make(chan uint64)
			sums  [2]int
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
						sums[0] += last.VictoryPoints(0)
						sums[1] += last.VictoryPoints(1)
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
		t.Logf("%s: rebel %d, federal %d; %v; mean points %.1f %.1f", scenario, wins[0], wins[1], kinds, float64(sums[0])/float64(*balanceGames), float64(sums[1])/float64(*balanceGames))
	}
}
