package env

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/kuhn"
)

// EncoderFor returns the newest encoder of a game.
func EncoderFor(g engine.Game) (encoding.Encoder, error) {
	switch g.Spec().Name {
	case "kuhn":
		return kuhn.Encoder{}, nil
	}
	return nil, fmt.Errorf("env: game %s has no encoder", g.Spec().Name)
}
