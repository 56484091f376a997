package insurgency

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

var (
	balanceGames = flag.Int("balance", 0, "games for each cell of the balance table, which is printed; 0 leaves it out")
	balanceOf    = flag.String("balance-of", "scripted,random", "players of the balance table, each of which plays both sides")
)

// ends counts how games ended.
type ends struct {
	wins   [2]int
	kinds  map[string]int
	margin int // victory points of the Rebel less those of the Federal, summed up
	moves  int // decisions
}

// playMany plays games of a kind of player against itself.
func playMany(t *testing.T, g engine.Game, player string, games int) *ends {
	t.Helper()
	sums := &ends{kinds: map[string]int{}}
	var lock sync.Mutex
	var wait sync.WaitGroup
	const workers = 2
	for w := range workers {
		wait.Go(func() {
			tb := table.New(g)
			seats := []agents.Agent{random.New(), random.New()}
			if player == "scripted" {
				seats = []agents.Agent{agents.FromPolicy(New(g)), agents.FromPolicy(New(g))}
			}
			for seed := w; seed < games; seed += workers {
				moves := 0
				if _, err := tb.Play(context.Background(), seats, table.Seeds{Chance: uint64(seed), Agents: uint64(seed)}, table.Options{
					Each: func(s engine.State, _ engine.Action) {
						if s.ToAct() >= 0 {
							moves++
						}
					},
				}); err != nil {
					t.Error(err)
					return
				}
				lock.Lock()
				sums.add(engine.Look(tb.State(), rebel).(*insurgency.View), moves)
				lock.Unlock()
			}
		})
	}
	wait.Wait()
	return sums
}

func (e *ends) add(s *insurgency.View, moves int) {
	winner, by, _ := s.Winner()
	e.wins[winner]++
	e.kinds[fmt.Sprintf("%s %s", [2]string{"Rebel", "Federal"}[winner], by)]++
	e.margin += s.VictoryPoints(rebel) - s.VictoryPoints(federal)
	e.moves += moves
}

// TestBalance prints who wins between equal players and how: run it with -balance and
// a number of games.
func TestBalance(t *testing.T) {
	if *balanceGames == 0 {
		t.Skip("run with -balance 1000 to print the table")
	}
	for _, scenario := range []string{"patriot", "resistance"} {
		g := enginetest.Game(t, "insurgency(scenario="+scenario+")")
		for player := range strings.SplitSeq(*balanceOf, ",") {
			e := playMany(t, g, player, *balanceGames)
			n := float64(*balanceGames)
			fmt.Printf("%s | %s | %d games | Rebel %.1f%% | margin %+.1f | %v | %.0f decisions a game\n",
				scenario, player, *balanceGames, 100*float64(e.wins[rebel])/n, float64(e.margin)/n, e.kinds, float64(e.moves)/n)
		}
	}
}

// TestPointsDecide demands that points decide most games of the player against
// itself: throwing pieces away until none is left is no way to play.
func TestPointsDecide(t *testing.T) {
	games := 4
	if enginetest.Race {
		games = 1
	}
	for _, scenario := range []string{"patriot", "resistance"} {
		e := playMany(t, enginetest.Game(t, "insurgency(scenario="+scenario+")"), "scripted", games)
		if n := e.kinds["Rebel military"] + e.kinds["Federal military"]; n > 1 {
			t.Errorf("%s: %d of %d games end because a side has no piece left, want one at most", scenario, n, games)
		}
	}
}
