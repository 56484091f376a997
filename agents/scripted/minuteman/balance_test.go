package minuteman

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
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
	balanceOf    = flag.String("balance-of",
		"scenario=partisan scenario=basic government=unprepared government=prepared rebel=uncoordinated rebel=organized scenario=civil_war "+
			"scenario=occupation players=3 players=4", "options of the games of the balance table")
	balancePlot  = flag.String("balance-plot", "", "file for a picture of the victory levels, SVG")
	balancePairs = flag.String("balance-pairs", "scripted scripted,random random,scripted random,random scripted",
		"Government and Rebels of the balance table")
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
				r, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: uint64(seed), Agents: uint64(seed) + 7},
					table.Options{Each: func(s engine.State, _ engine.Action) {
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
	var bars []bar
	for _, setting := range strings.Fields(*balanceOf) {
		g := enginetest.Game(t, "minuteman("+setting+")")
		for _, pair := range strings.Split(*balancePairs, ",") {
			government, rebel, _ := strings.Cut(pair, " ")
			s := playMany(t, g, government, rebel, *balanceGames)
			if *balancePlot != "" && government == rebel {
				bars = append(bars, bar{setting + ", " + government, s.levels})
			}
			line := ""
			for seat := range g.Spec().Seats {
				mean, half := s.mean(seat)
				line += fmt.Sprintf(" seat %d %+.3f ± %.3f", seat, mean, half)
			}
			fmt.Printf("%s | %s | %s | %d games |%s | levels G3..R3 %v | %d decisions a game\n", setting, government, rebel, s.games, line, s.levels,
				s.moves/max(1, s.games))
		}
	}
	if *balancePlot != "" {
		if err := os.WriteFile(*balancePlot, plotLevels(bars), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// bar is how the games of one setting between equal players ended.
type bar struct {
	name   string
	levels [7]int
}

// plotLevels draws a bar for each setting: the shares of the levels, from Decisive for
// the Government at the left to Decisive for the Rebel at the right.
func plotLevels(bars []bar) []byte {
	const height, left, width, top = 22, 240, 560, 40
	colours := [7]string{"#2166ac", "#67a9cf", "#d1e5f0", "#f7f7f7", "#fddbc7", "#ef8a62", "#b2182b"}
	names := [7]string{"G decisive", "G substantive", "G marginal", "draw", "R marginal", "R substantive", "R decisive"}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", left+width+20,
		top+height*len(bars)+10)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	for i, name := range names {
		x := 8 + i*(left+width)/len(names)
		fmt.Fprintf(&b, `<rect x="%d" y="8" width="10" height="10" fill="%s" stroke="#888"/><text x="%d" y="17" font-size="10">%s</text>`+"\n", x,
			colours[i], x+13, name)
	}
	for i, bar := range bars {
		y := top + i*height
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", left-8, y+13, bar.name)
		games, x := 0, float64(left)
		for _, n := range bar.levels {
			games += n
		}
		for level, n := range bar.levels {
			if w := float64(n) / float64(max(1, games)) * width; n > 0 {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s" stroke="#888"/>`+"\n", x, y, w, height-5, colours[level])
				x += w
			}
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
