package minuteman

import (
	"context"
	"flag"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

var (
	balanceGames = flag.Int("balance", 0, "games for each cell of the balance table, which is printed; 0 leaves it out")
	balanceOf    = flag.String("balance-of", "scenario=partisan scenario=basic government=unprepared government=prepared rebel=uncoordinated rebel=organized scenario=civil_war scenario=occupation players=3 players=4", "options of the games of the balance table")
	balancePairs = flag.String("balance-pairs", "scripted scripted,random random,scripted random,random scripted", "Government and Rebels of the balance table")
)

// tally counts how games ended for the Government.
type tally struct {
	games  int
	levels [7]int // -3 to 3 for the Rebel's ladder; with several the Government's level, negative
	sum    [4]float64
	square [4]float64
	moves  int
}

// playMany plays games of a seat 0 against all others.
func playMany(t *testing.T, g engine.Game, government, rebel string, games int) *tally {
	t.Helper()
	sums := &tally{}
	var lock sync.Mutex
	var wait sync.WaitGroup
	for w := range 2 {
		wait.Go(func() {
			seats := make([]agents.Agent, g.Spec().Seats)
			for i := range seats {
				name := rebel
				if i == 0 {
					name = government
				}
				seats[i] = seatOf(g, name)
			}
			for seed := w; seed < games; seed += 2 {
				decisions := 0
				r, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: uint64(seed), Agents: uint64(seed) + 7}, table.Options{Each: func(s engine.State, _ engine.Action) {
					if s.ToAct() >= 0 {
						decisions++
					}
				}})
				if err != nil {
					t.Error(err)
					return
				}
				lock.Lock()
				sums.add(r, decisions)
				lock.Unlock()
			}
		})
	}
	wait.Wait()
	return sums
}

// seatOf makes a player: random, scripted, or scripted with a plan by its name.
func seatOf(g engine.Game, name string) agents.Agent {
	switch name {
	case "scripted":
		return agents.FromPolicy(New(g, Auto))
	case "passive":
		return agents.FromPolicy(New(g, Passive))
	case "violent":
		return agents.FromPolicy(New(g, Violent))
	}
	return random.New()
}

func (s *tally) add(returns []float32, moves int) {
	s.games++
	s.moves += moves
	for i, r := range returns {
		s.sum[i] += float64(r)
		s.square[i] += float64(r) * float64(r)
	}
	s.levels[int(math.Round(float64(-returns[0])*3))+3]++
}

// mean returns a seat's mean return and half of its 95% interval.
func (s *tally) mean(seat int) (mean, half float64) {
	n := float64(s.games)
	mean = s.sum[seat] / n
	return mean, 1.96 * math.Sqrt(max(0, s.square[seat]/n-mean*mean)/n)
}

// TestBalance prints how the scenarios end between equal and unequal players: run it
// with -balance and a number of games.
func TestBalance(t *testing.T) {
	if *balanceGames == 0 {
		t.Skip("run with -balance 300 to print the table")
	}
	for _, setting := range strings.Fields(*balanceOf) {
		g := enginetest.Game(t, "minuteman("+setting+")")
		for _, pair := range strings.Split(*balancePairs, ",") {
			government, rebel, _ := strings.Cut(pair, " ")
			s := playMany(t, g, government, rebel, *balanceGames)
			line := ""
			for seat := range g.Spec().Seats {
				mean, half := s.mean(seat)
				line += fmt.Sprintf(" seat %d %+.3f ± %.3f", seat, mean, half)
			}
			fmt.Printf("%s | %s | %s | %d games |%s | levels G3..R3 %v | %d decisions a game\n", setting, government, rebel, s.games, line, s.levels, s.moves/max(1, s.games))
		}
	}
}
