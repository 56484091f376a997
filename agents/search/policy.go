package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/engine"
)

// Policy is a search as a player without memory, so that it can sit in rollouts:
// every move is a search of its own, seeded from the generator that it is given.
type Policy struct{ agent *Agent }

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
	return &Policy{a}, nil
}

// Choose implements agents.Policy.
func (p *Policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	p.agent.Start(seat, rng.Uint64())
	return mustAct(p.agent, view, legal)
}

// mustAct asks a search that nobody can end.
func mustAct(a agents.Agent, view engine.View, legal []engine.Action) engine.Action {
	move, err := a.Act(context.Background(), view, legal)
	if err != nil {
		panic(fmt.Sprintf("search: a search that nobody can end has ended: %v", err))
	}
	return move
}
