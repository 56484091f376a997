package values

import (
	"bytes"
	"encoding/json"
	"fmt"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/position"
	"powderkeg/env"
)

// Card is what a checkpoint of values says of them.
type Card struct {
	Sight Sight `json:"sight"`
	// Share is the share of the luck to take out.
	Share float64 `json:"share"`
	// Agent and Others are those whose games were learned from, Store is the digest of those.
	Agent  string `json:"agent"`
	Others string `json:"others"`
	Store  string `json:"store"`
	// Figures are of games that were held out.
	Figures Figures `json:"figures"`
}

// Network is a network of values of one configured game. It is immutable and safe for
// concurrent use.
type Network struct {
	Card Card
	game engine.Game
	net  *network.Network
}

// New returns the values that a network has learned from a store.
func New(g engine.Game, s *Store, net *network.Network, f Figures) *Network {
	return &Network{Card{s.Head.Sight, f.Share, s.Head.Agent, s.Head.Others, s.Digest(), f}, g, net.Frozen()}
}

// Save writes the values to a store of checkpoints, in place of those of as many games.
func (n *Network) Save(to checkpoints.Store) (path string, err error) {
	encoder, err := env.EncoderFor(n.game)
	if err != nil {
		return "", err
	}
	config, err := json.Marshal(n.net.Config())
	if err != nil {
		return "", err
	}
	card, err := json.Marshal(n.Card)
	if err != nil {
		return "", err
	}
	games := int64(n.Card.Figures.Games)
	names, err := to.List()
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if name == checkpoints.Name(games) {
			if _, err := to.SetAside(name); err != nil {
				return "", err
			}
		}
	}
	return to.Save(&checkpoints.Checkpoint{
		Manifest: checkpoints.Manifest{
			Identity: checkpoints.IdentityOf(n.game, encoder.Layout()), Network: config, Values: card, Updates: games, Games: games,
		},
		Weights: n.net.Tensors(),
	})
}

// Load reads the values that ref names (checkpoints.Open) and checks that they are of this game,
// with these rules and this observation.
func Load(g engine.Game, ref string) (*Network, error) {
	c, err := checkpoints.Open(ref)
	if err != nil {
		return nil, err
	}
	if c.Manifest.Values == nil {
		return nil, fmt.Errorf("%s: %w: it is a player; name one that powderkeg values made", ref, checkpoints.ErrMismatch)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	if err := c.Manifest.Check(checkpoints.IdentityOf(g, encoder.Layout())); err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	n := &Network{game: g}
	d := json.NewDecoder(bytes.NewReader(c.Manifest.Values))
	d.DisallowUnknownFields()
	if err := d.Decode(&n.Card); err != nil {
		return nil, fmt.Errorf("%s: %w: manifest.json: values: %s", ref, checkpoints.ErrCorrupt, position.Plainly(err, nil))
	}
	if !(n.Card.Share >= 0 && n.Card.Share <= 1) {
		return nil, fmt.Errorf("%s: %w: manifest.json: values.share is %v, it must be from 0 to 1", ref, checkpoints.ErrCorrupt, n.Card.Share)
	}
	e, err := newEyes(g, n.Card.Sight)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: manifest.json: %w", ref, checkpoints.ErrCorrupt, err)
	}
	net, err := network.FromCheckpoint(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	if config := net.Config(); config.Inputs != e.inputs() || config.Seats != g.Spec().Seats {
		return nil, fmt.Errorf("%s: %w: its network has %d inputs and %d seats, %s has %d and %d", ref, checkpoints.ErrMismatch,
			config.Inputs, config.Seats, g.Spec().Text, e.inputs(), g.Spec().Seats)
	}
	n.net = net.Frozen()
	return n, nil
}

// Critic says what states are worth by a network. It belongs to one goroutine.
type Critic struct {
	net     *network.Network
	unit    float64
	eyes    *eyes
	space   *network.Workspace
	obs     []float32
	logits  []float32
	values  []float32
	returns []float32
	fault   error
}

// NewCritic returns a critic, as luck.Measure wants one for each worker.
func (n *Network) NewCritic() *Critic {
	e, err := newEyes(n.game, n.Card.Sight)
	if err != nil {
		panic(err) // there was one before
	}
	return &Critic{
		net: n.net, unit: float64(unit(n.game)), eyes: e, space: n.net.NewWorkspace(1), obs: make([]float32, e.inputs()),
		logits: make([]float32, n.net.Config().Actions), values: make([]float32, n.net.Config().Seats),
	}
}

// Err implements luck.Fallible.
func (c *Critic) Err() error { return c.fault }

// Values implements luck.Values. At the end they are the returns.
func (c *Critic) Values(dst []float64, s engine.State) {
	if s.ToAct() == engine.Terminal {
		c.returns = s.Returns(c.returns[:0])
		for p, x := range c.returns {
			dst[p] = float64(x)
		}
		return
	}
	c.eyes.encode(c.obs, s)
	c.net.Forward(c.space, c.obs, c.logits, c.values)
	if err := c.space.Err(); err != nil && c.fault == nil {
		c.fault = fmt.Errorf("values: %w", err)
	}
	for p, x := range c.values {
		dst[p] = float64(x) * c.unit
	}
}
