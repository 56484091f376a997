package learned

import (
	"math/rand/v2"

	"powderkeg/agents"
)

// Agent plays a brain on one seat. It belongs to one goroutine.
type Agent struct {
	agents.Agent // of the policy
	policy       *Policy
	temperature  float64
}

// NewAgent returns an agent that plays the brain; see NewPolicy.
func (b *Brain) NewAgent(temperature float64) agents.Agent {
	p := b.NewPolicy(temperature)
	return &Agent{agents.FromPolicy(p), p, temperature}
}

// Memory implements agents.Remembering.
func (a *Agent) Memory() *rand.PCG { return a.Agent.(agents.Remembering).Memory() }

// Probabilities returns with which probability the last Act would have taken each
// of the game's actions: 0 for illegal ones, and at temperature 0 all of it on
// the one taken. It is valid until the next Act and must not be changed.
func (a *Agent) Probabilities() []float32 {
	p := a.policy
	if a.temperature == 0 {
		clear(p.batch.probs)
		p.batch.probs[p.moves[0]] = 1
	}
	return p.batch.probs
}
