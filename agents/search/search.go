// Package search is information-set Monte Carlo tree search over the interfaces
// of package engine: any number of seats, any payoffs, chance events and hidden
// information.
//
// It is the single-observer variant of P. I. Cowling, E. J. Powley and
// D. Whitehouse, "Information Set Monte Carlo Tree Search" (IEEE Transactions on
// Computational Intelligence and AI in Games 4, 2012). Each simulation fills the
// blanks of the searcher's view at random (engine.Hidden.Redeal) and descends
// one tree that all simulations share; an action's exploration term counts how
// often it was available. Every seat maximises its own return (max^n: C.
// Luckhardt and K. Irani, AAAI 1986), so returns are backed up as a vector.
//
// A node is what the searcher has observed since the root: after each decision
// the seat to act next and the hash of the searcher's view. Moves and chance
// outcomes that the searcher cannot tell apart therefore lead to the same node,
// and chance needs no nodes of its own. Where nothing is hidden and nothing is
// left to chance this is plain UCT.
//
// Single-observer search sums up an opponent's choices over all that it may
// hold, as if it did not look at its own cards, and it gives no guarantee of
// equilibrium play: it does not learn to bluff. It is strong where tactics and
// odds decide.
//
// A network judges leaves one by one. Leaves of several trees, or of simulations side by side with
// virtual losses, would make batches, but a row of many zeroes costs it about as much alone as among
// 32 (package kernel has the figures): 3 to 11% of what takes a tenth to a third of such a search.
//
// Descent is another search, which needs a network and no tree: one step of mirror
// descent from its policy.
package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
)

// Evaluator judges a situation in place of a rollout, as a network does.
type Evaluator interface {
	// Evaluate returns what each seat may be expected to have gained at the end, in
	// the units of Returns, valid until the next call. It writes to priors, which is
	// as long as legal, how likely each action is to be chosen; they are
	// non-negative and add up to 1. The view is that of seat, which is to act, and
	// must not be changed.
	Evaluate(view engine.View, seat engine.Player, legal []engine.Action, priors []float32) (values []float32)
}

// Failing is an Evaluator or a Judge that may fail, as a network does whose numbers overflow. It
// answers that all is even then, and the search that has asked it fails.
type Failing interface {
	// Fault returns the first fault since it was called before, nil without one.
	Fault() error
}

// faultOf returns the fault of an Evaluator or a Judge, if it can have one.
func faultOf(asked any) error {
	if f, ok := asked.(Failing); ok {
		return f.Fault()
	}
	return nil
}

// Config sets up a search.
type Config struct {
	// Simulations and Time end the search of a move, whichever comes first; 0 means
	// no limit, and one of them must be set. A search by time is not repeatable.
	Simulations int
	Time        time.Duration
	// Exploration is the constant c of UCB1, or with an Evaluator that of PUCT, for
	// returns scaled to the range from 0 to 1.
	Exploration float64
	// Rollout plays on from new nodes; nil means uniformly at random. It must not be
	// used by anybody else at the same time.
	Rollout agents.Policy
	// RolloutDepth, if above 0, is the number of decisions after which a rollout
	// stops and counts what each seat has gained so far.
	RolloutDepth int
	// Evaluator, if not nil, judges new nodes instead of rollouts and guides the
	// descent by its priors (PUCT: D. Silver and others, "Mastering the game of Go
	// without human knowledge", Nature 550, 2017).
	Evaluator Evaluator
}

// Default returns a config of 400 simulations with random rollouts. 1.4 is √2
// rounded, the constant of UCB1 for rewards between 0 and 1 (P. Auer,
// N. Cesa-Bianchi and P. Fischer, Machine Learning 47, 2002).
func Default() Config { return Config{Simulations: 400, Exploration: 1.4} }

// Validate reports all faults of a config at once.
func (c Config) Validate() error {
	var faults []error
	if c.Simulations < 0 {
		faults = append(faults, fmt.Errorf("%d simulations, want 0 or more", c.Simulations))
	}
	if c.Time < 0 {
		faults = append(faults, fmt.Errorf("time %s, want 0 or more", c.Time))
	}
	if c.Simulations == 0 && c.Time == 0 {
		faults = append(faults, errors.New("neither simulations nor time limit the search"))
	}
	if !(c.Exploration >= 0) {
		faults = append(faults, fmt.Errorf("exploration %g, want 0 or more", c.Exploration))
	}
	if c.RolloutDepth < 0 {
		faults = append(faults, fmt.Errorf("rollout depth %d, want 0 or more", c.RolloutDepth))
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("search: %w", errors.Join(faults...))
}

// Agent is a searching player. It keeps the memory of its tree from move to move
// but not the tree: what the searcher learns between two moves prunes it to a
// fraction that is hardly worth the risk of a stale node.
type Agent struct {
	config Config
	tree   tree
	seat   engine.Player
	rng    rand.PCG
}

var (
	_ agents.Stateless = (*Agent)(nil)
	_ agents.Pretender = (*Agent)(nil)

	_ agents.Remembering = (*Agent)(nil)
)

// searchStream is the PCG stream of searches.
const searchStream = 0x736561726368

// New returns an agent that searches in game g.
func New(g engine.Game, c Config) (*Agent, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	a := &Agent{config: c}
	a.tree.init(g, c, &a.rng)
	return a, nil
}

// Start implements agents.Agent.
func (a *Agent) Start(seat engine.Player, seed uint64) {
	a.seat = seat
	a.Seed(&a.rng, seed)
}

// Memory implements agents.Remembering.
func (a *Agent) Memory() *rand.PCG { return &a.rng }

// Seed implements agents.Stateless.
func (*Agent) Seed(rng *rand.PCG, seed uint64) { rng.Seed(seed, searchStream) }

// ActFor implements agents.Stateless.
func (a *Agent) ActFor(ctx context.Context, view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) (engine.Action, error) {
	a.seat, a.rng = seat, *rng
	action, err := a.Act(ctx, view, legal)
	*rng = a.rng
	return action, err
}

// Act implements agents.Agent: the action that was searched most, of several the
// one of the highest mean return. A forced action is not searched.
func (a *Agent) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if len(legal) == 1 {
		return legal[0], nil
	}
	if err := a.search(ctx, view); err != nil {
		return 0, err
	}
	return a.tree.best(), nil
}

// Pretend implements agents.Pretender.
func (a *Agent) Pretend(ctx context.Context, view engine.View, seat engine.Player, _ []engine.Action) error {
	own, rng := a.seat, a.rng
	defer func() { a.seat, a.rng = own, rng }()
	a.seat = seat
	return a.search(ctx, view)
}

// search grows the tree from the view until a limit or ctx ends it.
func (a *Agent) search(ctx context.Context, view engine.View) error {
	var deadline time.Time
	if a.config.Time > 0 {
		deadline = time.Now().Add(a.config.Time)
	}
	a.tree.reset(view, a.seat)
	for n := 0; a.config.Simulations == 0 || n < a.config.Simulations; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		// The first simulation is done in any case, so that there is a best action.
		if n > 0 && a.config.Time > 0 && !time.Now().Before(deadline) {
			return nil
		}
		a.tree.simulate()
		if err := faultOf(a.config.Evaluator); err != nil {
			return err
		}
	}
	return nil
}

// Candidate is what a search has found out about an action.
type Candidate struct {
	Action engine.Action
	Visits int
	// Value is the mean return of the searching seat in the units of Returns.
	Value float64
}

// Candidates appends what the last search found out about each action tried, in
// ascending order of the actions.
func (a *Agent) Candidates(dst []Candidate) []Candidate { return a.tree.candidates(dst) }
