package server

import (
	"context"

	"powderkeg/engine"
	"powderkeg/serve/protocol"
)

// seat makes the agents of the seats that the client does not play, and returns
// the first seat that it does. No texts means that it plays all.
func (c *conn) seat(g engine.Game, texts []string) (minds, engine.Player, error) {
	if len(texts) == 0 {
		return nil, 0, nil
	}
	spec := g.Spec()
	if len(texts) != spec.Seats {
		return nil, 0, protocol.Errorf(protocol.CodeParams, "%d agents; %s has %d seats, each an agent string or empty for your own", len(texts), spec.Name,
			spec.Seats)
	}
	seats, client := make(minds, spec.Seats), engine.Player(-1)
	taken := c.seated
	defer func() { c.seated = taken }() // hold takes them once the environment stands
	for p, text := range texts {
		if text == "" {
			if client < 0 {
				client = engine.Player(p)
			}
			continue
		}
		a, err := c.newAgent(g, text)
		if err != nil {
			giveAll(seats)
			return nil, 0, err
		}
		seats[p] = newMind(a)
		c.seated++
	}
	if client < 0 {
		giveAll(seats)
		return nil, 0, protocol.Errorf(protocol.CodeParams, "agents on all %d seats; leave one empty for yourself", spec.Seats)
	}
	return seats, client, nil
}

// giveAll gives up the agents on seats.
func giveAll(seats minds) {
	for _, m := range seats {
		give(m.agent)
	}
}

// seated returns the number of agents that play seats.
func (e *environment) seated() int {
	n := 0
	for _, m := range e.seats {
		if m.agent != nil {
			n++
		}
	}
	return n
}

// hold counts n more agents on seats.
func (c *conn) hold(n int) {
	c.seated += n
	c.server.metrics.agents.Add(float64(n))
}

// playSeats lets agents play up to the client's next decision or the end. All
// of them together have the request timeout. After an error the episode cannot
// go on.
func (c *conn) playSeats(ctx context.Context, e *environment) error {
	if e.even == nil && (e.over() || e.plays(e.env.Actor())) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.server.config.RequestTimeout)
	defer cancel()
	for !e.over() && !e.plays(e.env.Actor()) {
		if err := ctx.Err(); err != nil {
			return err // not every agent looks
		}
		a, err := c.decide(ctx, e)
		if err != nil {
			return err
		}
		if err := c.move(ctx, e, a); err != nil {
			return err
		}
		c.server.metrics.byAgent.Inc()
	}
	return c.settle(ctx, e)
}
