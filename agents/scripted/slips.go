package scripted

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/engine"
)

// Slipping returns a player that makes that share of its moves, 0 to 1, at random
// and the others like p: an opponent of any strength between the two, for people
// and for learners that would lose every game against p itself.
func Slipping(p agents.Policy, share float64) agents.Policy {
	if share <= 0 {
		return p
	}
	return slipping{p, share}
}

type slipping struct {
	agents.Policy
	share float64
}

// Choose implements agents.Policy.
func (s slipping) Choose(view engine.State, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	if float64(rng.Uint64()>>11)/(1<<53) < s.share {
		return random.Policy{}.Choose(view, seat, legal, rng)
	}
	return s.Policy.Choose(view, seat, legal, rng)
}
