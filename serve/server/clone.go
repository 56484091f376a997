package server

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/protocol"
)

// copies says why a client must not have a game in progress copied, written down or dealt anew:
// it holds what the seats hide from each other and the luck to come. The client in the process
// of the server has both in its own memory.
func (c *conn) copies(agents bool) *protocol.Error {
	switch policy := c.server.config.Positions; {
	case policy == PositionsNone:
		return protocol.Errorf(protocol.CodeForbidden, "this server gives no copies of games in progress, as it shows no positions")
	case policy == PositionsOwn && agents && c.net != nil:
		return protocol.Errorf(protocol.CodeForbidden,
			"a copy would tell what the agents on the other seats hide, and what chance will bring; play all seats yourself, or in your own process")
	}
	return nil
}

func (c *conn) envClone(_ context.Context, p *protocol.EnvClone) (any, error) {
	c.touched = p.Env
	src, err := opened("env", p.Env, c.envs)
	if err != nil {
		return nil, err
	}
	if p.Into == 0 {
		c.occupy(&src.mu)
		handle, e, err := c.cloneEnv(src)
		if err != nil {
			return nil, err
		}
		return e.made(handle), nil
	}
	e, err := opened("env", p.Into, c.envs)
	if err != nil {
		return nil, err
	}
	lockBoth(p.Env, src, p.Into, e)
	defer unlockBoth(src, e)
	if err := c.copyEnv(e, src); err != nil {
		return nil, err
	}
	made := e.made(p.Into)
	// The response is written when the locks are given back.
	s := &made.Step
	s.Observation, s.Mask, s.Rewards, s.Returns = slices.Clone(s.Observation), slices.Clone(s.Mask), slices.Clone(s.Rewards), slices.Clone(s.Returns)
	return made, nil
}

// lockBoth locks two environments, which may be one. All who need two locks take them in the
// order of the handles.
func lockBoth(a uint64, x *environment, b uint64, y *environment) {
	if a > b {
		x, y = y, x
	}
	x.mu.Lock()
	if x != y {
		y.mu.Lock()
	}
}

func unlockBoth(x, y *environment) {
	x.mu.Unlock()
	if x != y {
		y.mu.Unlock()
	}
}

// made is what a client is told of an environment that it gets.
func (e *environment) made(handle uint64) *protocol.EnvMade {
	return &protocol.EnvMade{Env: handle, Game: e.env.Game().Spec().Text, Seed: e.seed, Step: e.step}
}

// cloneEnv opens a copy of an environment, which the caller holds.
func (c *conn) cloneEnv(src *environment) (uint64, *environment, error) {
	if fault := c.copies(src.seats != nil); fault != nil {
		return 0, nil, fault
	}
	g := src.env.Game()
	seats, _, err := c.seat(g, src.agents)
	if err != nil {
		return 0, nil, err
	}
	e, err := c.fill(src, seats)
	if err != nil {
		giveAll(seats)
		return 0, nil, err
	}
	return c.openEnv(e), e, nil
}

// fill makes a copy of an environment in which these agents sit.
func (c *conn) fill(src *environment, seats minds) (*environment, error) {
	inner, times := src.env, c.newEven(src.env.Game(), seats)
	if times == nil {
		inner = inner.Clone()
	} else {
		var err error
		if inner, err = env.New(inner.Game(), times.options()); err != nil {
			return nil, err
		}
	}
	e := newEnvironment(inner)
	e.seats, e.agents, e.client, e.even = seats, src.agents, src.client, times
	for p, m := range seats {
		if m.agent != nil {
			m.agent.Start(engine.Player(p), 0)
		}
	}
	if err := c.copyEnv(e, src); err != nil {
		return nil, err
	}
	if fault := c.chargeEnv(e); fault != nil {
		return nil, fault
	}
	return e, nil
}

// copyEnv makes an environment what another one is. The caller holds both. An error changes
// nothing.
func (c *conn) copyEnv(e, src *environment) error {
	if fault := c.copies(src.seats != nil); fault != nil {
		return fault
	}
	if src.fault != nil {
		return protocol.Errorf(protocol.CodeOver, "the episode was given up (%v); reset first", src.fault)
	}
	if e == src {
		return nil
	}
	if a, b := e.env.Game().Spec(), src.env.Game().Spec(); a != b && a.Text != b.Text || !slices.Equal(e.agents, src.agents) {
		return protocol.Errorf(protocol.CodeParams, "into is an environment of %s with the agents %q, the copy is one of %s with %q", a.Text, e.agents,
			b.Text, src.agents)
	}
	if src.seats != nil {
		from, err := src.seats.memories()
		if err != nil {
			return err
		}
		to, err := e.seats.memories()
		if err != nil {
			return err
		}
		for p, memory := range from {
			if memory != nil {
				*to[p] = *memory
			}
		}
	}
	e.env.CopyFrom(src.env)
	e.seed, e.episode, e.decided, e.most, e.fault = src.seed, src.episode, src.decided, src.most, nil
	copy(e.before, src.before)
	e.show()
	return nil
}

// memories are the generators that are all that the agents of a game remember, by seat, nil for
// the client's seats.
type memories []*rand.PCG

// memories returns those of the agents on seats.
func (m minds) memories() (memories, error) {
	list := make(memories, len(m))
	for p, one := range m {
		if one.agent == nil {
			continue
		}
		r, ok := one.agent.(agents.Remembering)
		if !ok {
			return nil, protocol.Errorf(protocol.CodeAgent,
				"the agent on seat %d cannot say what it remembers, so the game can be neither copied nor written down", p)
		}
		list[p] = r.Memory()
	}
	return list, nil
}

// write returns what is remembered as bytes.
func (m memories) write() ([][]byte, error) {
	written := make([][]byte, len(m))
	for p, memory := range m {
		if memory == nil {
			continue
		}
		var err error
		if written[p], err = memory.MarshalBinary(); err != nil {
			return nil, err
		}
	}
	return written, nil
}

// errMemory is the error of memories that nobody can have.
var errMemory = errors.New("what an agent remembers is no generator")

// read sets what is remembered to what write has returned. An error changes nothing.
func (m memories) read(written [][]byte) error {
	read := make([]rand.PCG, len(m))
	if len(written) != len(m) {
		return errMemory
	}
	for p, memory := range m {
		if memory == nil && written[p] != nil || memory != nil && read[p].UnmarshalBinary(written[p]) != nil {
			return errMemory
		}
	}
	for p, memory := range m {
		if memory != nil {
			*memory = read[p]
		}
	}
	return nil
}

func (c *conn) envRedeal(ctx context.Context, p *protocol.EnvRedeal) (any, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	seat := e.observer()
	if p.Seat != nil {
		if seat, err = e.own(*p.Seat); err != nil {
			return nil, err
		}
	}
	if _, err := c.redealEnv(ctx, e, seat, seedOf(p.Seed)); err != nil {
		return nil, err
	}
	return e.made(p.Env), nil
}

// redealEnv is env.redeal of an environment that the caller holds. The agents begin anew, by the
// seed: what they have drawn so far may tell what they hold.
func (c *conn) redealEnv(ctx context.Context, e *environment, seat engine.Player, seed uint64) (*protocol.Step, error) {
	switch fault := c.copies(e.seats != nil); {
	case fault != nil:
		return nil, fault
	case e.fault != nil:
		return nil, protocol.Errorf(protocol.CodeOver, "the episode was given up (%v); reset first", e.fault)
	case e.over():
		return nil, protocol.Errorf(protocol.CodeOver, "the episode has ended; reset first")
	}
	if err := c.readyAll(e.seats); err != nil {
		return nil, err
	}
	e.env.Redeal(seat, seed)
	e.seed, e.episode = seed, 0
	return c.first(ctx, e)
}
