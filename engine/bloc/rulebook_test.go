package bloc_test

import (
	"encoding/json"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// Most rules are pinned by the scripts under testdata; here are those that need more
// than a position and some moves.

// load reads a position in which pieces may be missing.
func load(t testing.TB, text, position string) *bloc.State {
	t.Helper()
	s, err := enginetest.Game(t, text).Load([]byte(position), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*bloc.State)
}

// do plays moves by name.
func do(t testing.TB, text string, s *bloc.State, moves ...string) {
	t.Helper()
	g := enginetest.Game(t, text)
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

// fields decodes the JSON position of a state.
func fields(t testing.TB, s engine.State) map[string]any {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// expect compares fields of the JSON position with JSON texts.
func expect(t testing.TB, s engine.State, want map[string]string) {
	t.Helper()
	got := fields(t, s)
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
