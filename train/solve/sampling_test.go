package solve_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/solve"
)

// run iterates and returns the exploitability, or NashConv where there is none.
func run(t testing.TB, g engine.Game, c solve.Config, iterations int) float64 {
	t.Helper()
	tree := buildGame(t, g)
	s := solver(t, tree, c)
	for range iterations {
		s.Iterate()
	}
	e := tree.Evaluate(s.Average())
	if math.IsNaN(e.Exploitability) {
		return e.NashConv
	}
	return e.Exploitability
}

// TestSamplingConverges demands of fixed seeds about twice what OpenSpiel's solvers
// reach on Kuhn poker with theirs: 0.0138 and 0.0177 after 10,000 iterations. The
// bounds for Leduc are our own.
func TestSamplingConverges(t *testing.T) {
	skipRaces(t)
	for _, c := range []struct {
		game       string
		algorithm  solve.Algorithm
		iterations int
		bound      float64
	}{
		{"kuhn", solve.ExternalSampling, 10000, 0.03},
		{"kuhn", solve.ExternalSampling, 200000, 0.004},
		{"kuhn", solve.OutcomeSampling, 10000, 0.04},
		{"kuhn", solve.OutcomeSampling, 200000, 0.012},
		{"leduc", solve.ExternalSampling, 100000, 0.2},
		{"leduc", solve.OutcomeSampling, 200000, 0.9},
	} {
		for seed := range uint64(3) {
			config := solve.Default(c.algorithm)
			config.Seed = seed
			if got := run(t, enginetest.Game(t, c.game), config, c.iterations); !(got < c.bound) {
				t.Errorf("%s, %s, seed %d: exploitability %g after %d iterations, want below %g", c.game, c.algorithm, seed, got, c.iterations, c.bound)
			}
		}
	}
}

// TestEveryAlgorithmTakesAnyGame solves games with three seats, one seat and no zero
// sum, for which theory promises little, but in which the equilibrium is dominant or
// experience good.
func TestEveryAlgorithmTakesAnyGame(t *testing.T) {
	skipRaces(t)
	for _, a := range solve.Algorithms() {
		iterations, bound := 2000, 0.01
		if a.Samples() {
			iterations, bound = 100000, 0.06
		}
		for _, g := range []engine.Game{kuhnFor(3), prisoners(), alone()} {
			if got := run(t, g, solve.Default(a), iterations); !(got < bound) {
				t.Errorf("%s, %s: NashConv %g after %d iterations, want below %g", g.Spec().Text, a, got, iterations, bound)
			}
		}
	}
}

// skipRaces skips long computations, and counts of allocations, under the race
// detector, which slows the ones and spoils the others. The package starts no
// goroutine.
func skipRaces(t *testing.T) {
	t.Helper()
	if enginetest.Race {
		t.Skip("not under the race detector")
	}
}

func TestSeedsDecide(t *testing.T) {
	for _, a := range []solve.Algorithm{solve.ExternalSampling, solve.OutcomeSampling} {
		g := enginetest.Game(t, "leduc")
		one, two := solve.Default(a), solve.Default(a)
		two.Seed = 2
		first := run(t, g, one, 500)
		if again := run(t, g, one, 500); again != first {
			t.Errorf("%s: the same seed gives %g and %g", a, first, again)
		}
		if other := run(t, g, two, 500); other == first {
			t.Errorf("%s: two seeds give the same %g", a, first)
		}
	}
}

func TestIterationsDoNotAllocate(t *testing.T) {
	skipRaces(t)
	tree := build(t, "leduc")
	for _, a := range solve.Algorithms() {
		s := solver(t, tree, solve.Default(a))
		for range 100 { // until the scratch memory is large enough
			s.Iterate()
		}
		if n := testing.AllocsPerRun(100, s.Iterate); n != 0 {
			t.Errorf("%s: %g allocations per iteration, want 0", a, n)
		}
	}
}

func TestConfigurationsAreChecked(t *testing.T) {
	tree := build(t, "kuhn")
	for want, change := range map[string]func(*solve.Config){
		`unknown algorithm "nash"; algorithms: cfr, cfr+, dcfr, linear-cfr, es-mccfr, os-mccfr`: func(c *solve.Config) { c.Algorithm = "nash" },
		"alpha is NaN, it must be from -10 to 10":                                               func(c *solve.Config) { c.Alpha = math.NaN() },
		"beta is -11":                                    func(c *solve.Config) { c.Beta = -11 },
		"gamma is -0.5, it must be from 0 to 10":         func(c *solve.Config) { c.Gamma = -0.5 },
		"gamma is 10.5":                                  func(c *solve.Config) { c.Gamma = 10.5 },
		"epsilon is 0, it must be above 0 and at most 1": func(c *solve.Config) { c.Epsilon = 0 },
		"es-mccfr updates the seats in turns":            func(c *solve.Config) { c.Algorithm, c.Simultaneous = solve.ExternalSampling, true },
	} {
		c := solve.Default(solve.DCFR)
		change(&c)
		if _, err := solve.New(tree, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
}

// TestSamplingIsUnbiased draws many updates from one policy. Their mean must be the
// update of CFR; the averages must grow in proportion to the policy's reach, with a
// factor for each information state that no policy changes, since the policies of
// different iterations would be weighed unfairly otherwise. Three seats show what
// two do not: that drawing the third one's actions stays out of the average.
func TestSamplingIsUnbiased(t *testing.T) {
	for _, a := range []solve.Algorithm{solve.ExternalSampling, solve.OutcomeSampling} {
		for _, g := range []engine.Game{enginetest.Game(t, "kuhn"), oddOneOut(), signals(), alone()} {
			tree := buildGame(t, g)
			p := mixedPolicy(t, tree)
			for seat := range engine.Player(tree.Seats()) {
				averaged := seat
				if a == solve.ExternalSampling {
					averaged = (seat + 1) % engine.Player(tree.Seats())
				}
				regret, byNodes, byChance := solve.ExactUpdate(tree, p, seat, averaged)
				gotRegret, gotSum := solve.SampleUpdates(tree, a, p, seat, averaged, 20000)
				name := fmt.Sprintf("%s, %s, seat %d", a, g.Spec().Text, seat)
				agree(t, name+", regret", gotRegret, regret)
				if a == solve.ExternalSampling {
					byNodes = byChance
				}
				agree(t, name+", average", gotSum, byNodes)
			}
		}
	}
}

// mixedPolicy draws distributions without small numbers, so that nothing is rare.
func mixedPolicy(t *testing.T, tree *solve.Tree) *solve.Policy {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 1))
	p, err := tree.Policy(func(_ []solve.InfoState, probabilities [][]float64) error {
		for _, row := range probabilities {
			row[0] = 0.25 + 0.5*rng.Float64()
			row[1] = 1 - row[0]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// agree demands every mean within five standard errors.
func agree(t *testing.T, name string, got solve.Estimate, want []float64) {
	t.Helper()
	for q, x := range want {
		if math.Abs(got.Mean[q]-x) > 5*got.Error[q]+1e-9 {
			t.Errorf("%s: sequence %d has the mean %g with an error of %g, want %g", name, q, got.Mean[q], got.Error[q], x)
		}
	}
}
