// Package learned makes players of trained networks.
package learned

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/encoding"
)

// Brain is a network together with the observation that it reads. It is
// immutable and safe for concurrent use as long as nobody trains the network.
type Brain struct {
	game    engine.Game
	net     *network.Network
	encoder encoding.Encoder
	actions int
	name    string // for errors
}

// NewBrain puts a network behind the game's encoder. It panics if the network
// was made for other sizes. Errors: a network with advice in a game without a scripted player.
func NewBrain(g engine.Game, net *network.Network) (*Brain, error) {
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	c := net.Config()
	if c.Inputs != encoder.Layout().Size || c.Actions != len(g.Spec().Actions) || c.Seats != g.Spec().Seats {
		panic(fmt.Sprintf("learned: a network for %d inputs, %d actions, %d seats plays %s", c.Inputs, c.Actions, c.Seats, g.Spec().Text))
	}
	if _, err := NewAdviser(g, c); err != nil {
		return nil, err
	}
	return &Brain{g, net, encoder, c.Actions, "network"}, nil
}

// Open reads the brain that ref names (see checkpoints.Open) and checks that it
// was trained for this game, with these rules and this observation, or with older
// ones that still do (checkpoints.Manifest.Admit). Of an observation that has grown
// since then the network reads the beginning.
func Open(g engine.Game, ref string) (*Brain, error) {
	c, err := checkpoints.Open(ref)
	if err != nil {
		return nil, err
	}
	if c.Manifest.Values != nil {
		return nil, fmt.Errorf("%s: %w: it knows values and plays nothing; name it with --values", ref, checkpoints.ErrMismatch)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	want := c.Manifest.Admit(g, encoder.Layout())
	if err := c.Manifest.Check(want); err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	net, err := network.FromCheckpoint(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	if older, ok := encoder.Layout().Beginning(want.Encoding, want.LayoutHash); ok && net.Config().Inputs == older.Size {
		if net, ok = net.Widen(encoder.Layout().Size); !ok {
			return nil, fmt.Errorf("%s: %w: its first layer cannot be widened to the %d numbers of today's observation", ref, checkpoints.ErrMismatch,
				encoder.Layout().Size)
		}
	}
	if seats := net.Config().Seats; seats != g.Spec().Seats {
		return nil, fmt.Errorf("%s: %w: it plays %s, which has %d seats, %s has %d", ref, checkpoints.ErrMismatch, c.Manifest.Game, seats, g.Spec().Text,
			g.Spec().Seats)
	}
	if config := net.Config(); config.Inputs != encoder.Layout().Size || config.Actions != len(g.Spec().Actions) {
		return nil, fmt.Errorf("%s: %w: its network has %d inputs and %d actions, %s has %d and %d", ref, checkpoints.ErrCorrupt,
			config.Inputs, config.Actions, g.Spec().Text, encoder.Layout().Size, len(g.Spec().Actions))
	}
	brain, err := NewBrain(g, net.Frozen())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	brain.name = ref
	return brain, nil
}

// WithoutAdvice returns a brain of the network's own opinions: nobody advises it. A brain that
// nobody advised stays what it was.
func (b *Brain) WithoutAdvice() *Brain {
	c := b.net.Config()
	c.Advice, c.Advisers = 0, nil
	return b.with(network.FromWeights(c, b.net.Weights()))
}

// WithoutPolicy returns a brain whose policy head is at zero, so that the adviser alone decides:
// among what it does not advise every action has the same odds. Without an adviser it plays at
// random. The values are those of b.
func (b *Brain) WithoutPolicy() *Brain {
	net := b.net.Clone()
	for _, t := range net.Config().Tensors() {
		if strings.HasPrefix(t.Name, "policy.") {
			clear(net.Weights()[t.Offset : t.Offset+t.Size])
		}
	}
	return b.with(net)
}

// with returns the brain with another network of the same sizes.
func (b *Brain) with(net *network.Network) *Brain {
	other := *b
	other.net = net.Frozen()
	return &other
}

// Encoder returns the encoder of the observations that the network reads.
func (b *Brain) Encoder() encoding.Encoder { return b.encoder }

// Network returns the network.
func (b *Brain) Network() *network.Network { return b.net }

// NewAdviser returns the adviser that the network wants, nil for none.
func (b *Brain) NewAdviser() *Adviser {
	a, err := NewAdviser(b.game, b.net.Config())
	if err != nil {
		panic(err) // it could be made before
	}
	return a
}

// Policy plays a brain. It owns scratch memory and belongs to one goroutine;
// it allocates nothing while it plays.
type Policy struct {
	brain   *Brain
	batch   *Batch
	adviser *Adviser
	mask    []uint8
	obs     []float32
	moves   [1]engine.Action
	value   []float32
}

// The temperatures besides 0. Below the least a network plays as at 0, until its logits by that
// temperature are no numbers any more.
const (
	LeastTemperature = 0.001
	MostTemperature  = 100
)

// CheckTemperature says what is wrong with a temperature that somebody wants.
func CheckTemperature(t float64) error {
	if t == 0 || t >= LeastTemperature && t <= MostTemperature {
		return nil
	}
	return fmt.Errorf("temperature is %v, it must be 0 or from %v to %v", t, LeastTemperature, MostTemperature)
}

// NewPolicy returns a policy. A temperature of 1 draws actions with the
// network's probabilities, a smaller one sharpens them, and 0 always takes the
// most probable one. Where information is hidden, drawing is part of playing
// well.
func (b *Brain) NewPolicy(temperature float64) *Policy {
	return &Policy{
		brain: b, batch: b.NewBatch(1, temperature), adviser: b.NewAdviser(), mask: make([]uint8, b.actions),
		obs: make([]float32, b.net.Config().Inputs), value: make([]float32, b.net.Config().Seats),
	}
}

// Choose implements agents.Policy.
func (p *Policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	p.look(view, seat, legal)
	_ = p.batch.Act(p.obs, p.mask, rng, p.moves[:]) // see Err
	return p.moves[0]
}

// Err implements agents.Fallible; it also tells of the last Evaluate.
func (p *Policy) Err() error { return p.batch.Err() }

// Evaluate returns the probability of each of the legal actions, in their order,
// appended to dst, and the expected returns of all seats, entry k that of seat
// (seat+k) mod seats, in units of the game's largest possible return. The second
// slice is valid until the next call. Neither means anything where Err is not nil.
func (p *Policy) Evaluate(dst []float32, view engine.View, seat engine.Player, legal []engine.Action) (probabilities, values []float32) {
	p.look(view, seat, legal)
	p.batch.evaluate(p.obs, p.mask, p.value)
	for _, a := range legal {
		dst = append(dst, p.batch.probs[a])
	}
	return dst, p.value
}

// look fills observation and mask.
func (p *Policy) look(view engine.View, seat engine.Player, legal []engine.Action) {
	p.brain.encoder.Encode(p.obs, view, seat)
	clear(p.mask)
	for _, a := range legal {
		p.mask[a] = 1
	}
	p.adviser.Mark(p.mask, view, seat, legal)
}
