package serve

import (
	"context"
	"errors"
	"time"

	"powderkeg/serve/client"
	"powderkeg/serve/protocol"

	"golang.org/x/sync/errgroup"
)

// benchPause is how long the client rests between two steps that are measured beside thinking
// clients: one that asks all the time would be the load itself.
const benchPause = time.Millisecond

// benchThinking measures steps of a client beside others whose agents think all the time.
func benchThinking(ctx context.Context, address string, c BenchConfig, r *BenchResult) error {
	if c.Thinkers == 0 {
		return nil
	}
	r.Thinkers, r.ThinkingAgent = c.Thinkers, c.ThinkingAgent
	thinking, stop := context.WithCancel(ctx)
	defer stop()
	var group errgroup.Group
	for i := range c.Thinkers {
		group.Go(func() error { return think(thinking, address, c, uint64(i)) })
	}
	seconds, err := steps(ctx, address, c)
	stop()
	r.Beside, r.BesideP50, r.BesideP99 = len(seconds), Quantile(seconds, 0.5), Quantile(seconds, 0.99)
	return errors.Join(err, group.Wait())
}

// think has an agent think about the first decision of a game until ctx ends.
func think(ctx context.Context, address string, c BenchConfig, seed uint64) error {
	cl, err := client.Dial(ctx, address)
	if err != nil {
		return err
	}
	defer cl.Close()
	e, err := cl.MakeEnv(ctx, &protocol.EnvMake{Game: c.Game, Seed: &seed})
	if err != nil {
		return err
	}
	a, err := cl.LoadAgent(ctx, &protocol.AgentLoad{Game: c.Game, Agent: c.ThinkingAgent, Seed: seed})
	for err == nil {
		_, err = a.Act(ctx, e)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// steps measures the round trips of single steps.
func steps(ctx context.Context, address string, c BenchConfig) (seconds []float64, err error) {
	cl, err := client.Dial(ctx, address)
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	seed := uint64(1)
	e, err := cl.MakeEnv(ctx, &protocol.EnvMake{Game: c.Game, Seed: &seed})
	if err != nil {
		return nil, err
	}
	step := &e.Made.Step
	for end := time.Now().Add(duration(c.Seconds)); time.Now().Before(end); {
		if step.Terminated || step.Truncated {
			if err := e.Reset(ctx, nil, step); err != nil {
				return nil, err
			}
		}
		time.Sleep(benchPause)
		begin := time.Now()
		if err := e.Step(ctx, protocol.ByNumber(legalOf(step.Mask, uint64(len(seconds)))), step); err != nil {
			return nil, err
		}
		seconds = append(seconds, time.Since(begin).Seconds())
	}
	return seconds, nil
}
