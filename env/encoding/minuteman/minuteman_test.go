package minuteman_test

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/encodingtest"
	"powderkeg/env/encoding/minuteman"
)

var settings = []string{"minuteman", "minuteman(scenario=partisan)", "minuteman(scenario=occupation)",
	"minuteman(scenario=civil_war,canada_mexico=true,foreign_intervention=true)", "minuteman(players=4,dispersed=true)"}

func TestEncoders(t *testing.T) {
	for _, e := range []encoding.Encoder{minuteman.Compact{}, minuteman.Planes{}} {
		encodingtest.Suite{Encoder: e, Games: settings, Times: 1, Every: 13}.Run(t)
	}
}

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

func TestOptionChoosesTheEncoder(t *testing.T) {
	if _, ok := minuteman.For(enginetest.Game(t, "minuteman(encoder=planes)")).(minuteman.Planes); !ok {
		t.Error("encoder=planes does not give the planes")
	}
	if _, ok := minuteman.For(enginetest.Game(t, "minuteman")).(minuteman.Compact); !ok {
		t.Error("the default is not the compact view")
	}
}
