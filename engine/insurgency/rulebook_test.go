package insurgency_test

import (
	"encoding/json"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

// Most rules are pinned by the scripts under testdata; here are those that need
// more than a position and some moves.

// load reads a position in which cards may be missing.
func load(t testing.TB, text, position string) *insurgency.State {
	t.Helper()
	s, err := enginetest.Game(t, text).Load([]byte(position), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*insurgency.State)
}

// do plays moves by name.
func do(t testing.TB, text string, s *insurgency.State, moves ...string) {
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
