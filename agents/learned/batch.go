package learned

import (
	"fmt"
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/train/nn"
)

// Batch acts on many observations at once, as a server does. It owns scratch
// memory and belongs to one goroutine; it allocates nothing.
type Batch struct {
	brain       *Brain
	work        *nn.Workspace
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
	logits := b.logits[:rows*a]
	b.brain.net.Forward(b.work, obs, logits, b.values[:rows*b.brain.net.Config().Seats])
	for row := range dst {
		z, mask := logits[row*a:(row+1)*a], masks[row*a:(row+1)*a]
		if b.temperature == 0 {
			dst[row] = engine.Action(nn.Best(z, mask))
			continue
		}
		for i := range z {
			z[i] /= float32(b.temperature)
		}
		nn.Softmax(b.probs, z, mask)
		dst[row] = engine.Action(nn.Sample(b.probs, rng))
	}
}

// Evaluate writes the network's logits [rows × A], before any mask, and its
// values [rows × P] for observations [rows × D]. The network panics if the
// shapes do not fit.
func (b *Batch) Evaluate(obs, logits, values []float32) {
	b.brain.net.Forward(b.work, obs, logits, values)
}

// evaluate fills probs and values of one observation, at temperature 1.
func (b *Batch) evaluate(obs []float32, mask []uint8, values []float32) {
	a := b.brain.actions
	b.brain.net.Forward(b.work, obs, b.logits[:a], values)
	nn.Softmax(b.probs, b.logits[:a], mask)
}
