package inference

import (
	"math/rand/v2"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env"
)

// Source is where a network comes from. It is safe for concurrent use.
type Source interface {
	// Version identifies what Load would read now.
	Version() (string, error)
	// Load reads the network. Whatever follows a network at its place must play the
	// same game from the same observations.
	Load() (*learned.Brain, error)
}

// Checkpoint returns the source that reads the checkpoint which ref names (see
// checkpoints.Open), or the run's latest one.
func Checkpoint(g engine.Game, ref string) Source { return checkpoint{g, ref} }

type checkpoint struct {
	game engine.Game
	ref  string
}

func (c checkpoint) Version() (string, error) { return checkpoints.Fingerprint(c.ref) }

func (c checkpoint) Load() (*learned.Brain, error) { return learned.Open(c.game, c.ref) }

// Untrained returns the source of a network with random weights and the given
// hidden layers, always the same: as fast as a trained one, for measurements and
// tests.
func Untrained(g engine.Game, hidden ...int) Source { return untrained{g, hidden} }

type untrained struct {
	game   engine.Game
	hidden []int
}

func (untrained) Version() (string, error) { return "untrained", nil }

func (u untrained) Load() (*learned.Brain, error) {
	encoder, err := env.EncoderFor(u.game)
	if err != nil {
		return nil, err
	}
	spec := u.game.Spec()
	net, err := network.New(network.Config{Inputs: encoder.Layout().Size, Actions: len(spec.Actions), Seats: spec.Seats, Hidden: u.hidden,
		Activation: network.ReLU}, rand.NewPCG(1, 1))
	if err != nil {
		return nil, err
	}
	return learned.NewBrain(u.game, net.Frozen())
}
