package inference

import (
	"powderkeg/agents/learned"
	"powderkeg/checkpoints"
	"powderkeg/engine"
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
