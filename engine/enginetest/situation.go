package enginetest

import (
	"encoding/json"
	"testing"

	"powderkeg/engine"
)

// Load reads a position of a game, in which pieces may be missing, as the game's own
// type of state.
func Load[S engine.State](t testing.TB, text, position string) S {
	t.Helper()
	s, err := Game(t, text).Load([]byte(position), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	return s.(S)
}

// Do plays moves by name.
func Do[S engine.State](t testing.TB, text string, s S, moves ...string) {
	t.Helper()
	play(t, Game(t, text), s, moves)
}

// After returns the state after the named moves from the start of a game.
func After(t testing.TB, g engine.Game, moves ...string) engine.State {
	t.Helper()
	s := g.New()
	play(t, g, s, moves)
	return s
}

func play(t testing.TB, g engine.Game, s engine.State, moves []string) {
	t.Helper()
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
	got := Fields(t, v)
	for name, w := range want {
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
// type of view.
func Open[V engine.View](v engine.View) V {
	if s, ok := v.(engine.State); ok {
		v = engine.Look(s, engine.Everything)
	}
	return v.(V)
}
