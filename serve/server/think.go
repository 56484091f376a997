package server

import (
	"context"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/inference"
	"powderkeg/serve/thinking"
)

// mind is an agent with what is known of how long it thinks.
type mind struct {
	agent agents.Agent
	gauge *thinking.Gauge
}

func newMind(a agents.Agent) mind { return mind{a, thinking.GaugeOf(a)} }

// crowd is what is known of how long an agent thinks about many decisions at once, and about
// few.
type crowd struct{ few, many *thinking.Gauge }

func newCrowd() crowd { return crowd{new(thinking.Gauge), thinking.Long()} }

// few is how many decisions are taken to be soon made until they were not.
const few = 16

// of returns the gauge of so many decisions.
func (c *crowd) of(n int) *thinking.Gauge {
	if n <= few {
		return c.few
	}
	return c.many
}

// minds are the agents on the seats of an environment, nil where the client plays all.
type minds []mind

// on returns the agent on a seat, nil for one of the client.
func (m minds) on(p engine.Player) *mind {
	if m == nil || m[p].agent == nil {
		return nil
	}
	return &m[p]
}

// long reports whether one of them may think for long.
func (m minds) long() bool {
	for _, one := range m {
		if one.agent != nil && one.gauge.Long() {
			return true
		}
	}
	return false
}

// ready says why an agent must not be asked now: its network, or all that thinks, has more
// to do than it can.
func (c *conn) ready(m *mind) error {
	if network, ok := m.agent.(*inference.Agent); ok {
		return network.Ready()
	}
	if m.gauge.Long() {
		return c.server.thinks.Full()
	}
	return nil
}

// readyFor says why an agent must not be asked for so many decisions now.
func (c *conn) readyFor(a *agent, n int) error {
	if a.batches.of(n).Long() {
		if err := c.server.thinks.Full(); err != nil {
			return err
		}
	}
	return c.ready(&a.mind)
}

// readyAll says why the agents on seats must not be asked now.
func (c *conn) readyAll(m minds) error {
	if m.long() {
		return c.server.thinks.Full()
	}
	return nil
}

// choose asks an agent that plays the seat to act for one of its legal actions.
func (c *conn) choose(ctx context.Context, m *mind, e *env.Env) (engine.Action, error) {
	return choose(ctx, c.server.thinks, &c.thinker, m, e)
}

func choose(ctx context.Context, pool *thinking.Pool, owner *thinking.Owner, m *mind, e *env.Env) (action engine.Action, err error) {
	act := func(ctx context.Context) error {
		action, err = m.agent.Act(ctx, e.View(e.Actor()), e.Legal())
		return err
	}
	if _, ok := m.agent.(*inference.Agent); ok { // which thinks in turns of its own
		err = act(ctx)
	} else {
		err = pool.Do(ctx, owner, m.gauge, act)
	}
	return chosen(e, action, err)
}
