package enginetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/edition"
	"powderkeg/engine/games"
)

// Set puts a value into a data file of an edition.
type Set struct {
	// File is the name of the file, without .json.
	File string
	// At is where the value stands: keys with dots between, and the name or the number (from
	// 1) of an element of a list in brackets, as in cards[dragoon].strength.
	At    string
	Value any
}

// EditionFiles returns the files of a new edition of a game with some values changed.
func EditionFiles(t testing.TB, name string, sets ...Set) map[string][]byte {
	t.Helper()
	f, err := games.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	files, err := edition.Files(f)
	if err != nil {
		t.Fatal(err)
	}
	files = maps.Clone(files)
	for _, s := range sets {
		var v any
		if err := json.Unmarshal(files[s.File+".json"], &v); err != nil {
			t.Fatal(err)
		}
		if err := put(v, strings.Split(s.At, "."), s.Value); err != nil {
			t.Fatalf("%s.json: %s: %v", s.File, s.At, err)
		}
		if files[s.File+".json"], err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// Edition returns the game of a game string, such as jogu(first=agents), by an edition in
// which some values are changed. It fails if the edition has faults.
func Edition(t testing.TB, text string, sets ...Set) engine.Game {
	t.Helper()
	name, _, _ := strings.Cut(text, "(")
	e, report, err := games.Edition(EditionFiles(t, name, sets...))
	if err != nil || e == nil {
		t.Fatalf("the edition of %s: %v, %q", name, err, report.Faults)
	}
	g, err := e.New(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// put sets the value at a path below v.
func put(v any, path []string, value any) error {
	key, label, listed := strings.Cut(strings.TrimSuffix(path[0], "]"), "[")
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is in no object", key)
	}
	if !listed {
		if len(path) == 1 {
			m[key] = value
			return nil
		}
		return put(m[key], path[1:], value)
	}
	list, _ := m[key].([]any)
	i := slices.IndexFunc(list, func(e any) bool {
		r, _ := e.(map[string]any)
		for _, k := range []string{"key", "id", "number", "name", "step", "a"} {
			if r[k] != nil {
				return fmt.Sprint(r[k]) == label
			}
		}
		return false
	})
	if i < 0 {
		if _, err := fmt.Sscan(label, &i); err != nil || i < 1 || i > len(list) {
			return fmt.Errorf("%s has no %s", key, label)
		}
		i--
	}
	if len(path) == 1 {
		list[i] = value
		return nil
	}
	return put(list[i], path[1:], value)
}
