package engine_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
)

// TestDealsAreShownToTheirSeat walks both poker games through the deal and the
// first bet.
func TestDealsAreShownToTheirSeat(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc"} {
		g, err := games.New(name)
		if err != nil {
			t.Fatal(err)
		}
		s := g.New()
		for move, shown := range [][2]bool{{true, false}, {false, true}, {true, true}} {
			a := engine.Moves(s)[0]
			for p := range engine.Player(2) {
				if got := s.(engine.Secretive).Shows(p, a); got != shown[p] {
					t.Errorf("%s: move %d (%s) is shown to seat %d: got %t, want %t",
						name, move, engine.MoveName(g, s, a), p, got, shown[p])
				}
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}
