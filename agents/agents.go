// Package agents holds the interfaces of everything that can play: random,
// scripted, searching, learned and human players. Package agents/roster makes
// them by name, package agents/table seats them at a game.
package agents

import (
	"context"
	"math/rand/v2"

	"powderkeg/engine"
)

// Agent plays one seat of one game at a time. It belongs to one goroutine.
type Agent interface {
	// Start begins a new game of the game that the agent was made for. All
	// randomness of the agent's play follows from the seed.
	Start(seat engine.Player, seed uint64)
	// Act chooses one of the legal actions, of which there is at least one. The
	// view is that of the agent's seat, which is to act; it is valid until Act
	// returns and must not be changed. Act returns ctx.Err() soon after ctx ends.
	Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error)
}

// Spectator is an agent that follows what happens between its own decisions.
type Spectator interface {
	Agent
	// Watch is told, in words and in order, of the moves that the agent's seat gets
	// to know.
	Watch(line string)
}

// Reader is a spectator that tells headings from other lines.
type Reader interface {
	Spectator
	// Heading is told, in the order of the lines of Watch, what begins a round, a night or
	// a turn.
	Heading(line string)
}

// Pretender is an agent that answers at once where it has no choice, and can think all the
// same: whoever waits for its answers must not learn from the time whether it had one.
type Pretender interface {
	Agent
	// Pretend does the work of a choice of the seat, which is to act, and nothing comes of it:
	// what the agent chooses later is what it would have chosen without.
	Pretend(ctx context.Context, view engine.View, seat engine.Player, legal []engine.Action) error
}

// Stateless is an agent that keeps nothing from decision to decision but a generator, so
// that it can play many games at once, each with a generator of its own.
type Stateless interface {
	Agent
	// Seed makes rng the generator by which the agent would play after a Start with the
	// seed. Several goroutines may call it.
	Seed(rng *rand.PCG, seed uint64)
	// ActFor is Act in a game whose generator is rng, for the seat of the view.
	ActFor(ctx context.Context, view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) (engine.Action, error)
}

// Remembering is an agent all of whose memory of a game is a generator: what it chooses follows
// from that and from what it is shown, so that a game in progress can be copied and written down.
type Remembering interface {
	Agent
	// Memory is that generator, to be read, and to be set after a Start to what it was in another
	// agent of the same kind and seat.
	Memory() *rand.PCG
}

// Policy is a player without memory: the view, the legal actions and a
// generator are all that it chooses by, so that it can play any seat of any
// game at any moment, which rollouts need. It may own scratch memory and
// therefore belongs to one goroutine.
type Policy interface {
	// Choose returns one of the legal actions, of which there is at least one. The
	// view is that of seat, which is to act, and must not be changed.
	Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action
}

// Fallible is a policy that may find that it cannot choose, such as a network whose numbers
// overflow.
type Fallible interface {
	Policy
	// Err says why the last Choose could not choose, nil where it could. What it returned is a
	// legal action then, and means nothing.
	Err() error
}

// Choose asks a policy that may be Fallible.
func Choose(p Policy, view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) (engine.Action, error) {
	action := p.Choose(view, seat, legal, rng)
	return action, Fault(p)
}

// Fault is the Err of a policy, nil for one that cannot fail.
func Fault(p Policy) error {
	if f, ok := p.(Fallible); ok {
		return f.Err()
	}
	return nil
}

// stream is the PCG stream of the choices of policies; chance and searches
// use others.
const stream = 0x706f6c696379

// FromPolicy returns an agent that plays the policy. It is Stateless and Remembering.
func FromPolicy(p Policy) Agent { return &policyAgent{policy: p} }

type policyAgent struct {
	policy Policy
	seat   engine.Player
	rng    rand.PCG
}

func (a *policyAgent) Start(seat engine.Player, seed uint64) {
	a.seat = seat
	Seed(&a.rng, seed)
}

// Seed makes rng the generator from which an agent of FromPolicy draws after a Start
// with the seed. Whoever asks a policy about many games at once draws by it what an
// agent in each of them would.
func Seed(rng *rand.PCG, seed uint64) { rng.Seed(seed, stream) }

func (a *policyAgent) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	return a.ActFor(ctx, view, a.seat, legal, &a.rng)
}

// Seed implements Stateless.
func (a *policyAgent) Seed(rng *rand.PCG, seed uint64) { Seed(rng, seed) }

// Memory implements Remembering.
func (a *policyAgent) Memory() *rand.PCG { return &a.rng }

// ActFor implements Stateless.
func (a *policyAgent) ActFor(ctx context.Context, view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) (engine.Action, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return Choose(a.policy, view, seat, legal, rng)
}
