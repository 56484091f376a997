package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/env/encoding"
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
)

// batchActor is an agent that also acts on many observations at once, as one that
// plays a network does.
type batchActor interface {
	agents.Agent
	// ActBatch writes n actions. Obs holds n observations [n×D] and masks n action
	// masks [n×A], in each of which at least one action is legal. All randomness
	// follows from the seed of Start, which has been called once at least.
	ActBatch(ctx context.Context, obs []float32, masks []uint8, n int, actions []int32) error
}

var _ batchActor = (*inference.Agent)(nil)

// agent is an agent that a client has loaded to ask it for actions.
type agent struct {
	mind
	batches crowd
	game    engine.Game
	layout  *encoding.Layout
	seed    uint64
	started uint64 // games begun so far

	// The game that it plays now: the episode of an environment, and its seat.
	playing *environment
	episode episodeID
	seat    engine.Player

	actions []int32 // response of act_batch, reused
}

// episodeID tells one episode of an environment from the others.
type episodeID struct{ seed, episode uint64 }

// offered says why clients may not load an agent.
func (c *conn) offered(text string) *protocol.Error {
	config := &c.server.config
	if config.NewAgent == nil {
		return protocol.Errorf(protocol.CodeForbidden, "this server has no agents")
	}
	name, _, _ := strings.Cut(text, "(")
	name, _, _ = strings.Cut(name, ":")
	if !slices.Contains(config.Agents, strings.TrimSpace(name)) {
		return protocol.Errorf(protocol.CodeForbidden, "agent %.40q is not offered here; agents: %s", name, strings.Join(config.Agents, ", "))
	}
	return nil
}

// checkAgent says why clients may not have an agent make their datasets, which
// the agents of train/dataset play.
func (c *conn) checkAgent(g engine.Game, text string) error {
	if fault := c.offered(text); fault != nil {
		return fault
	}
	if _, ok := c.networkOf(g, text); ok {
		return nil
	}
	if _, err := c.server.config.NewAgent(g, text); err != nil {
		return protocol.Errorf(protocol.CodeAgent, "%v", err)
	}
	return nil
}

// newAgent makes an agent that clients may load.
func (c *conn) newAgent(g engine.Game, text string) (agents.Agent, error) {
	if fault := c.offered(text); fault != nil {
		return nil, fault
	}
	if have, most := len(c.agents)+c.seated, c.server.config.AgentsPerConnection; have >= most {
		return nil, protocol.Errorf(protocol.CodeLimit, "one more agent; this connection has %d of at most %d", have, most)
	}
	return c.open(g, text)
}

// open makes an agent that is offered and within the limits.
func (c *conn) open(g engine.Game, text string) (a agents.Agent, err error) {
	if source, ok := c.networkOf(g, text); ok {
		a, err = c.server.pool.Open(g, text, source)
	} else {
		a, err = c.server.config.NewAgent(g, text)
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.CodeAgent, "%v", err)
	}
	return a, nil
}

// networkOf returns where the network of an agent string comes from, if it names
// one.
func (c *conn) networkOf(g engine.Game, text string) (inference.Source, bool) {
	if c.server.config.Network == nil {
		return nil, false
	}
	return c.server.config.Network(g, text)
}

// batches returns an agent that acts on observations alone, which one that is advised does not.
func batches(a agents.Agent) (batchActor, bool) {
	if network, ok := a.(*inference.Agent); ok && network.Adviser() != nil {
		return nil, false
	}
	batch, ok := a.(batchActor)
	return batch, ok
}

// give gives an agent up.
func give(a agents.Agent) {
	if network, ok := a.(*inference.Agent); ok {
		network.Close()
	}
}

// generation is that of the agent's network, 0 where it has none.
func generation(a agents.Agent) int64 {
	if network, ok := a.(*inference.Agent); ok {
		return network.Generation()
	}
	return 0
}

func (c *conn) agentLoad(_ context.Context, p *protocol.AgentLoad) (any, error) {
	g, err := newGame(p.Game)
	if err != nil {
		return nil, err
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	inner, err := c.newAgent(g, p.Agent)
	if err != nil {
		return nil, err
	}
	bytes := c.server.config.AgentBytes
	if fault := c.charge(bytes); fault != nil {
		give(inner)
		return nil, fault
	}
	_, batch := batches(inner)
	if batch {
		inner.Start(0, p.Seed)
	}
	handle := c.newHandle()
	a := &agent{mind: newMind(inner), batches: newCrowd(), game: g, layout: encoder.Layout(), seed: p.Seed}
	c.agents[handle] = a
	c.server.metrics.agents.Inc()
	return &protocol.AgentLoaded{Agent: handle, Game: g.Spec().Text, Batch: batch, Long: a.gauge.Long(), Generation: generation(inner)}, nil
}

func (c *conn) act(ctx context.Context, p *protocol.Act) (any, error) {
	a, err := opened("agent", p.Agent, c.agents)
	if err != nil {
		return nil, err
	}
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	switch have, want := a.game.Spec().Text, e.env.Game().Spec().Text; {
	case have != want:
		return nil, protocol.Errorf(protocol.CodeAgent, "agent %d was loaded for %s, env %d plays %s", p.Agent, have, p.Env, want)
	case e.fault != nil || e.over():
		return nil, protocol.Errorf(protocol.CodeOver, "the episode has ended; reset first")
	}
	if err := c.ready(&a.mind); err != nil {
		return nil, err
	}
	a.join(e)
	ctx, cancel := context.WithTimeout(ctx, c.server.config.RequestTimeout)
	defer cancel()
	action, err := c.choose(ctx, &a.mind, e.env)
	if err != nil {
		return nil, err
	}
	return &protocol.Acted{Action: int64(action), Name: e.env.Game().Spec().Actions[action], Generation: generation(a.agent)}, nil
}

// join makes the agent begin a new game where it has not been asked about this
// seat in this episode last.
func (a *agent) join(e *environment) {
	id, seat := episodeID{e.seed, e.episode}, e.env.Actor()
	if a.playing == e && a.episode == id && a.seat == seat {
		return
	}
	a.playing, a.episode, a.seat = e, id, seat
	a.agent.Start(seat, uint64(engine.NewHash().Word(a.seed).Word(a.started)))
	a.started++
}

// chosen checks what an agent has answered that plays the seat to act.
func chosen(e *env.Env, action engine.Action, err error) (engine.Action, error) {
	if err != nil {
		return 0, fmt.Errorf("agent on seat %d: %w", e.Actor(), err)
	}
	if _, ok := slices.BinarySearch(e.Legal(), action); !ok {
		return 0, fmt.Errorf("agent on seat %d of %s chose action %d, which is not legal", e.Actor(), e.Game().Spec().Text, action)
	}
	return action, nil
}

func (c *conn) actBatch(ctx context.Context, p *protocol.ActBatch) (any, error) {
	a, err := opened("agent", p.Agent, c.agents)
	if err != nil {
		return nil, err
	}
	batch, ok := batches(a.agent)
	if !ok {
		return nil, protocol.Errorf(protocol.CodeAgent, "agent %d does not act on observations; use act with an env", p.Agent)
	}
	if fault := a.checkBatch(p); fault != nil {
		return nil, fault
	}
	width := len(a.game.Spec().Actions)
	n := len(p.Masks) / width
	if cap(a.actions) < n {
		a.actions = make([]int32, n)
	}
	actions := a.actions[:n]
	if err := c.readyFor(a, n); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.server.config.RequestTimeout)
	defer cancel()
	if err := c.server.thinks.Do(ctx, &c.thinker, a.batches.of(n), func(ctx context.Context) error {
		return batch.ActBatch(ctx, p.Observations, p.Masks, n, actions)
	}); err != nil {
		return nil, fmt.Errorf("act_batch: %w", err)
	}
	for i, action := range actions {
		if action < 0 || int(action) >= width || p.Masks[i*width+int(action)] != 1 {
			return nil, fmt.Errorf("act_batch: agent for %s chose action %d for decision %d, which is not legal", a.game.Spec().Text, action, i)
		}
	}
	return &protocol.ActedBatch{Actions: actions, Generation: generation(a.agent)}, nil
}

// checkBatch says what is wrong with observations and masks. What no encoder
// writes, such as a NaN, would make a network choose nonsense.
func (a *agent) checkBatch(p *protocol.ActBatch) *protocol.Error {
	width, size := len(a.game.Spec().Actions), a.layout.Size
	n := len(p.Masks) / width
	if n == 0 || len(p.Masks) != n*width || len(p.Observations) != n*size {
		return protocol.Errorf(protocol.CodeParams, "%d observed numbers and %d mask bytes; for n decisions of %s it is n×%d and n×%d, n at least 1",
			len(p.Observations), len(p.Masks), a.game.Spec().Text, size, width)
	}
	for i := range n {
		mask := p.Masks[i*width : (i+1)*width]
		if top := slices.Max(mask); top != 1 {
			return protocol.Errorf(protocol.CodeParams,
				"the largest number of mask %d of %d is %d; legal actions are 1, of which there is one at least, others 0", i, n, top)
		}
		if fault := a.checkObservation(p.Observations[i*size:], i, n); fault != nil {
			return fault
		}
	}
	return nil
}

// checkObservation says what is wrong with observation i of n, which obs begins
// with.
func (a *agent) checkObservation(obs []float32, i, n int) *protocol.Error {
	for _, f := range a.layout.Fields {
		for j, x := range obs[f.Offset:][:f.Size] {
			if !(x >= f.Min && x <= f.Max) {
				return protocol.Errorf(protocol.CodeParams, "number %d of field %s of observation %d of %d is %g, it must be from %s to %s",
					j, f.Name, i, n, x, option.Number(float64(f.Min)), option.Number(float64(f.Max)))
			}
		}
	}
	return nil
}

func (c *conn) agentClose(_ context.Context, p *protocol.Agent) (any, error) {
	a, err := opened("agent", p.Agent, c.agents)
	if err != nil {
		return nil, err
	}
	delete(c.agents, p.Agent)
	c.refund(c.server.config.AgentBytes)
	give(a.agent)
	c.server.metrics.agents.Dec()
	return &protocol.None{}, nil
}
