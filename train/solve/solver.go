package solve

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine/option"
)

// Algorithm names a way to approach an equilibrium.
type Algorithm string

const (
	// CFR is counterfactual regret minimisation (Zinkevich, Johanson, Bowling and
	// Piccione, "Regret Minimization in Games with Incomplete Information", 2007).
	CFR Algorithm = "cfr"
	// CFRPlus forgets negative regrets and averages with linear weights (Tammelin,
	// "Solving Large Imperfect Information Games Using CFR+", 2014).
	CFRPlus Algorithm = "cfr+"
	// DCFR discounts regrets and averages by Config.Alpha, Beta and Gamma (Brown and
	// Sandholm, "Solving Imperfect-Information Games via Discounted Regret
	// Minimization", 2019).
	DCFR Algorithm = "dcfr"
	// LinearCFR is DCFR with all three exponents 1 (same paper).
	LinearCFR Algorithm = "linear-cfr"
	// ExternalSampling samples chance and the other seats (Lanctot, Waugh, Zinkevich
	// and Bowling, "Monte Carlo Sampling for Regret Minimization in Extensive
	// Games", 2009).
	ExternalSampling Algorithm = "es-mccfr"
	// OutcomeSampling samples whole games (same paper).
	OutcomeSampling Algorithm = "os-mccfr"
)

// Algorithms returns all of them.
func Algorithms() []Algorithm {
	return []Algorithm{CFR, CFRPlus, DCFR, LinearCFR, ExternalSampling, OutcomeSampling}
}

// Samples reports whether the algorithm draws at random what it looks at, so that
// one iteration visits a small part of the tree.
func (a Algorithm) Samples() bool { return a == ExternalSampling || a == OutcomeSampling }

// Config says how a game is solved. Default fills it in.
type Config struct {
	Algorithm Algorithm
	// Alpha, Beta and Gamma are the exponents of DCFR: after iteration t positive
	// regrets are multiplied by t^Alpha/(t^Alpha+1), negative ones by
	// t^Beta/(t^Beta+1), and what the average has so far by (t/(t+1))^Gamma.
	Alpha, Beta, Gamma float64
	// Simultaneous makes all seats answer the policies of the iteration before. By
	// default they take turns, each answering what the seats before it have just
	// become. The sampling algorithms always take turns.
	Simultaneous bool
	// Epsilon is the share of uniformly random moves with which OutcomeSampling
	// explores, above 0 and at most 1.
	Epsilon float64
	// Seed decides all that the sampling algorithms draw.
	Seed uint64
}

// Default returns the configuration of an algorithm with the numbers that its
// authors recommend.
func Default(a Algorithm) Config {
	return Config{Algorithm: a, Alpha: 1.5, Beta: 0, Gamma: 2, Epsilon: 0.6, Seed: 1}
}

// MostExponent bounds the exponents of DCFR, so that no power of a number of
// iterations overflows.
const MostExponent = 10

// Validate reports all faults at once.
func (c Config) Validate() error {
	var faults []error
	if !slices.Contains(Algorithms(), c.Algorithm) {
		names := make([]string, len(Algorithms()))
		for i, a := range Algorithms() {
			names[i] = string(a)
		}
		faults = append(faults, fmt.Errorf("unknown algorithm %q; algorithms: %s", c.Algorithm, strings.Join(names, ", ")))
	}
	for _, e := range []struct {
		name   string
		x, min float64
	}{{"alpha", c.Alpha, -MostExponent}, {"beta", c.Beta, -MostExponent}, {"gamma", c.Gamma, 0}} {
		if !(e.x >= e.min && e.x <= MostExponent) {
			faults = append(faults, fmt.Errorf("%s is %g, it must be from %s to %d", e.name, e.x, option.Number(e.min), MostExponent))
		}
	}
	if !(c.Epsilon > 0 && c.Epsilon <= 1) {
		faults = append(faults, fmt.Errorf("epsilon is %g, it must be above 0 and at most 1", c.Epsilon))
	}
	if c.Simultaneous && c.Algorithm.Samples() {
		faults = append(faults, fmt.Errorf("%s updates the seats in turns, never simultaneously", c.Algorithm))
	}
	return errors.Join(faults...)
}

// Solver improves a joint policy step by step. It belongs to one goroutine.
type Solver interface {
	// Iterate makes one iteration, which updates every seat once. It does not
	// allocate.
	Iterate()
	// Average returns the average policy so far, the one that converges; before the
	// first iteration it is uniform. The caller owns it.
	Average() *Policy
}

// New returns a solver that has not begun. Errors are those of Validate.
func New(t *Tree, c Config) (Solver, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("solve: %w", err)
	}
	switch c.Algorithm {
	case ExternalSampling:
		return &external{sampler: newSampler(t, c.Seed)}, nil
	case OutcomeSampling:
		return &outcome{sampler: newSampler(t, c.Seed), epsilon: c.Epsilon}, nil
	default:
		return newMinimiser(t, c), nil
	}
}
