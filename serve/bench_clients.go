package serve

import (
	"context"
	"errors"
	"slices"
	"time"

	"powderkeg/engine"
	"powderkeg/serve/client"
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"golang.org/x/sync/errgroup"
)

// untrained is the name under which a benchmark's server has its own network.
const untrained = "untrained"

// withUntrained adds an untrained network to what a server offers.
func withUntrained(c server.Config, hidden []int) server.Config {
	others := c.Network
	c.Network = func(g engine.Game, text string) (inference.Source, bool) {
		switch {
		case text == untrained:
			return inference.Untrained(g, hidden...), true
		case others == nil:
			return nil, false
		}
		return others(g, text)
	}
	c.Agents = append(slices.Clone(c.Agents), untrained)
	return c
}

// benchClients measures acts of many clients that share a network.
func benchClients(ctx context.Context, address string, c BenchConfig, r *BenchResult) error {
	if c.Clients == 0 {
		return nil
	}
	r.Clients, r.Rows, r.Hidden = c.Clients, c.Rows, c.Hidden
	actors := make([]*actor, c.Clients)
	for i := range actors {
		a, err := newActor(ctx, address, c, uint64(i))
		if err != nil {
			return err
		}
		defer a.client.Close()
		actors[i] = a
	}
	group, ctx := errgroup.WithContext(ctx)
	begin := time.Now()
	for _, a := range actors {
		group.Go(func() error { return a.run(ctx, begin.Add(duration(c.Seconds))) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	elapsed := time.Since(begin).Seconds()
	var seconds []float64
	for _, a := range actors {
		seconds = append(seconds, a.seconds...)
	}
	r.Batches, r.BatchP50, r.BatchP99 = len(seconds), Quantile(seconds, 0.5), Quantile(seconds, 0.99)
	r.BatchDecisions = float64(len(seconds)*c.Rows) / elapsed
	return nil
}

// actor is a client that asks for the same decisions again and again: the first
// ones of some games.
type actor struct {
	client  *client.Client
	agent   *client.Agent
	shown   protocol.VecResult
	seconds []float64 // round trips
}

func newActor(ctx context.Context, address string, c BenchConfig, seed uint64) (*actor, error) {
	cl, err := client.Dial(ctx, address)
	if err != nil {
		return nil, err
	}
	a := &actor{client: cl}
	if a.agent, err = cl.LoadAgent(ctx, &protocol.AgentLoad{Game: c.Game, Agent: untrained, Seed: seed}); err != nil {
		return nil, errors.Join(err, cl.Close())
	}
	v, err := cl.MakeVec(ctx, &protocol.VecMake{Game: c.Game, Envs: int64(c.Rows)})
	if err == nil {
		err = v.Reset(ctx, seed, &a.shown)
	}
	if err != nil {
		return nil, errors.Join(err, cl.Close())
	}
	return a, nil
}

// run asks until a moment.
func (a *actor) run(ctx context.Context, end time.Time) error {
	for now := time.Now(); now.Before(end); {
		if _, err := a.agent.ActBatch(ctx, a.shown.Observations, a.shown.Masks); err != nil {
			return err
		}
		then := now
		now = time.Now()
		a.seconds = append(a.seconds, now.Sub(then).Seconds())
	}
	return nil
}
