package learned

import (
	"fmt"
	"math/rand/v2"
	"slices"

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
	fault       error     // see Err
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
// a legal action. It panics if the shapes do not fit. Its error is that of Err.
func (b *Batch) Act(obs []float32, masks []uint8, rng *rand.PCG, dst []engine.Action) error {
	rows, a := len(dst), b.brain.actions
	if rows*a != len(masks) || rows*a > len(b.logits) {
		panic(fmt.Sprintf("learned: %d observations with masks of %d for a batch of [%d, %d]", rows, len(masks), len(b.logits)/a, a))
	}
	b.Look(obs, rows)
	for row := range dst {
		dst[row] = b.Draw(row, masks[row*a:(row+1)*a], rng)
	}
	return b.fault
}

// Err says why what was found or drawn since the last Look began means nothing: the network
// gives numbers that are not finite (network.ErrNotFinite). It is nil otherwise.
func (b *Batch) Err() error { return b.fault }

// forward evaluates observations.
func (b *Batch) forward(obs, logits, values []float32) {
	b.brain.net.Forward(b.work, obs, logits, values)
	b.fault = nil
	if err := b.work.Err(); err != nil {
		b.fault = fmt.Errorf("%s: %w", b.brain.name, err)
	}
}

// spread turns the logits of a decision into probs.
func (b *Batch) spread(logits []float32, mask []uint8) {
	if sum, _ := network.Softmax(b.probs, logits, mask); sum-sum != 0 && b.fault == nil {
		b.fault = fmt.Errorf("%s: %w: its probabilities at temperature %v", b.brain.name, network.ErrNotFinite, b.temperature)
	}
}

// Look evaluates rows observations [rows × D], from each of which Draw may then
// choose once. It panics if the shapes do not fit.
func (b *Batch) Look(obs []float32, rows int) {
	b.forward(obs, b.logits[:rows*b.brain.actions], b.values[:rows*b.brain.net.Config().Seats])
}

// Found returns what the last Look found in a row: logits [A], before any mask, and
// values [P]; see network.Network.Forward. They are valid until the row is drawn from.
func (b *Batch) Found(row int) (logits, values []float32) {
	a, p := b.brain.actions, b.brain.net.Config().Seats
	return b.logits[row*a : (row+1)*a], b.values[row*p : (row+1)*p]
}

// Draw chooses one of the legal actions of a mask [A], at least one, by the
// observation in a row of the last Look. It is the first of them where Err is not nil.
func (b *Batch) Draw(row int, mask []uint8, rng *rand.PCG) engine.Action {
	a := b.brain.actions
	z := b.logits[row*a : (row+1)*a]
	b.brain.net.Config().Advise(z, mask)
	if b.temperature != 0 && b.fault == nil {
		for i := range z {
			z[i] /= float32(b.temperature)
		}
		b.spread(z, mask)
	}
	switch {
	case b.fault != nil:
		clear(b.probs)
		return engine.Action(max(0, slices.IndexFunc(mask, func(m uint8) bool { return m != 0 })))
	case b.temperature == 0:
		return engine.Action(network.Best(z, mask))
	}
	return engine.Action(network.Sample(b.probs, rng))
}

// evaluate fills probs and values of one observation, at temperature 1.
func (b *Batch) evaluate(obs []float32, mask []uint8, values []float32) {
	a := b.brain.actions
	b.forward(obs, b.logits[:a], values)
	b.brain.net.Config().Advise(b.logits[:a], mask)
	b.spread(b.logits[:a], mask)
}
