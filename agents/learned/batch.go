package learned

import (
	"fmt"
	"math/rand/v2"

	"powderkeg/agents/network"
	"powderkeg/engine"
)

// Batch acts on many observations at once, as a server does. It owns scratch
// memory and belongs to one goroutine; it allocates nothing.
type Batch struct {
	brain       *Brain
	work        *network.Workspace
	temperature float64
	logits      []float32 // [rows × actions]
	values      []float32 // [rows × seats]
	probs       []float32 // [actions]
}

// NewBatch returns a batch of up to rows observations; see NewPolicy for the
// temperature.
func (b *Brain) NewBatch(rows int, temperature float64) *Batch {
	return &Batch{
		brain: b, work: b.net.NewWorkspace(rows), temperature: temperature,
		logits: make([]float32, rows*b.actions), values: make([]float32, rows*b.net.Config().Seats),
		probs: make([]float32, b.actions),
	}
}

// Act chooses an action for each of len(dst) observations [rows × D] with masks
// [rows × A], in the order of the rows from one generator. Every mask must have
// a legal action. It panics if the shapes do not fit.
func (b *Batch) Act(obs []float32, masks []uint8, rng *rand.PCG, dst []engine.Action) {
	rows, a := len(dst), b.brain.actions
	if rows*a != len(masks) || rows*a > len(b.logits) {
		panic(fmt.Sprintf("learned: %d observations with masks of %d for a batch of [%d, %d]", rows, len(masks), len(b.logits)/a, a))
	}
	b.Look(obs, rows)
	for row := range dst {
		dst[row] = b.Draw(row, masks[row*a:(row+1)*a], rng)
	}
}

// Look evaluates rows observations [rows × D], from each of which Draw may then
// choose once. It panics if the shapes do not fit.
func (b *Batch) Look(obs []float32, rows int) {
	b.brain.net.Forward(b.work, obs, b.logits[:rows*b.brain.actions], b.values[:rows*b.brain.net.Config().Seats])
}

// Found returns what the last Look found in a row: logits [A], before any mask, and
// values [P]; see network.Network.Forward. They are valid until the row is drawn from.
func (b *Batch) Found(row int) (logits, values []float32) {
	a, p := b.brain.actions, b.brain.net.Config().Seats
	return b.logits[row*a : (row+1)*a], b.values[row*p : (row+1)*p]
}

// Draw chooses one of the legal actions of a mask [A], at least one, by the
// observation in a row of the last Look.
func (b *Batch) Draw(row int, mask []uint8, rng *rand.PCG) engine.Action {
	a := b.brain.actions
	z := b.logits[row*a : (row+1)*a]
	b.brain.net.Config().Advise(z, mask)
	if b.temperature == 0 {
		return engine.Action(network.Best(z, mask))
	}
	for i := range z {
		z[i] /= float32(b.temperature)
	}
	network.Softmax(b.probs, z, mask)
	return engine.Action(network.Sample(b.probs, rng))
}

// evaluate fills probs and values of one observation, at temperature 1.
func (b *Batch) evaluate(obs []float32, mask []uint8, values []float32) {
	a := b.brain.actions
	b.brain.net.Forward(b.work, obs, b.logits[:a], values)
	b.brain.net.Config().Advise(b.logits[:a], mask)
	network.Softmax(b.probs, b.logits[:a], mask)
}
