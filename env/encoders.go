package env

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/connect4"
	"powderkeg/env/encoding/domination"
	"powderkeg/env/encoding/jogu"
	"powderkeg/env/encoding/kuhn"
	"powderkeg/env/encoding/leduc"
	"powderkeg/env/encoding/minuteman"
	"powderkeg/env/encoding/tictactoe"
)

// Encoded is a game that brings its own encoder, as one from outside of this
// project does.
type Encoded interface {
	engine.Game
	Encoder() encoding.Encoder
}

// EncoderFor returns the newest encoder of a game.
func EncoderFor(g engine.Game) (encoding.Encoder, error) {
	if own, ok := g.(Encoded); ok {
		return own.Encoder(), nil
	}
	switch g.Spec().Name {
	case "kuhn":
		return kuhn.Encoder{}, nil
	case "leduc":
		return leduc.Encoder{}, nil
	case "tictactoe":
		return tictactoe.Encoder{}, nil
	case "connect4":
		return connect4.Encoder{}, nil
	case "jogu":
		return jogu.Encoder{}, nil
	case "domination":
		return domination.Encoder{}, nil
	case "minuteman":
		return minuteman.For(g), nil
	}
	return nil, fmt.Errorf("env: game %s has no encoder", g.Spec().Name)
}
