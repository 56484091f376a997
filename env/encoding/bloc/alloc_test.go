//go:build !race

package bloc_test

import (
	"testing"

	"powderkeg/engine"
	encoder "powderkeg/env/encoding/bloc"
)

// The race detector allocates itself, so this runs without it.
func TestEncodeAllocatesNothing(t *testing.T) {
	g := game(t, settings[2])
	var views []engine.View
	s := g.New()
	for s.ToAct() != engine.Terminal {
		if p := s.ToAct(); p >= 0 {
			views = append(views, engine.Look(s, p))
		}
		moves := engine.Moves(s)
		if err := s.Apply(moves[len(views)%len(moves)]); err != nil {
			t.Fatal(err)
		}
	}
	dst, i := make([]float32, encoder.Encoder{}.Layout().Size), 0
	n := testing.AllocsPerRun(1000, func() {
		encoder.Encoder{}.Encode(dst, views[i%len(views)], views[i%len(views)].ToAct())
		i++
	})
	if n != 0 {
		t.Errorf("%g allocations an observation, want 0", n)
	}
}
