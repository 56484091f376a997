package ppo

import (
	"math/rand/v2"
	"slices"

	"powderkeg/agents/network"
	"powderkeg/engine"
)

// Choice is a decision of the learner while it plays.
type Choice struct {
	// Drawn is the action that is learned from, Played the one that the game is told:
	// the same one unless Drawn is illegal.
	Drawn, Played engine.Action
	// Normaliser is log Σ exp(logit) over the actions that could be drawn.
	Normaliser float32
	// Penalty is what the choice costs, in units of the game's largest possible return.
	Penalty float32
}

// Choose draws an action by the logits of a decision. The mask is that of the legal
// actions, of which there is at least one; where the config is Unmasked, Choose makes it
// one of all actions. probs is scratch memory for as many numbers as there are actions.
func (c *Config) Choose(probs, logits []float32, mask []uint8, legal []engine.Action, rng *rand.PCG) Choice {
	if c.Unmasked {
		for j := range mask {
			mask[j] = 1
		}
	}
	normaliser, _ := network.Softmax(probs, logits, mask)
	drawn := engine.Action(network.Sample(probs, rng))
	choice := Choice{Drawn: drawn, Played: drawn, Normaliser: normaliser}
	if c.Unmasked && !slices.Contains(legal, drawn) {
		choice.Played = legal[engine.Uint32N(rng, uint32(len(legal)))]
		choice.Penalty = float32(c.IllegalPenalty)
	}
	return choice
}
