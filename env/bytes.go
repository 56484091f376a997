package env

import (
	"reflect"

	"powderkeg/engine"
	"powderkeg/env/encoding"
	"powderkeg/env/memory"
)

// fixedBytes is about what an environment of any game holds.
const fixedBytes = 416

// StateBytes is the size of a game's state, which is a plain value.
func StateBytes(g engine.Game) memory.Size { return memory.Size(reflect.TypeOf(g.New()).Elem().Size()) }

// Bytes is about what one environment holds: three states, lists of actions, outcomes and
// payoffs, and what its encoder remembers, which is nothing where many are made together. The
// states of the start and, with Options.Written, of the game keep answers.
func Bytes(g engine.Game) memory.Size {
	spec, kept := g.Spec(), 0
	if k, ok := g.New().(engine.Keeper); ok {
		kept = k.Kept()
	}
	remembered := 0
	if e, err := EncoderFor(g); err == nil {
		if r, ok := e.(encoding.Rememberer); ok {
			remembered = r.RememberingBytes()
		}
	}
	return StateBytes(g).Times(3).Plus(
		memory.Of(4, len(spec.Actions)), memory.Of(16, len(spec.Outcomes)), memory.Of(16, spec.Seats), memory.Of(2, kept),
		memory.Size(remembered), fixedBytes)
}
