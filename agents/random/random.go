// Package random is the uniformly random player, the baseline of every table.
package random

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/engine"
)

// Policy chooses each legal action with the same probability.
type Policy struct{}

// Choose implements agents.Policy.
func (Policy) Choose(_ engine.View, _ engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	return legal[engine.Uint32N(rng, uint32(len(legal)))]
}

// New returns a random agent. It plays any game.
func New() agents.Agent { return agents.FromPolicy(Policy{}) }
