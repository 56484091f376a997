package env_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/encoding/encodingtest"
)

func TestLayoutsDescribeEveryNumber(t *testing.T) {
	for _, f := range games.Families() {
		layout := newEnv(t, f.Name, env.Options{}).Encoder().Layout()
		at, names := 0, map[string]bool{}
		for _, field := range layout.Fields {
			size := 1
			for _, n := range field.Shape {
				size *= n
			}
			if field.Offset != at || field.Size != size || size < 1 || field.Min >= field.Max || field.Meaning == "" || names[field.Name] {
				t.Errorf("%s: field %+v is wrong or out of place (offset %d expected)", f.Name, field, at)
			}
			names[field.Name] = true
			at += field.Size
		}
		if at != layout.Size || layout.Game != f.Name || layout.Version < 1 {
			t.Errorf("%s: layout of %s, version %d, has %d numbers in fields and says %d", f.Name, layout.Game, layout.Version, at, layout.Size)
		}
	}
}

func TestEncoders(t *testing.T) {
	for _, f := range games.Families() {
		encodingtest.Suite{Encoder: newEnv(t, f.Name, env.Options{}).Encoder(), Games: []string{f.Name}, Times: 20}.Run(t)
	}
}

// TestObserveAsShowsWhatASeatSees compares the environment's observations with the
// encoder's of the same view.
func TestObserveAsShowsWhatASeatSees(t *testing.T) {
	for _, f := range games.Families() {
		e, rng := newEnv(t, f.Name, env.Options{}), rand.NewPCG(9, 9)
		suite := encodingtest.Suite{Encoder: e.Encoder()}
		got := make([]float32, e.Encoder().Layout().Size)
		for e.Reset(1); !e.Terminated(); {
			for p := range engine.Player(e.Game().Spec().Seats) {
				if e.ObserveAs(p, got); !slices.Equal(got, suite.Observe(e.State(), p)) {
					t.Fatalf("%s: seat %d is shown another observation than its own", f.Name, p)
				}
			}
			if err := e.Step(pick(e, rng)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
