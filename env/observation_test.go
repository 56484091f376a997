package env_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
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

// guard stands around a buffer and in it before it is written; no encoder
// produces it.
const guard = float32(-12345)

// Every number is written, nothing beside them, and all are in their range, for
// every seat, whoever acts.
func TestObservationsStayInTheirRange(t *testing.T) {
	for _, f := range games.Families() {
		e, rng := newEnv(t, f.Name, env.Options{}), rand.NewPCG(9, 9)
		layout := e.Encoder().Layout()
		buffer := make([]float32, layout.Size+2)
		for seed := range uint64(10) {
			for e.Reset(seed); !e.Terminated(); {
				for p := range engine.Player(e.Game().Spec().Seats) {
					for i := range buffer {
						buffer[i] = guard
					}
					e.ObserveAs(p, buffer[1:len(buffer)-1])
					if buffer[0] != guard || buffer[len(buffer)-1] != guard {
						t.Fatalf("%s: the encoder writes beside its buffer", f.Name)
					}
					for _, field := range layout.Fields {
						for i, x := range buffer[1+field.Offset : 1+field.Offset+field.Size] {
							if !(x >= field.Min && x <= field.Max) || math.IsNaN(float64(x)) {
								t.Fatalf("%s, seat %d: %s[%d] is %g, outside %g to %g", f.Name, p, field.Name, i, x, field.Min, field.Max)
							}
						}
					}
				}
				if err := e.Step(pick(e, rng)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Whatever a seat cannot see may change without changing its observation.
func TestObservationsKeepSecrets(t *testing.T) {
	for _, f := range games.Families() {
		e, rng := newEnv(t, f.Name, env.Options{}), rand.NewPCG(8, 8)
		g := e.Game()
		if _, ok := g.New().(engine.Hidden); !ok {
			continue
		}
		size := e.Encoder().Layout().Size
		want, got := make([]float32, size), make([]float32, size)
		for seed := range uint64(20) {
			for e.Reset(seed); !e.Terminated(); {
				for p := range engine.Player(g.Spec().Seats) {
					e.ObserveAs(p, want)
					if e.View(p).ToAct() == engine.Nobody {
						continue // a new deal may be where the game has gone on; enginetest follows it
					}
					other := g.New().(engine.Hidden)
					other.Redeal(e.View(p), rng)
					e.Encoder().Encode(got, engine.Look(other, p), p)
					if !slices.Equal(want, got) {
						t.Fatalf("%s, seed %d: the observation of seat %d depends on what it cannot see", f.Name, seed, p)
					}
				}
				if err := e.Step(pick(e, rng)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
