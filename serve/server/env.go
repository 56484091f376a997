package server

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/protocol"
	"powderkeg/serve/told"
)

// environment is a single environment of a client, with agents on the seats
// that the client does not play.
type environment struct {
	mu       sync.Mutex // held by the request or the fast call that is about it
	env      *env.Env
	seats    minds    // one per seat, without an agent for a seat of the client; none where it plays all
	agents   []string // strings of the agents on the seats
	client   engine.Player
	even     *even // nil where times tell nothing, or may tell what they like
	seed     uint64
	episode  uint64 // since the seed was given, 0 for the first
	before   []float32
	reader   *told.Reader  // made when first asked
	fault    error         // why the episode cannot go on
	decided  int           // decisions of the client in the episode
	most     int           // after so many of them the episode is truncated, 0: never
	step     protocol.Step // responses, reused
	facts    []int64       // of memory that step is bound to, nil for none
	observed protocol.Observed
	bytes    int // about what all of it holds
}

func (c *conn) envMake(ctx context.Context, p *protocol.EnvMake) (any, error) {
	g, err := newGame(p.Game)
	if err != nil {
		return nil, err
	}
	if p.MaxDecisions < 0 {
		return nil, protocol.Errorf(protocol.CodeParams, "max_decisions is %d, it must not be negative", p.MaxDecisions)
	}
	seats, client, err := c.seat(g, p.Agents)
	if err != nil {
		return nil, err
	}
	times := c.newEven(g, seats)
	inner, err := env.New(g, times.options())
	if err != nil {
		giveAll(seats)
		return nil, err
	}
	if p.Position != "" {
		if err := inner.StartFrom([]byte(p.Position)); err != nil {
			giveAll(seats)
			return nil, err
		}
	}
	e := newEnvironment(inner)
	e.seats, e.agents, e.client, e.even, e.most = seats, slices.Clone(p.Agents), client, times, int(p.MaxDecisions)
	if err := c.readyAll(e.seats); err != nil {
		giveAll(e.seats)
		return nil, err
	}
	if fault := c.chargeEnv(e); fault != nil {
		giveAll(e.seats)
		return nil, fault
	}
	step, err := c.firstStep(ctx, e, seedOf(p.Seed))
	if err != nil {
		giveAll(e.seats)
		c.release(1, e.bytes)
		return nil, err
	}
	return &protocol.EnvMade{Env: c.openEnv(e), Game: g.Spec().Text, Seed: e.seed, Step: *step}, nil
}

// newEnvironment returns an environment in which the client plays all seats.
func newEnvironment(inner *env.Env) *environment {
	spec := inner.Game().Spec()
	return &environment{env: inner, before: make([]float32, spec.Seats), step: protocol.Step{
		Observation: make([]float32, inner.Encoder().Layout().Size), Mask: make([]uint8, len(spec.Actions)),
		Rewards: make([]float32, spec.Seats), Returns: make([]float32, spec.Seats),
	}}
}

// chargeEnv takes what an environment needs from what the connection may have.
func (c *conn) chargeEnv(e *environment) *protocol.Error {
	g := e.env.Game()
	e.bytes = envBytes(g) + stepBytes(g, len(e.step.Observation)) + e.seated()*c.server.config.AgentBytes
	return c.reserve(1, e.bytes)
}

// openEnv gives an environment a handle.
func (c *conn) openEnv(e *environment) uint64 {
	c.hold(e.seated())
	handle := c.newHandle()
	c.envs[handle] = e
	return handle
}

// firstStep begins the first episode of an environment that has no handle yet.
func (c *conn) firstStep(ctx context.Context, e *environment, seed uint64) (step *protocol.Step, err error) {
	defer env.Recover(e.env.Game(), &err)
	return c.begin(ctx, e, seed)
}

// seedOf returns the seed that was given, or draws one that every language can hold, since
// it is exact as a float64 too.
func seedOf(given *uint64) uint64 {
	if given != nil {
		return *given
	}
	return rand.Uint64N(1 << 53)
}

// environmentOf returns the environment of a handle, which the request is about.
func (c *conn) environmentOf(handle uint64) (*environment, error) {
	c.touched = handle
	e, err := opened("env", handle, c.envs)
	if err == nil {
		c.occupy(&e.mu)
	}
	return e, err
}

// opened returns what the client has opened under a handle, of a kind that is told in
// the error.
func opened[T any](kind string, handle uint64, open map[uint64]T) (T, error) {
	if v, ok := open[handle]; ok {
		return v, nil
	}
	var none T
	const shown = 8
	list := slices.Sorted(maps.Keys(open))
	if len(list) > shown {
		return none, protocol.Errorf(protocol.CodeHandle, "%s %d is not open on this connection; %d are, the last is %d", kind, handle, len(list),
			list[len(list)-1])
	}
	return none, protocol.Errorf(protocol.CodeHandle, "%s %d is not open on this connection; open: %d", kind, handle, list)
}

func (c *conn) envReset(ctx context.Context, p *protocol.EnvReset) (any, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	return answer(c.resetEnv(ctx, e, p.Seed))
}

// answer is what a handler returns: nothing where there is an error.
func answer(step *protocol.Step, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return step, nil
}

// resetEnv is env.reset of an environment that the caller holds.
func (c *conn) resetEnv(ctx context.Context, e *environment, seed *uint64) (*protocol.Step, error) {
	if err := c.readyAll(e.seats); err != nil {
		return nil, err
	}
	if seed != nil {
		return c.begin(ctx, e, *seed)
	}
	return c.again(ctx, e)
}

// begin starts the first episode of a seed.
func (c *conn) begin(ctx context.Context, e *environment, seed uint64) (*protocol.Step, error) {
	e.seed, e.episode = seed, 0
	e.env.Reset(seed)
	return c.first(ctx, e)
}

// again starts the next episode of the same seed.
func (c *conn) again(ctx context.Context, e *environment) (*protocol.Step, error) {
	e.episode++
	e.env.Restart()
	return c.first(ctx, e)
}

// first plays an episode on to the client's first decision.
func (c *conn) first(ctx context.Context, e *environment) (*protocol.Step, error) {
	e.fault, e.decided = nil, 0
	copy(e.before, e.env.Returns())
	for p, m := range e.seats {
		if m.agent != nil {
			m.agent.Start(engine.Player(p), agentSeed(e.seed, e.episode, p))
		}
	}
	return c.advance(ctx, e)
}

// agentSeed is the seed of the agent on a seat in an episode.
func agentSeed(seed, episode uint64, seat int) uint64 {
	return uint64(engine.NewHash().Word(seed).Word(episode).Word(uint64(seat)))
}

func (c *conn) envStep(ctx context.Context, p *protocol.EnvStep) (any, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	return answer(c.stepEnv(ctx, e, p.Action))
}

// stepEnv is env.step of an environment that the caller holds.
func (c *conn) stepEnv(ctx context.Context, e *environment, move protocol.Move) (*protocol.Step, error) {
	switch {
	case e.fault != nil:
		return nil, protocol.Errorf(protocol.CodeOver, "the episode was given up (%v); reset first", e.fault)
	case e.over():
		return nil, protocol.Errorf(protocol.CodeOver, "the episode has ended; reset first")
	}
	a, err := e.action(move)
	if err != nil {
		return nil, err
	}
	if err := c.readyAll(e.seats); err != nil {
		return nil, err
	}
	copy(e.before, e.env.Returns())
	if err := c.move(ctx, e, a); err != nil {
		e.fault = err
		return nil, err
	}
	e.decided++
	c.server.metrics.byEnv.Inc()
	return c.advance(ctx, e)
}

func (e *environment) over() bool { return e.env.Terminated() || e.env.Truncated() }

// action returns the legal action that the client names.
func (e *environment) action(m protocol.Move) (engine.Action, error) {
	g, state := e.env.Game(), e.env.State()
	if name, ok := m.Name(); ok {
		return engine.FindMove(g, state, name)
	}
	number, ok := m.Number()
	if !ok {
		return 0, protocol.Errorf(protocol.CodeParams, "action is missing")
	}
	// Looked up as the wide number that it came as.
	for _, a := range e.env.Legal() {
		if int64(a) == number {
			return a, nil
		}
	}
	return 0, protocol.Errorf(protocol.CodeIllegal, "action %d is not legal here; seat %d has %s", number, e.env.Actor(), e.choices())
}

// choices lists the legal actions by number and name.
func (e *environment) choices() string {
	const shown = 20
	names, text := e.env.Game().Spec().Actions, ""
	for i, a := range e.env.Legal() {
		if i == shown {
			return fmt.Sprintf("%s and %d more", text, len(e.env.Legal())-shown)
		}
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d (%s)", a, names[a])
	}
	return text
}

// advance lets the agents play up to the client's next decision or the end, and
// returns what the client then sees.
func (c *conn) advance(ctx context.Context, e *environment) (*protocol.Step, error) {
	if err := c.playSeats(ctx, e); err != nil {
		e.fault = err
		return nil, err
	}
	if e.most > 0 && e.decided >= e.most {
		e.env.Truncate()
	}
	return e.show(), nil
}

// show fills in what the client sees.
func (e *environment) show() *protocol.Step {
	s := &e.step
	s.Actor = int64(e.env.Actor())
	s.Observer = int64(e.observer())
	e.env.Observe(s.Observation, s.Mask)
	if s.Observer != max(s.Actor, 0) {
		e.env.ObserveAs(engine.Player(s.Observer), s.Observation)
	}
	copy(s.Returns, e.env.Returns())
	for i := range s.Rewards {
		s.Rewards[i] = s.Returns[i] - e.before[i]
	}
	s.Terminated, s.Truncated = e.env.Terminated(), e.env.Truncated()
	s.Decisions = int64(e.decided)
	e.stateFacts()
	return s
}

// observer is the seat whose observation the client is shown: the one to act
// where the client plays that, otherwise the first of the client's seats.
func (e *environment) observer() engine.Player {
	if p := e.env.Actor(); p >= 0 && e.plays(p) {
		return p
	}
	return e.client
}

// plays reports whether the client plays seat p.
func (e *environment) plays(p engine.Player) bool { return e.seats.on(p) == nil }

// own returns the seat that a client may look through: one that it plays.
func (e *environment) own(seat int64) (engine.Player, error) {
	if seat < 0 || seat >= int64(e.env.Game().Spec().Seats) {
		return 0, protocol.Errorf(protocol.CodeParams, "seat %d; %s has seats 0 to %d", seat, e.env.Game().Spec().Name, e.env.Game().Spec().Seats-1)
	}
	if p := engine.Player(seat); e.plays(p) {
		return p, nil
	}
	return 0, protocol.Errorf(protocol.CodeForbidden, "seat %d is played by an agent; ask for one of your own", seat)
}

func (c *conn) envObserve(_ context.Context, p *protocol.EnvObserve) (any, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	seat, err := e.own(p.Seat)
	if err != nil {
		return nil, err
	}
	if e.observed.Observation == nil {
		e.observed.Observation = make([]float32, len(e.step.Observation))
	}
	e.env.ObserveAs(seat, e.observed.Observation)
	return &e.observed, nil
}

func (c *conn) envPosition(_ context.Context, p *protocol.Env) (any, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	switch policy := c.server.config.Positions; {
	case policy == PositionsNone:
		return nil, protocol.Errorf(protocol.CodeForbidden, "this server shows no positions")
	case policy == PositionsOwn && e.seats != nil:
		return nil, protocol.Errorf(protocol.CodeForbidden, "a position would show what the agents on the other seats hide")
	}
	position, err := e.env.State().MarshalJSON()
	if err != nil {
		return nil, err
	}
	return &protocol.Position{Position: string(position), Hash: fmt.Sprintf("%016x", e.env.State().Hash())}, nil
}

func (c *conn) envClose(_ context.Context, p *protocol.Env) (any, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	c.endEnv(p.Env, e)
	return &protocol.None{}, nil
}

// endEnv closes an environment and gives back what it has taken.
func (c *conn) endEnv(handle uint64, e *environment) {
	delete(c.envs, handle)
	c.forget(handle)
	giveAll(e.seats)
	c.release(1, e.bytes)
	c.hold(-e.seated())
}
