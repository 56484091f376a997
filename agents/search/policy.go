package search

import (
	"context"
	"errors"
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/engine"
)

// Policy is a search as a player without memory, so that it can sit in rollouts:
// every move is a search of its own, seeded from the generator that it is given.
type Policy struct {
	agent *Agent
	fault error
}

var _ agents.Fallible = (*Policy)(nil)

// errTimed refuses a search whose result depends on the clock.
var errTimed = errors.New("a search with a limit on its time is no policy: it cannot be repeated; limit the simulations")

// NewPolicy returns a policy that searches in game g. Only simulations may limit
// the search.
func NewPolicy(g engine.Game, c Config) (*Policy, error) {
	if c.Time != 0 {
		return nil, errTimed
	}
	a, err := New(g, c)
	if err != nil {
		return nil, err
	}
	return &Policy{agent: a}, nil
}

// Choose implements agents.Policy.
func (p *Policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	p.agent.Start(seat, rng.Uint64())
	return act(p.agent, view, legal, &p.fault)
}

// Err implements agents.Fallible.
func (p *Policy) Err() error { return p.fault }

// act asks a search that nobody can end, and that fails where its Evaluator or Judge does.
func act(a agents.Agent, view engine.View, legal []engine.Action, fault *error) (move engine.Action) {
	if move, *fault = a.Act(context.Background(), view, legal); *fault != nil {
		return legal[0]
	}
	return move
}
