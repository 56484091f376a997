package inference

import (
	"context"
	"fmt"
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/engine"
	"powderkeg/env/encoding"
)

// Agent plays a network that other agents may be playing too. It belongs to one
// goroutine. Close must be called once.
type Agent struct {
	agents.Agent // of the policy
	policy       *policy
	network      *served
	rng          rand.PCG // of ActBatch
	request      *request // to be used next
	generation   int64
}

func newAgent(n *served, g engine.Game) *Agent {
	brain := n.current.Load().brain
	encoder := brain.Encoder()
	a := &Agent{network: n, request: newRequest()}
	a.policy = &policy{agent: a, encoder: encoder, adviser: brain.NewAdviser(),
		observation: make([]float32, encoder.Layout().Size), mask: make([]uint8, len(g.Spec().Actions))}
	a.Agent = agents.FromPolicy(a.policy)
	return a
}

func newRequest() *request { return &request{done: make(chan struct{}, 1)} }

// batchStream is the PCG stream of the draws of ActBatch; those of Act use that of
// agents.FromPolicy.
const batchStream = 0x6261746368

// Start implements agents.Agent.
func (a *Agent) Start(seat engine.Player, seed uint64) {
	a.Agent.Start(seat, seed)
	a.rng.Seed(seed, batchStream)
}

// Memory implements agents.Remembering. It leaves out the generator of ActBatch, which no game has.
func (a *Agent) Memory() *rand.PCG { return a.Agent.(agents.Remembering).Memory() }

// Act implements agents.Agent. Where the queue of the network is full it waits
// for a place.
func (a *Agent) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	a.policy.ctx, a.policy.err = ctx, nil
	action, err := a.Agent.Act(ctx, view, legal)
	if err == nil {
		err = a.policy.err
	}
	return action, err
}

// Adviser returns who marks the masks of ActEach, nil for a network without advice. It is the
// agent's own, and belongs to its goroutine.
func (a *Agent) Adviser() *learned.Adviser { return a.policy.adviser }

// ActBatch writes n actions for observations [n×D] and masks [n×A], each of which
// must have a legal action. All randomness follows from the seed of Start. A large
// n is asked for in parts, between which other agents have their turn.
func (a *Agent) ActBatch(ctx context.Context, obs []float32, masks []uint8, n int, actions []int32) error {
	return a.decide(ctx, obs, masks, n, nil, actions)
}

// ActEach is like ActBatch for decisions of different games: row i draws from rngs[i]
// instead (see agents.Seed), so that what it chooses follows from its own game alone.
func (a *Agent) ActEach(ctx context.Context, obs []float32, masks []uint8, rngs []*rand.PCG, actions []int32) error {
	return a.decide(ctx, obs, masks, len(rngs), rngs, actions)
}

// decide puts decisions to the network in parts. Rngs is nil where all draw from the
// agent's own generator.
func (a *Agent) decide(ctx context.Context, obs []float32, masks []uint8, n int, rngs []*rand.PCG, actions []int32) error {
	size, width := len(a.policy.observation), len(a.policy.mask)
	for from := 0; from < n; {
		if err := ctx.Err(); err != nil { // between two parts others may think
			return err
		}
		to := min(from+a.network.pool.config.MaxBatch, n)
		r := a.request
		r.rows, r.observations = to-from, obs[from*size:to*size]
		r.masks, r.actions, r.rng, r.rngs = masks[from*width:to*width], actions[from:to], &a.rng, nil
		if rngs != nil {
			r.rngs = rngs[from:to]
		}
		if err := a.ask(ctx); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// Evaluate writes what the network makes of observations [n×D]: logits [n×A],
// before any mask, and values [n×P], entry k that of seat (actor+k) mod P.
func (a *Agent) Evaluate(ctx context.Context, obs []float32, n int, logits, values []float32) error {
	size, width, seats := len(a.policy.observation), len(a.policy.mask), len(values)/n
	for from := 0; from < n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+a.network.pool.config.MaxBatch, n)
		r := a.request
		r.rows, r.observations, r.actions = to-from, obs[from*size:to*size], nil
		r.logits, r.values = logits[from*width:to*width], values[from*seats:to*seats]
		if err := a.ask(ctx); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// Ready returns ErrOverloaded if the queue of the network is full.
func (a *Agent) Ready() error {
	if len(a.network.queue) < cap(a.network.queue) {
		return nil
	}
	a.network.pool.metrics.overloaded.Inc()
	return fmt.Errorf("%w: %d requests wait", ErrOverloaded, cap(a.network.queue))
}

// Generation returns the number of the checkpoint that has made the last
// decision: 1 for the one that was loaded first, and one more for each that has
// replaced it. Before the first decision it is that of the one in use.
func (a *Agent) Generation() int64 {
	if a.generation == 0 {
		return a.network.current.Load().number
	}
	return a.generation
}

// Close gives the agent up, and its network if nobody else plays it.
func (a *Agent) Close() { a.network.pool.leave(a.network) }

// ask puts the agent's request and waits for the answer until ctx ends.
func (a *Agent) ask(ctx context.Context) error {
	r := a.request
	r.state.Store(queued)
	if err := a.network.put(ctx, r); err != nil {
		return err
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		if r.cancel() {
			a.request = newRequest()
			return ctx.Err()
		}
		<-r.done // it is in a batch already, which reads the memory of the caller
	}
	a.generation = r.generation
	return r.err
}

// policy asks the network about single decisions.
type policy struct {
	agent       *Agent
	encoder     encoding.Encoder
	adviser     *learned.Adviser
	observation []float32
	mask        []uint8
	action      [1]int32

	// Of the Act under way: Choose, whose seeding agents.FromPolicy sees to, has no
	// place for them.
	ctx context.Context
	err error
}

// Choose implements agents.Policy.
func (p *policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	p.encoder.Encode(p.observation, view, seat)
	clear(p.mask)
	for _, a := range legal {
		p.mask[a] = 1
	}
	p.adviser.Mark(p.mask, view, seat, legal)
	r := p.agent.request
	r.rows, r.observations, r.masks, r.actions, r.rng, r.rngs = 1, p.observation, p.mask, p.action[:], rng, nil
	p.err = p.agent.ask(p.ctx)
	return engine.Action(p.action[0])
}
