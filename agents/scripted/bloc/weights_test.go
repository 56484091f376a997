package bloc

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// TestPlace tells nights apart, on which the weights of a seat of its own depend.
func TestPlace(t *testing.T) {
	seen, most := map[[2]float64]bool{}, -1.0
	play(t, "bloc", 1, func(_ engine.Game, s *bloc.State, _ engine.Action) {
		v := open(s)
		late, held := place(v)
		if max(late, held) > 1 || min(late, held) < -1 {
			t.Errorf("place %v, %v, want each from -1 to 1\n%s", late, held, v.Text(0))
		}
		if v.P.NightsLeft == 8 && held != -1 {
			t.Errorf("in the first night the State Districts are at %v", held)
		}
		most = max(most, held)
		if v.P.NightsLeft == 1 && late != 1 || v.P.NightsLeft == 8 && late != -1 {
			t.Errorf("%d nights are left, and it is %v late", v.P.NightsLeft, late)
		}
		seen[[2]float64{late, held}] = true
	})
	if len(seen) < 8 || most < 0 {
		t.Errorf("%d places in a game, and at most %v of the State Districts, want 8 and half of them at least", len(seen), most)
	}
}

// TestWeightsOfItsOwnBeginAsTuned: a seat with a course of its own that nobody has changed
// plays as one without.
func TestWeightsOfItsOwnBeginAsTuned(t *testing.T) {
	var own, plain Policy
	for seat := range bloc.Factions {
		own.Weights(seat)
	}
	compared := 0
	play(t, "bloc", 3, func(_ engine.Game, s *bloc.State, _ engine.Action) {
		if seat := s.ToAct(); seat >= 0 {
			view, legal := engine.Look(s, seat), s.Legal(nil)
			if got, want := own.Choose(view, seat, legal, nil), plain.Choose(view, seat, legal, nil); got != want {
				t.Errorf("%s with weights of its own, %s without", s.Describe(got), s.Describe(want))
			}
			compared++
		}
	})
	if compared < 100 {
		t.Errorf("%d decisions compared, want at least 100", compared)
	}
}
