package insurgency

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

var (
	tuneTime  = flag.Duration("tune", 0, "how long to search for better weights, 0 for not at all")
	tuneGames = flag.Int("tune.games", 64, "games that each set of weights plays, half of them in either scenario")
	tuneGame  = flag.String("tune.game", "insurgency(scenario=%s)", "the game, with %s for the scenario")
)

// TestTune searches for better weights of both sides from those in use and prints what
// it has after each generation, to be written into value.go:
//
//	go test ./agents/scripted/insurgency -run Tune -v -timeout 0 -tune 10m
//
// The sides take turns: a generation of one plays the other's mean. What is kept is the
// mean, never the best of many noisy samples.
func TestTune(t *testing.T) {
	if *tuneTime == 0 {
		t.Skip("-tune gives the time")
	}
	var all []engine.Game
	for _, scenario := range []string{"patriot", "resistance"} {
		all = append(all, enginetest.Game(t, fmt.Sprintf(*tuneGame, scenario)))
	}
	sides := [2]*search{newSearch(len(list(&tuned[rebel])), 1), newSearch(len(list(&tuned[rebel])), 2)}
	now := tuned
	for generation, begin := uint64(0), time.Now(); time.Since(begin) < *tuneTime; generation++ {
		for side := range engine.Player(2) {
			worth := sides[side].generation(func(x []float64) float64 {
				w := now
				w[side] = shifted(&tuned[side], x)
				return rate(all, &w, side, generation<<32)
			})
			now[side] = shifted(&tuned[side], sides[side].mean)
			fmt.Printf("generation %d, seat %d: worth %.3f\n%s\n", generation+1, side, worth, text(&now[side]))
		}
	}
}

// TestSearch climbs a hill that is steeper one way than the other, with noise.
func TestSearch(t *testing.T) {
	s := newSearch(6, 3)
	noise := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		s.generation(func(x []float64) float64 {
			sum := 0.05 * noise.NormFloat64()
			for i, v := range x {
				sum -= float64(1+i%3) * (v - 1) * (v - 1)
			}
			return sum
		})
	}
	for i, v := range s.mean {
		if math.Abs(v-1) > 0.15 {
			t.Errorf("coordinate %d is %.3f, want 1 within 0.15", i, v)
		}
	}
}

// search is an evolution strategy with mirrored samples that are weighed by their ranks
// (Salimans et al., 2017, section 2.1). Coordinates are in units of the weights' scales.
type search struct {
	mean []float64
	rng  *rand.Rand
}

const (
	population = 16
	spread     = 0.25 // of the samples
	rateUp     = 0.5  // how far the mean goes, in units of the rank-weighted mean of the samples
)

func newSearch(n int, seed uint64) *search {
	return &search{mean: make([]float64, n), rng: rand.New(rand.NewPCG(seed, 1))}
}

// generation draws samples, has their worth told, moves the mean towards the better ones
// and returns the mean of their worth.
func (s *search) generation(worth func(x []float64) float64) float64 {
	type sample struct {
		z     []float64
		worth float64
	}
	samples, sum := make([]sample, population), 0.0
	for i := range samples {
		z, x := make([]float64, len(s.mean)), slices.Clone(s.mean)
		for j := range z {
			if z[j] = s.rng.NormFloat64(); i%2 == 1 {
				z[j] = -samples[i-1].z[j]
			}
			x[j] += spread * z[j]
		}
		samples[i] = sample{z, worth(x)}
		sum += samples[i].worth
	}
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.worth, b.worth) })
	for rank, one := range samples {
		weight := float64(rank)/(population-1) - 0.5
		for j := range s.mean {
			s.mean[j] += rateUp * spread * weight * one.z[j] * 4 / population
		}
	}
	return sum / population
}

// rate returns what a side's weights are worth against the other's: games won, and the
// margin of points, since games won alone tell too little.
func rate(all []engine.Game, w *[2]weights, side engine.Player, seed uint64) float64 {
	const workers, decisive = 2, 10.
	var sums [workers]float64
	var wait sync.WaitGroup
	for i := range workers {
		wait.Go(func() {
			for k := i; k < *tuneGames; k += workers {
				g := all[k/2%2]
				tb, own := table.New(g), agents.FromPolicy(newPolicy(g, w))
				returns, err := tb.Play(context.Background(), []agents.Agent{own, agents.FromPolicy(newPolicy(g, w))},
					table.Seeds{Chance: seed + uint64(k), Agents: seed + uint64(k)}, table.Options{})
				if err != nil {
					panic(err)
				}
				s := engine.Look(tb.State(), engine.Player(side)).(*insurgency.View)
				margin := float64(s.VictoryPoints(side) - s.VictoryPoints(1-side))
				sums[i] += float64(returns[side]) + math.Tanh(margin/decisive)
			}
		})
	}
	wait.Wait()
	return (sums[0] + sums[1]) / float64(*tuneGames)
}

// list returns the weights as a slice that shares their memory: they are nothing but
// float64s.
func list(w *weights) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(w)), unsafe.Sizeof(*w)/unsafe.Sizeof(0.0))
}

// shifted returns weights moved by x in units of their own size, of 0.1 at least.
func shifted(from *weights, x []float64) weights {
	w := *from
	for i, v := range list(&w) {
		list(&w)[i] = v + x[i]*max(math.Abs(v), 0.1)
	}
	return w
}

// text writes weights, each by its name in value.go; arrays as lists.
func text(w *weights) string {
	var b strings.Builder
	v := reflect.ValueOf(w).Elem()
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if f.Kind() == reflect.Float64 {
			fmt.Fprintf(&b, "%s: %.3g, ", name, f.Float())
			continue
		}
		fmt.Fprintf(&b, "%s: {", name)
		for k := range f.Len() {
			fmt.Fprintf(&b, "%.3g, ", f.Index(k).Float())
		}
		b.WriteString("}, ")
	}
	return b.String()
}
