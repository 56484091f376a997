package tictactoe

import (
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/tictactoe"
)

// TestPlanesAreMarks compares planes with the squares one by one, along a full game.
func TestPlanesAreMarks(t *testing.T) {
	s := enginetest.Game(t, "tictactoe").New().(*tictactoe.State)
	for _, a := range []engine.Action{4, 0, 1, 7, 3, 5, 2, 6, 8} {
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
		for seat := range engine.Player(2) {
			got := slices.Repeat([]float32{7}, layout.Size)
			Encoder{}.Encode(got, s, seat)
			for square := range tictactoe.Size {
				own, other := float32(s.Marks(seat)>>square&1), float32(s.Marks(1-seat)>>square&1)
				if got[ownAt+square] != own || got[otherAt+square] != other {
					t.Errorf("square %d of seat %d is %g and %g, want %g and %g", square, seat, got[ownAt+square], got[otherAt+square], own, other)
				}
			}
		}
	}
}
