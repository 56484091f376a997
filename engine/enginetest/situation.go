package enginetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
)

// Load reads a position of a game, in which pieces may be missing, as the game's own
// type of state.
func Load[S engine.State](t testing.TB, text, position string) S {
	t.Helper()
	s, err := Game(t, text).Load([]byte(position), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	typed, ok := s.(S)
	demand.That(t, ok, "%s loads a %T, and the test asks for a %s", text, s, reflect.TypeFor[S]())
	return typed
}

// Do plays moves by name.
func Do[S engine.State](t testing.TB, text string, s S, moves ...string) {
	t.Helper()
	play(t, Game(t, text), s, moves)
}

// After returns the state after the named moves from the start of a game.
func After(t testing.TB, g engine.Game, moves ...string) engine.State {
	t.Helper()
	demand.Game(t, "the game", g)
	s := g.New()
	play(t, g, s, moves)
	return s
}

func play(t testing.TB, g engine.Game, s engine.State, moves []string) {
	t.Helper()
	demand.Something(t, s, "the state", "one of "+g.Spec().Text)
	defer demand.Calm(t, g.Spec().Text)
	for _, name := range moves {
		a, err := engine.FindMove(g, s, name)
		if err == nil {
			err = s.Apply(a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Fields decodes the JSON position of a state or view.
func Fields(t testing.TB, v engine.View) map[string]any {
	t.Helper()
	demand.Something(t, v, "the view", "a state or a view")
	data, err := v.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// Expect compares fields of the JSON position with JSON texts.
func Expect(t testing.TB, v engine.View, want map[string]string) {
	t.Helper()
	demand.That(t, len(want) > 0, "want is empty: it must have a field or more, with its JSON")
	got := Fields(t, v)
	for name, w := range want {
		_, ok := got[name]
		demand.That(t, ok, "want names the field %q, and the position has %q", name, slices.Sorted(maps.Keys(got)))
		g, err := json.Marshal(got[name])
		if err != nil {
			t.Fatal(err)
		}
		if string(g) != w {
			t.Errorf("%s is %s, want %s", name, g, w)
		}
	}
}

// Open returns all that there is to see of a state, or a view as it is, as the game's own
// type of view. It panics if that is another.
func Open[V engine.View](v engine.View) V {
	if s, ok := v.(engine.State); ok {
		v = engine.Look(s, engine.Everything)
	}
	typed, ok := v.(V)
	if !ok {
		panic(fmt.Sprintf("enginetest.Open: the view is a %T, and the test asks for a %s", v, reflect.TypeFor[V]()))
	}
	return typed
}
