package learned

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/engine"
)

// Agent plays a brain on one seat, and on batches of observations. It belongs to
// one goroutine.
type Agent struct {
	agents.Agent // of the policy
	policy       *Policy
	brain        *Brain
	temperature  float64
	rng          rand.PCG // of ActBatch
	batch        *Batch   // grown to the largest batch so far
	rows         int      // of batch
	moves        []engine.Action
}

// NewAgent returns an agent that plays the brain; see NewPolicy.
func (b *Brain) NewAgent(temperature float64) agents.Agent {
	p := b.NewPolicy(temperature)
	return &Agent{Agent: agents.FromPolicy(p), policy: p, brain: b, temperature: temperature}
}

// batchStream is the PCG stream of the draws of ActBatch.
const batchStream = 0x6261746368

// Start implements agents.Agent.
func (a *Agent) Start(seat engine.Player, seed uint64) {
	a.Agent.Start(seat, seed)
	a.rng.Seed(seed, batchStream)
}

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

// ActBatch writes n actions for observations [n × D] and masks [n × A], each of
// which must have a legal action. All randomness follows from the seed of Start.
func (a *Agent) ActBatch(obs []float32, masks []uint8, n int, actions []int32) error {
	if n > a.rows {
		a.batch, a.rows, a.moves = a.brain.NewBatch(n, a.temperature), n, make([]engine.Action, n)
	}
	moves := a.moves[:n]
	a.batch.Act(obs, masks, &a.rng, moves)
	for i, m := range moves {
		actions[i] = int32(m)
	}
	return nil
}
