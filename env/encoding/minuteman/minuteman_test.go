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

// TestNumbersOfOlderLayouts: networks that read the numbers before they had names go on
// reading them.
func TestNumbersOfOlderLayouts(t *testing.T) {
	for version, x := range map[int]struct {
		encoder encoding.Encoder
		hash    string
	}{
		3: {minuteman.Compact{}, "7b3f3672dbd076d6b1a2d3349617f8110e56ab74676e3f03348e547ea279c2b9"},
		2: {minuteman.Planes{}, "1b857e22c1093307b6c08c0644326183ae39a88d3e350b0f0ae771d7643d9028"},
	} {
		if l, ok := x.encoder.Layout().Beginning(version, x.hash); !ok || l.Size != x.encoder.Layout().Size {
			t.Errorf("layout %d is not known: %+v", version, l)
		}
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
				encodePlain(layout, want, v, p)
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
