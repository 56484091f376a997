package env

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/connect4"
	"powderkeg/env/encoding/jogu"
	"powderkeg/env/encoding/kuhn"
	"powderkeg/env/encoding/leduc"
	"powderkeg/env/encoding/minuteman"
	"powderkeg/env/encoding/tictactoe"
)

// EncoderFor returns the newest encoder of a game.
func EncoderFor(g engine.Game) (encoding.Encoder, error) {
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
	case "minuteman":
		return minuteman.For(g), nil
	}
	return nil, fmt.Errorf("env: game %s has no encoder", g.Spec().Name)
}
