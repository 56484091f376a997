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
	brain        *Brain
	temperature  float64
	rng          rand.PCG // of ActBatch
	batch        *Batch   // grown to the largest batch so far
	rows         int      // of batch
	moves        []engine.Action
}

// NewAgent returns an agent that plays the brain; see NewPolicy.
func (b *Brain) NewAgent(temperature float64) agents.Agent {
	return &Agent{Agent: agents.FromPolicy(b.NewPolicy(temperature)), brain: b, temperature: temperature}
}

// batchStream is the PCG stream of the draws of ActBatch.
const batchStream = 0x6261746368

// Start implements agents.Agent.
func (a *Agent) Start(seat engine.Player, seed uint64) {
	a.Agent.Start(seat, seed)
	a.rng.Seed(seed, batchStream)
}

// ActBatch writes n actions for observations [n × D] and masks [n × A], each of
// which must have a legal action. All randomness follows from the seed of Start.
func (a *Agent) ActBatch(obs []float32, masks []uint8, n int, actions []int32) error {
	a.grow(n)
	moves := a.moves[:n]
	a.batch.Act(obs, masks, &a.rng, moves)
	for i, m := range moves {
		actions[i] = int32(m)
	}
	return nil
}

// Evaluate writes the network's logits [n × A], before any mask, and its values
// [n × P] for observations [n × D].
func (a *Agent) Evaluate(obs []float32, n int, logits, values []float32) error {
	a.grow(n)
	a.batch.Evaluate(obs, logits, values)
	return nil
}

// grow makes room for n observations.
func (a *Agent) grow(n int) {
	if n > a.rows {
		a.batch, a.rows, a.moves = a.brain.NewBatch(n, a.temperature), n, make([]engine.Action, n)
	}
}
