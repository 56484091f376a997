package search_test

import (
	"context"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// TestSearchAllocs demands that a move allocates nothing once an equal one has
// been searched.
func TestSearchAllocs(t *testing.T) {
	if enginetest.Race {
		t.Skip("allocations differ under the race detector")
	}
	for _, name := range []string{"kuhn", "leduc", "tictactoe", "connect4", "liars_dice", "jogu"} {
		g := enginetest.Game(t, name)
		s := g.New()
		for s.ToAct() == engine.Chance {
			if err := s.Apply(engine.Moves(s)[0]); err != nil {
				t.Fatal(err)
			}
		}
		a, legal, view := agent(t, g, sims(500)), s.Legal(nil), engine.Look(s, s.ToAct())
		// AllocsPerRun makes one run more, first, which warms up.
		if got := testing.AllocsPerRun(10, func() {
			a.Start(s.ToAct(), 1)
			if _, err := a.Act(context.Background(), view, legal); err != nil {
				t.Fatal(err)
			}
		}); got != 0 {
			t.Errorf("%s: a search of 500 simulations allocates %.0f times, want 0", name, got)
		}
	}
}
