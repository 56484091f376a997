package respond

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"powderkeg/agents/learned"
	"powderkeg/train"
	"powderkeg/train/eval"
	"powderkeg/train/run"
)

// learnElsewhere has those learners trained by the hands that nobody has begun. One that is begun
// goes on here.
func (f *folder) learnElsewhere(ctx context.Context) error {
	var ways []Way
	var orders []run.Order
	for _, way := range learners(f.plan.Ways) {
		dir := filepath.Join(f.dir, string(way))
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		t, err := f.config.training(f.game, way, f.plan.Updates[way])
		if err != nil {
			return err
		}
		ways = append(ways, way)
		orders = append(orders, run.Order{
			Config: t, Dir: dir, ForPlay: true, Check: func(dir string) error { return f.complete(dir, way, t) },
		})
		f.tell("%s: %d updates of %d decisions, by a worker", way, t.Updates, t.Envs*t.Steps)
	}
	err := run.Elsewhere(ctx, f.hands, orders, func(n int) error {
		f.tell("%s: trained", ways[n])
		return nil
	})
	return f.stopped(err)
}

// complete reports what is missing in a directory where a way has been trained to its end.
func (f *folder) complete(dir string, way Way, t train.Config) error {
	l, err := spent(way, dir)
	if err != nil {
		return err
	}
	list, err := trained(dir, way)
	if err != nil {
		return err
	}
	if l.Updates != int64(t.Updates) || len(list) != f.config.Candidates {
		return fmt.Errorf("it has %d candidates and %d updates, not %d and %d", len(list), l.Updates, f.config.Candidates, t.Updates)
	}
	for i, c := range list {
		if want := int64((i + 1) * t.Checkpoints.Every); c.Updates != want {
			return fmt.Errorf("candidate %d has %d updates, not %d", i+1, c.Updates, want)
		}
		if _, err := learned.Open(f.game, filepath.Join(dir, "checkpoints", filepath.Base(c.Player))); err != nil {
			return err
		}
	}
	return nil
}

// elsewhere is where the hands play against the agent, nil where this process does.
func (f *folder) elsewhere(deviants []Candidate) (*eval.Elsewhere, error) {
	if f.hands == nil {
		return nil, nil
	}
	agent, err := train.Roster.NamedPolicy(f.config.Agent)
	if err != nil {
		return nil, err
	}
	e := &eval.Elsewhere{Hands: f.hands, Agents: []eval.Named{agent}}
	for _, c := range deviants {
		var own eval.Named
		if c.Way == Search {
			if own, err = train.Roster.Named(c.Player); err != nil {
				return nil, err
			}
		} else {
			brain, err := f.open(c)
			if err != nil {
				return nil, err
			}
			own = eval.NamedNetwork(brain.Network(), 0)
		}
		e.Agents = append(e.Agents, own)
	}
	return e, nil
}

// stopped says of an error by which ctx has ended the run how it goes on.
func (f *folder) stopped(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: the same command goes on with %s", ErrStopped, f.dir)
	}
	return err
}
