package vec

import (
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/memory"
)

// Bytes is about what each slot of a Vec of a game takes, with one set of Buffers. It is for
// checks before a Vec is made (memory.Count).
func (c Config) Bytes(g engine.Game) (memory.Size, error) {
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return 0, err
	}
	size, spec := encoder.Layout().Size, g.Spec()
	observations := 1
	if c.Autoreset == SameStep {
		observations = 2 // the last of an episode too
	}
	row := memory.Of(4, size, observations).Plus(memory.Of(len(spec.Actions)), memory.Of(2*4, spec.Seats), 32)
	return env.Bytes(g).Plus(row), nil
}
