package kuhn

import (
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/kuhn"
)

// TestRowsAreThoseOfThePlainForm visits every state of the game.
func TestRowsAreThoseOfThePlainForm(t *testing.T) {
	if n := len(observation{}); n != layout.Size {
		t.Fatalf("an observation has %d numbers, the layout %d", n, layout.Size)
	}
	g, seen := enginetest.Game(t, "kuhn"), 0
	var visit func(s engine.State)
	visit = func(s engine.State) {
		for seat := range engine.Player(2) {
			view := engine.Look(s, seat).(*kuhn.View)
			played, bets := view.History()
			got, want := slices.Repeat([]float32{7}, layout.Size), make([]float32, layout.Size)
			Encoder{}.Encode(got, view, seat)
			if encode(want, int(seat), view.Card(seat), played, int(bets)); !slices.Equal(got, want) {
				t.Errorf("seat %d sees %v, want %v: %s", seat, got, want, view.Text(seat))
			}
			seen++
		}
		if s.ToAct() == engine.Terminal {
			return
		}
		for _, a := range engine.Moves(s) {
			next := engine.Clone(g, s)
			if err := next.Apply(a); err != nil {
				t.Fatal(err)
			}
			visit(next)
		}
	}
	if visit(g.New()); seen != 2*58 { // TestTreeCounts of the game
		t.Errorf("%d observations, want %d", seen, 2*58)
	}
}
