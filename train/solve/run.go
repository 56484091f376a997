package solve

import (
	"context"
	"fmt"
	"time"
)

// Point is how a solver stood after some iterations.
type Point struct {
	Iteration int
	// Time is what the iterations have taken, without that of evaluations.
	Time time.Duration
	Evaluation
}

// Schedule says how long a solver runs and when its average policy is evaluated.
type Schedule struct {
	Iterations int
	// Every is the number of iterations between two evaluations. 0 evaluates after
	// 1, 2, 5, 10, 20, 50, ... iterations, evenly spaced on a logarithmic axis. The
	// last iteration is always evaluated.
	Every int
}

// due reports whether to evaluate after iteration n.
func (s Schedule) due(n int) bool {
	if n == s.Iterations {
		return true
	}
	if s.Every > 0 {
		return n%s.Every == 0
	}
	for n%10 == 0 {
		n /= 10
	}
	return n == 1 || n == 2 || n == 5
}

// pause is the most iterations between two looks at the context. An iteration of a
// sampling solver is shorter than the look.
const pause = 64

// Run solves the tree and returns the average policy with what it was worth on the
// way, the last point being that of the policy itself. Each, if not nil, is told of
// every point. An error of the configuration or of ctx leaves no result.
func Run(ctx context.Context, t *Tree, c Config, s Schedule, each func(Point)) (*Policy, []Point, error) {
	solver, err := New(t, c)
	if err != nil {
		return nil, nil, err
	}
	rest := 1
	if c.Algorithm.Samples() {
		rest = pause
	}
	return Follow(ctx, t, steadily{solver}, s, rest, each)
}

// Stepper is what Follow drives: a Solver, or one whose steps may fail.
type Stepper interface {
	Iterate() error
	Average() (*Policy, error)
}

// steadily is a Solver as a Stepper.
type steadily struct{ Solver }

func (s steadily) Iterate() error {
	s.Solver.Iterate()
	return nil
}

func (s steadily) Average() (*Policy, error) { return s.Solver.Average(), nil }

// Follow is Run for any Stepper, which approaches an equilibrium of the tree's game.
// It looks at the context once in so many iterations.
func Follow(ctx context.Context, t *Tree, stepper Stepper, s Schedule, look int, each func(Point)) (*Policy, []Point, error) {
	if s.Iterations < 1 || s.Every < 0 {
		return nil, nil, fmt.Errorf("solve: %d iterations, evaluated every %d; want at least 1 and 0", s.Iterations, s.Every)
	}
	var points []Point
	var policy *Policy
	var spent time.Duration
	start := time.Now()
	for n := 1; n <= s.Iterations; n++ {
		if n%look == 0 {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
		}
		if err := stepper.Iterate(); err != nil {
			return nil, nil, err
		}
		if !s.due(n) {
			continue
		}
		spent += time.Since(start)
		var err error
		if policy, err = stepper.Average(); err != nil {
			return nil, nil, err
		}
		p := Point{n, spent, t.Evaluate(policy)}
		points = append(points, p)
		if each != nil {
			each(p)
		}
		start = time.Now()
	}
	return policy, points, nil
}

// Distance returns how far the point is from an equilibrium and what that number is
// called: exploitability where it is defined, NashConv elsewhere.
func (p Point) Distance() (name string, x float64) {
	if p.ZeroSum() {
		return "exploitability", p.Exploitability
	}
	return "NashConv", p.NashConv
}
