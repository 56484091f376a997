package server

import (
	"context"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/inference"
	"powderkeg/serve/thinking"
)

// even sees to it that the time of a reply does not tell whether an agent on another seat had
// a choice: it takes as long over a question with one answer as over others, and in games
// that ask in secret a reply takes the time of a question wherever, for all that the client
// knows, somebody may have been asked. It belongs to an environment.
type even struct {
	paces []thinking.Pace // by seat

	// Of games that ask in secret.
	secrets *table.Secrets // nil for other games
	before  engine.State   // of the move that is being made
	drawn   []engine.Action
	owed    [][]table.Question // by seat, what it may have been asked since the client's move, and has not been so far
}

// newEven returns what an environment needs, nil where the server does not hide how long its
// agents take, or where nothing is hidden.
func (c *conn) newEven(g engine.Game, seats minds) *even {
	if seats == nil || !c.hides(g) {
		return nil
	}
	v := &even{paces: make([]thinking.Pace, len(seats))}
	if g.Spec().AsksInSecret {
		v.secrets, v.before, v.owed = table.NewSecrets(g), g.New(), make([][]table.Question, len(seats))
	}
	return v
}

// hides reports whether the server hides how long agents think in a game: where they may know
// what others do not.
func (c *conn) hides(g engine.Game) bool {
	_, hidden := g.New().(engine.Hidden)
	return hidden && c.server.config.EvenTime
}

// options are those of the environment.
func (v *even) options() env.Options {
	if v == nil || v.secrets == nil {
		return env.Options{Written: true}
	}
	return env.Options{Written: true, Drawn: func(o engine.Action) { v.drawn = append(v.drawn, o) }}
}

// decide has the agent on the seat to act choose.
func (c *conn) decide(ctx context.Context, e *environment) (engine.Action, error) {
	p := e.env.Actor()
	m := &e.seats[p]
	v := e.even
	if v == nil {
		return c.choose(ctx, m, e.env)
	}
	v.pay(e)
	pretends, ok := m.agent.(agents.Pretender)
	if forced := len(e.env.Legal()) == 1; ok && forced {
		if err := c.pretend(ctx, m, pretends, e.env.View(p), p, e.env.Legal()); err != nil {
			return 0, err
		}
		return e.env.Legal()[0], nil
	}
	begin := time.Now()
	action, err := c.choose(ctx, m, e.env)
	if err == nil && !ok && !steady(m.agent) {
		err = v.paces[p].Keep(ctx, begin, len(e.env.Legal()) == 1)
	}
	return action, err
}

// steady reports whether an agent takes as long over a question with one answer by itself, as
// a network does that nobody advises.
func steady(a agents.Agent) bool {
	network, ok := a.(*inference.Agent)
	return ok && network.Adviser() == nil
}

// pretend has an agent think about what it needs not.
func (c *conn) pretend(ctx context.Context, m *mind, a agents.Pretender, view engine.View, p engine.Player, legal []engine.Action) error {
	c.server.metrics.pretended.Inc()
	return c.server.thinks.Do(ctx, &c.thinker, m.gauge, func(ctx context.Context) error { return a.Pretend(ctx, view, p, legal) })
}

// pay takes the question that the seat to act is asked off what it owes, if the client does not
// know of it.
func (v *even) pay(e *environment) {
	if v.secrets == nil {
		return
	}
	p := e.env.Actor()
	if n := len(v.owed[p]); n > 0 && engine.Look(e.env.State(), e.client).ToAct() == engine.Nobody {
		v.owed[p] = v.owed[p][:n-1]
	}
}

// move makes a move, of the client or of an agent.
func (c *conn) move(ctx context.Context, e *environment, a engine.Action) error {
	v := e.even
	if v == nil || v.secrets == nil || !e.seats.long() {
		return e.env.Step(a)
	}
	v.before.CopyFrom(e.env.State())
	v.drawn = v.drawn[:0]
	if err := e.env.Step(a); err != nil {
		return err
	}
	return c.server.thinks.Do(ctx, &c.thinker, &c.asking, func(ctx context.Context) error {
		for _, a := range append([]engine.Action{a}, v.drawn...) {
			if err := ctx.Err(); err != nil {
				return err
			}
			asked, _ := v.secrets.Asked(v.before, e.client, a)
			for p := range e.seats {
				if asked>>p&1 != 0 && e.seats[p].agent != nil {
					v.owed[p] = append(v.owed[p], v.secrets.Questions(engine.Player(p))...)
				}
			}
			if err := v.before.Apply(a); err != nil {
				return err
			}
		}
		return nil
	})
}

// settle has seats think that may have been asked in secret and were not, as if they had been.
func (c *conn) settle(ctx context.Context, e *environment) error {
	v := e.even
	if v == nil || v.secrets == nil {
		return nil
	}
	for p, owed := range v.owed {
		v.owed[p] = owed[:0]
		m := &e.seats[p]
		pretends, ok := m.agent.(agents.Pretender)
		if !ok {
			continue
		}
		for _, q := range owed {
			if err := c.pretend(ctx, m, pretends, q.View, engine.Player(p), q.Legal); err != nil {
				return err
			}
		}
	}
	return nil
}
