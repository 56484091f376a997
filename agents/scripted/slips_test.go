package scripted

import (
	"math/rand/v2"
	"testing"

	"powderkeg/agents/random"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// TestSlipsAsOftenAsAsked counts at a position of connect4 where the scripted
// player has one best move out of seven: it is made in the other share of cases and
// a seventh of the slips.
func TestSlipsAsOftenAsAsked(t *testing.T) {
	g := enginetest.Game(t, "connect4")
	s, err := g.Load([]byte(`{"board": [".......", ".......", ".......", ".......", "ooo....", "xxx...."]}`), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	legal := s.Legal(nil)
	sure := Must(g).Choose(s, 0, legal, rand.NewPCG(1, 1))
	for _, share := range []float64{0, 0.3, 1} {
		p, rng := random.Slipping(Must(g), share), rand.NewPCG(2, 2)
		const n = 4000
		made := 0
		for range n {
			if p.Choose(s, 0, legal, rng) == sure {
				made++
			}
		}
		want := 1 - share*6/7
		if got := float64(made) / n; got < want-0.03 || got > want+0.03 {
			t.Errorf("slips %g: makes the best move in %.3f of cases, want %.3f", share, got, want)
		}
	}
}
