package random

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/option"
)

// Slips is the option of an agent for the share that Slipping takes.
var Slips = option.Option{Name: "slips", Kind: option.Float, Default: "0", Min: 0, Max: 1, Help: "share of its moves that it makes at random"}

// Slipping returns a player that makes that share of its moves, 0 to 1, at random
// and the others like p: an opponent of any strength between the two, for people
// and for learners that would lose every game against p itself.
func Slipping(p agents.Policy, share float64) agents.Policy {
	if share <= 0 {
		return p
	}
	return &slipper{Policy: p, share: share}
}

type slipper struct {
	agents.Policy
	share float64
	slips bool // the last choice was none of the policy's
}

// Choose implements agents.Policy.
func (s *slipper) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	if s.slips = engine.Unit(rng) < s.share; s.slips {
		return Policy{}.Choose(view, seat, legal, rng)
	}
	return s.Policy.Choose(view, seat, legal, rng)
}

// Err implements agents.Fallible.
func (s *slipper) Err() error {
	if s.slips {
		return nil
	}
	return agents.Fault(s.Policy)
}
