package teacher

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"text/tabwriter"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/engine"
)

// Measure sets up a Calibration.
type Measure struct {
	Game engine.Game
	// Agent plays all seats of the games, and Games and Moments are how many of them, and how many
	// decisions with a choice of each, are looked at.
	Agent          string
	Games, Moments int
	// Trials bounds the simulations of a value.
	Trials int
	Seed   uint64
	// Fit looks for the curve of the values, as they are without one.
	Fit bool
	// Workers is how many games are played at a time; the result does not depend on it.
	Workers  int
	Progress func(done, total int)
}

// Bin holds the moments whose values are within a tenth.
type Bin struct {
	Moments int `json:"moments"`
	// Predicted and Real are the means of the values, and of what came of it, from 0 to 1.
	Predicted float64 `json:"predicted"`
	Real      float64 `json:"real"`
}

// Calibration says whether a teacher's values come true.
type Calibration struct {
	Game    string `json:"game"`
	Teacher string `json:"teacher"`
	Agent   string `json:"agent"`
	Games   int    `json:"games"`
	Moments int    `json:"moments"`
	Trials  int    `json:"trials"`
	// Bins are ten, for the values from 0 to 0.1 first.
	Bins [10]Bin `json:"bins"`
	// Error is the expected calibration error: by how much the bins' values miss what came, on average
	// over all moments. Chance is about what perfect values would have in as many moments.
	Error  float64 `json:"error"`
	Chance float64 `json:"chance"`
	// Explained is the share of the variance of what came that the values explain, by fifths of the
	// game, and All over all moments. It is below 0 for values that are worse than a constant.
	Explained [5]float64 `json:"explained"`
	All       float64    `json:"explained_all"`
	// Curve is fitted to the values if Measure.Fit was set; all figures are of the values without.
	Curve *Curve `json:"curve,omitempty"`
}

// outcome is a moment of a game that is over.
type outcome struct {
	value, real float64
	fifth       int
}

// Calibrate plays games and compares values at moments of theirs, drawn evenly, with what came. Errors are
// those of making agents, and of ctx.
func Calibrate(ctx context.Context, m Measure) (*Calibration, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	found, next := make([][]outcome, m.Games), make(chan int)
	var mu sync.Mutex
	var name string
	var group sync.WaitGroup
	done := 0
	for range min(m.Workers, m.Games) {
		group.Go(func() {
			t := New(m.Game)
			policies, err := roster.Policies(m.Game, m.Agent)
			if t == nil || err != nil {
				cancel(fmt.Errorf("nobody teaches or plays %s: %w", m.Game.Spec().Text, err))
				return
			}
			t.Trials = m.Trials
			if m.Fit {
				t.curve = nil
			}
			policy := policies()
			for n := range next {
				list, err := t.follow(ctx, policy, m, uint64(n))
				if err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				found[n], name, done = list, t.name, done+1
				if m.Progress != nil {
					m.Progress(done, m.Games)
				}
				mu.Unlock()
			}
		})
	}
	for n := 0; n < m.Games && ctx.Err() == nil; n++ {
		select {
		case next <- n:
		case <-ctx.Done():
		}
	}
	close(next)
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	c := &Calibration{Game: m.Game.Spec().Text, Teacher: name, Agent: m.Agent, Games: m.Games, Trials: m.Trials}
	all := slices.Concat(found...)
	c.count(all)
	if m.Fit {
		curve, err := fitted(all)
		if err != nil {
			return nil, err
		}
		curve.Game, curve.Teacher = c.Game, c.Teacher
		curve.Made = fmt.Sprintf(
			"powderkeg calibrate '%s' %s --games %d --moments %d --trials %d --seed %d --fit",
			c.Game, m.Agent, m.Games, m.Moments, m.Trials, m.Seed,
		)
		c.Curve = curve
	}
	return c, nil
}

// calibrationStream is the PCG stream of games whose values are compared.
const calibrationStream = 0x63616c6962

// follow plays a game and returns the values of some moments.
func (t *Teacher) follow(ctx context.Context, policy agents.Policy, m Measure, n uint64) ([]outcome, error) {
	rng := rand.NewPCG(m.Seed+n, calibrationStream)
	rng.Uint64() // the first numbers of neighbouring streams are alike
	s, choices := m.Game.New(), 0
	type moment struct {
		state engine.State
		at    int
	}
	var kept []moment
	for s.ToAct() != engine.Terminal {
		moves := engine.Moves(s)
		a := moves[0]
		switch p := s.ToAct(); {
		case p == engine.Chance:
			a = engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng)
		case len(moves) > 1:
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			// Each choice so far is among the kept ones with the same odds.
			if len(kept) < m.Moments {
				kept = append(kept, moment{engine.Clone(m.Game, s), choices})
			} else if at := int(engine.Uint32N(rng, uint32(choices+1))); at < m.Moments {
				kept[at] = moment{engine.Clone(m.Game, s), choices}
			}
			choices++
			var err error
			if a, err = agents.Choose(policy, engine.Look(s, p), p, moves, rng); err != nil {
				return nil, err
			}
		}
		if err := s.Apply(a); err != nil {
			return nil, err
		}
	}
	spec, returns := m.Game.Spec(), s.Returns(nil)
	var list []outcome
	for _, k := range kept {
		p := k.state.ToAct()
		a, err := t.Advise(ctx, engine.Look(k.state, p), p, k.state.Legal(nil), -1)
		if err != nil {
			return nil, err
		}
		if ctx.Err() == nil && a.Value != nil {
			real := float64(returns[p]-spec.MinReturn) / float64(spec.MaxReturn-spec.MinReturn)
			list = append(list, outcome{float64(*a.Value), real, 5 * k.at / choices})
		}
	}
	return list, ctx.Err()
}

// count fills the figures.
func (c *Calibration) count(all []outcome) {
	for _, o := range all {
		b := &c.Bins[min(int(10*o.value), 9)]
		b.Moments++
		b.Predicted += o.value
		b.Real += o.real
	}
	c.Moments = len(all)
	for i := range c.Bins {
		b := &c.Bins[i]
		if b.Moments == 0 {
			continue
		}
		n := float64(b.Moments)
		b.Predicted, b.Real = b.Predicted/n, b.Real/n
		c.Error += n * math.Abs(b.Predicted-b.Real) / float64(c.Moments)
		variance := 0.0
		for _, o := range all {
			if min(int(10*o.value), 9) == i {
				variance += (o.real - b.Real) * (o.real - b.Real) / n
			}
		}
		// The mean of n is off by its standard error times √(2/π), on average.
		c.Chance += n * math.Sqrt(2/math.Pi*variance/n) / float64(c.Moments)
	}
	explained := func(in func(o outcome) bool) float64 {
		n, sum, squares, missed := 0.0, 0.0, 0.0, 0.0
		for _, o := range all {
			if in(o) {
				n, sum, squares = n+1, sum+o.real, squares+o.real*o.real
				missed += (o.real - o.value) * (o.real - o.value)
			}
		}
		if spread := squares - sum*sum/n; spread > 0 {
			return 1 - missed/spread
		}
		return 0
	}
	c.All = explained(func(outcome) bool { return true })
	for f := range c.Explained {
		c.Explained[f] = explained(func(o outcome) bool { return o.fifth == f })
	}
}

// Write prints the figures for people.
func (c *Calibration) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s, taught by %s, %d games of %s: %d moments, %d simulations each\n", c.Game, c.Teacher, c.Games, c.Agent, c.Moments, c.Trials)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "value\tmoments\tpredicted\treal\t")
	for i, b := range c.Bins {
		if b.Moments > 0 {
			fmt.Fprintf(t, "%d-%d%%\t%d\t%.1f%%\t%.1f%%\t\n", 10*i, 10*i+10, b.Moments, 100*b.Predicted, 100*b.Real)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if c.Curve != nil {
		fmt.Fprintf(w, "curve: a %.4f, b %.4f, c %+.4f\n", c.Curve.A, c.Curve.B, c.Curve.C)
	}
	_, err := fmt.Fprintf(w, "expected calibration error %.3f (chance alone %.3f); explained %.0f%%, by fifths of the game %.0f %.0f %.0f %.0f %.0f%%\n",
		c.Error, c.Chance, 100*c.All, 100*c.Explained[0], 100*c.Explained[1], 100*c.Explained[2], 100*c.Explained[3], 100*c.Explained[4])
	return err
}
