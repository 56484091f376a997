package minuteman_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/minuteman"
)

var settings = []string{"minuteman", "minuteman(scenario=partisan)", "minuteman(scenario=occupation)",
	"minuteman(scenario=civil_war,canada_mexico=true,foreign_intervention=true)", "minuteman(players=4,dispersed=true)"}

// observe plays random games and calls f now and then with a state and the seat to
// act.
func observe(t *testing.T, name string, f func(g engine.Game, s engine.State, p engine.Player)) {
	t.Helper()
	g := enginetest.Game(t, name)
	rng := rand.NewPCG(4, 4)
	s := g.New()
	for ply := 0; s.ToAct() != engine.Terminal; ply++ {
		if ply%13 == 0 && s.ToAct() >= 0 {
			f(g, s, s.ToAct())
		}
		moves := engine.Moves(s)
		if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
			t.Fatal(err)
		}
	}
}

func encode(e encoding.Encoder, g engine.Game, s engine.State, p engine.Player) []float32 {
	v := engine.Look(s, p)
	dst := make([]float32, e.Layout().Size)
	for i := range dst {
		dst[i] = 99 // all must be written
	}
	e.Encode(dst, v, p)
	return dst
}

func TestCompactHasTheSpecifiedSize(t *testing.T) {
	if n := (minuteman.Compact{}).Layout().Size; n != 3905 {
		t.Errorf("the compact view has %d numbers, want 3905", n)
	}
}

// TestCompactAgreesWithPlain compares the two forms number by number, for every seat.
func TestCompactAgreesWithPlain(t *testing.T) {
	for _, name := range settings {
		observe(t, name, func(g engine.Game, s engine.State, _ engine.Player) {
			for p := range engine.Player(g.Spec().Seats) {
				layout := minuteman.Compact{}.Layout()
				v := engine.Look(s, p)
				want := make([]float32, layout.Size)
				minuteman.EncodePlain(want, v, p)
				got := encode(minuteman.Compact{}, g, s, p)
				for _, f := range layout.Fields {
					for i := range f.Size {
						if got[f.Offset+i] != want[f.Offset+i] {
							t.Fatalf("%s, seat %d: number %d of %s is %g, the plain form says %g", name, p, i, f.Name, got[f.Offset+i], want[f.Offset+i])
						}
					}
				}
			}
		})
	}
}

func TestNumbersStayInTheirRange(t *testing.T) {
	for _, name := range settings {
		observe(t, name, func(g engine.Game, s engine.State, p engine.Player) {
			for _, e := range []encoding.Encoder{minuteman.Compact{}, minuteman.Planes{}} {
				dst := encode(e, g, s, p)
				for _, f := range e.Layout().Fields {
					for i, x := range dst[f.Offset : f.Offset+f.Size] {
						if !(x >= f.Min-1e-6 && x <= f.Max+1e-6) {
							t.Fatalf("%s: number %d of %s is %g, outside %g to %g", name, i, f.Name, x, f.Min, f.Max)
						}
					}
				}
			}
		})
	}
}

// TestHiddenPartsDoNotShow deals what the observer cannot see anew.
func TestHiddenPartsDoNotShow(t *testing.T) {
	rng := rand.NewPCG(8, 8)
	for _, name := range settings {
		observe(t, name, func(g engine.Game, s engine.State, p engine.Player) {
			other := g.New().(engine.Hidden)
			other.Redeal(engine.Look(s, p), rng)
			for _, e := range []encoding.Encoder{minuteman.Compact{}, minuteman.Planes{}} {
				if !slices.Equal(encode(e, g, s, p), encode(e, g, other, p)) {
					t.Fatalf("%s: seat %d sees what is hidden", name, p)
				}
			}
		})
	}
}

func TestOptionChoosesTheEncoder(t *testing.T) {
	if _, ok := minuteman.For(enginetest.Game(t, "minuteman(encoder=planes)")).(minuteman.Planes); !ok {
		t.Error("encoder=planes does not give the planes")
	}
	if _, ok := minuteman.For(enginetest.Game(t, "minuteman")).(minuteman.Compact); !ok {
		t.Error("the default is not the compact view")
	}
}
