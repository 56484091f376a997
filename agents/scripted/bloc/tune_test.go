package bloc

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

var (
	tuneGenerations = flag.Int("tune", 0, "generations of the search for better weights, 0 for none")
	tuneGames       = flag.Int("tune.games", 700, "games that each set of weights plays")
	tuneGame        = flag.String("tune.game", "bloc(ops_difficulty=easy)", "the game")
)

// TestTune searches for better weights from those in use and prints what it has after
// each generation, to be written into weights.go:
//
//	go test ./agents/scripted/bloc -run Tune -v -timeout 0 -tune 50
//
// The search is separable CMA-ES (Ros and Hansen, 2008, table 1) over the logarithms of
// the weights, with mirrored samples, since a step that helps by chance hurts on the
// other side. What is kept is the mean, never the best of many noisy samples.
func TestTune(t *testing.T) {
	if *tuneGenerations == 0 {
		t.Skip("-tune gives the generations")
	}
	g := enginetest.Game(t, *tuneGame)
	s := newSearch(logs(&tuned), 0.15)
	for generation := range *tuneGenerations {
		worth := s.generation(func(x []float64) float64 {
			w := exps(x)
			return rate(g, &w, uint64(generation)<<32)
		})
		now := exps(s.mean)
		t.Logf("generation %d: worth %.3f, step %.3f\n%s", generation+1, worth, s.step, text(&now))
	}
}

// TestSearch looks for the top of a hill that is a hundred times as steep one way as the
// other, with noise.
func TestSearch(t *testing.T) {
	s := newSearch(slices.Repeat([]float64{1}, 8), 0.3)
	noise := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		s.generation(func(x []float64) float64 {
			sum := 0.01 * noise.NormFloat64()
			for i, v := range x {
				sum -= math.Pow(10, float64(i%3)) * v * v
			}
			return sum
		})
	}
	for i, v := range s.mean {
		if math.Abs(v) > 0.1 {
			t.Errorf("coordinate %d is %.3f, want 0 within 0.1", i, v)
		}
	}
}

// sample is a set of weights: its place in units of the search's spread, and its worth.
type sample struct {
	z     []float64
	worth float64
}

// population is how many samples a generation has.
const population = 16

// search is the state of separable CMA-ES: mean, step and variances, and the two paths.
type search struct {
	mean, variance, stepPath, path []float64
	step                           float64
	recombine                      []float64
	mass                           float64 // effective number of samples that are recombined
	rng                            *rand.Rand
}

func newSearch(mean []float64, step float64) *search {
	n := len(mean)
	s := &search{
		mean: mean, variance: slices.Repeat([]float64{1}, n), stepPath: make([]float64, n), path: make([]float64, n),
		step: step, recombine: make([]float64, population/2), rng: rand.New(rand.NewPCG(1, 1)),
	}
	sum, squares := 0.0, 0.0
	for i := range s.recombine {
		s.recombine[i] = math.Log(float64(population+1)/2) - math.Log(float64(i+1))
		sum += s.recombine[i]
	}
	for i := range s.recombine {
		s.recombine[i] /= sum
		squares += s.recombine[i] * s.recombine[i]
	}
	s.mass = 1 / squares
	return s
}

// generation draws samples, has their worth told, learns from them and returns the mean of
// their worth.
func (s *search) generation(worth func(x []float64) float64) float64 {
	samples, sum := make([]sample, population), 0.0
	for i := range samples {
		z, x := make([]float64, len(s.mean)), slices.Clone(s.mean)
		for j := range z {
			if z[j] = s.rng.NormFloat64(); i%2 == 1 {
				z[j] = -samples[i-1].z[j]
			}
			x[j] += s.step * math.Sqrt(s.variance[j]) * z[j]
		}
		samples[i] = sample{z: z, worth: worth(x)}
		sum += samples[i].worth
	}
	s.learn(samples)
	return sum / population
}

// learn moves the mean and the variances towards the better half of the samples, and fits
// the step.
func (s *search) learn(samples []sample) {
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(b.worth, a.worth) })
	n, mass := float64(len(s.mean)), s.mass
	pathRate, stepRate := 4/(n+4), (mass+2)/(n+mass+5)
	oneRate := 2 / ((n+1.3)*(n+1.3) + mass) * (n + 2) / 3
	manyRate := min(1-oneRate, 2*(mass-2+1/mass)/((n+2)*(n+2)+mass)*(n+2)/3)
	norm := 0.0
	for i := range s.mean {
		move, spread := 0.0, 0.0
		for k, weight := range s.recombine {
			z := samples[k].z[i]
			move += weight * z
			spread += weight * z * z
		}
		deviation := math.Sqrt(s.variance[i])
		s.mean[i] += s.step * deviation * move
		s.stepPath[i] = (1-stepRate)*s.stepPath[i] + math.Sqrt(stepRate*(2-stepRate)*mass)*move
		s.path[i] = (1-pathRate)*s.path[i] + math.Sqrt(pathRate*(2-pathRate)*mass)*deviation*move
		s.variance[i] *= 1 - oneRate - manyRate + manyRate*spread
		s.variance[i] += oneRate * s.path[i] * s.path[i]
		norm += s.stepPath[i] * s.stepPath[i]
	}
	expected := math.Sqrt(n) * (1 - 1/(4*n) + 1/(21*n*n))
	s.step *= math.Exp(min(1, stepRate/(1+stepRate)*(math.Sqrt(norm)/expected-1)))
}

// nearly is the worth of a lost game by the most State Districts that were held at the
// start of a night: games won alone tell too little.
var nearly = [...]float64{0, 0.02, 0.07, 0.25, 0.25}

// rate returns the mean worth of the games of a team.
func rate(g engine.Game, w *weights, seed uint64) float64 {
	sums := make([]float64, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i := range sums {
		wait.Go(func() {
			for k := i; k < *tuneGames; k += len(sums) {
				sums[i] += worthOf(g, w, seed+uint64(k))
			}
		})
	}
	wait.Wait()
	total := 0.0
	for _, x := range sums {
		total += x
	}
	return total / float64(*tuneGames)
}

// worthOf plays one game.
func worthOf(g engine.Game, w *weights, seed uint64) float64 {
	rng, p, s := rand.NewPCG(seed, 0), Policy{w: w}, g.New()
	var outcomes []engine.Outcome
	var legal []engine.Action
	night, most, view := 0, 0, &bloc.View{}
	for s.ToAct() != engine.Terminal {
		s.(*bloc.State).See(max(s.ToAct(), 0), view)
		if int(view.P.Night) > night {
			night, most = int(view.P.Night), max(most, statesHeld(view))
		}
		var a engine.Action
		if seat := s.ToAct(); seat == engine.Chance {
			outcomes = s.(engine.Stochastic).Outcomes(outcomes[:0])
			a = engine.Sample(outcomes, rng)
		} else {
			legal = s.Legal(legal[:0])
			a = p.Choose(view, seat, legal, rng)
		}
		if err := s.Apply(a); err != nil {
			panic(err)
		}
	}
	if s.Returns(nil)[0] > 0 {
		return 1
	}
	return nearly[min(most, len(nearly)-1)]
}

func statesHeld(s *bloc.View) int {
	n := 0
	for c := range bloc.CellID(bloc.Cells) {
		if s.P.Holder[c] != 0 && s.Tile(c).Type == bloc.TypeState {
			n++
		}
	}
	return n
}

// list returns the weights as a slice that shares their memory: they are nothing but
// float64s.
func list(w *weights) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(w)), unsafe.Sizeof(*w)/unsafe.Sizeof(0.0))
}

func logs(w *weights) []float64 {
	x := slices.Clone(list(w))
	for i := range x {
		x[i] = math.Log(x[i])
	}
	return x
}

func exps(x []float64) (w weights) {
	for i := range x {
		list(&w)[i] = math.Exp(x[i])
	}
	return w
}

// text writes weights as weights.go has them.
func text(w *weights) string {
	var b strings.Builder
	for i, x := range list(w) {
		fmt.Fprintf(&b, "%s: %.2g, ", reflect.TypeFor[weights]().Field(i).Name, x)
	}
	return b.String()
}
