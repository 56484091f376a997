package env

import (
	"powderkeg/engine"
	"powderkeg/env/encoding"
)

// Observed returns the game with another encoder than its newest, such as the planes of
// Minuteman: environments and networks of it read that one.
func Observed(g engine.Game, e encoding.Encoder) Encoded { return observed{g, e} }

type observed struct {
	engine.Game
	encoder encoding.Encoder
}

// Encoder implements Encoded.
func (o observed) Encoder() encoding.Encoder { return o.encoder }
