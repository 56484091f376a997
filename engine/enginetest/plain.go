package enginetest

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
	"powderkeg/engine/flow"
)

// Plain fails the test if a value of the type of v cannot be copied by
// assignment: if it holds a pointer, slice, map, interface, function or channel.
func Plain(t testing.TB, v any) {
	t.Helper()
	demand.That(t, v != nil, "the value is nil: it must be one of the position's type, such as Position{}")
	plain(t, reflect.TypeOf(v), reflect.TypeOf(v).String())
}

func plain(t testing.TB, typ reflect.Type, path string) {
	t.Helper()
	switch typ.Kind() {
	case reflect.Struct:
		for f := range typ.Fields() {
			plain(t, f.Type, path+"."+f.Name)
		}
	case reflect.Array:
		plain(t, typ.Elem(), path+"[]")
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan, reflect.String, reflect.UnsafePointer:
		t.Errorf("%s is a %s; a position is a plain value", path, typ.Kind())
	}
}

// Allocs demands that copying, listing, seeing, dealing anew and applying allocate nothing,
// over random games of 2,000 plies. Under the race detector, and where invariants are
// checked (flow.Invariants), which allocate themselves, it plays them without counting.
func Allocs(t testing.TB, g engine.Game) {
	t.Helper()
	demand.Game(t, "the game", g)
	defer demand.Calm(t, g.Spec().Text)
	rng := rand.NewPCG(3, 3)
	s, c := g.New(), g.New()
	start := g.New()
	chance, stochastic := s.(engine.Stochastic)
	demand.That(t, stochastic || len(g.Spec().Outcomes) == 0, "%s has outcomes and %T none: it must be an engine.Stochastic", g.Spec().Text, s)
	hidden, _ := s.(engine.Hidden)
	var view engine.View
	if hidden != nil {
		view = hidden.NewView()
	}
	legal := make([]engine.Action, 0, len(g.Spec().Actions))
	outcomes := make([]engine.Outcome, 0, len(g.Spec().Outcomes))
	returns := make([]float32, 0, g.Spec().Seats)
	step := func() {
		switch s.ToAct() {
		case engine.Terminal:
			returns = s.Returns(returns[:0])
			s.CopyFrom(start)
		case engine.Chance:
			outcomes = chance.Outcomes(outcomes[:0])
			if err := s.Apply(engine.Sample(outcomes, rng)); err != nil {
				t.Fatal(err)
			}
		default:
			legal = s.Legal(legal[:0])
			if len(legal) == 0 { // not demand.That, whose arguments are allocated
				t.Fatalf("%s: seat %d is to act and has no move", g.Spec().Text, s.ToAct())
			}
			c.CopyFrom(s)
			if hidden != nil {
				hidden.See(s.ToAct(), view)
				c.(engine.Hidden).Redeal(view, rng)
			}
			if err := s.Apply(legal[engine.Uint32N(rng, uint32(len(legal)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := testing.AllocsPerRun(2000, step); n != 0 && !Race && !flow.Invariants {
		t.Errorf("%s: %g allocations a ply, want 0", g.Spec().Text, n)
	}
}
