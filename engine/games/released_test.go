package games_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/kept"
	"powderkeg/engine/games"
	"powderkeg/engine/replay"
)

// released is the folder of what earlier versions have written, a folder each: a game of every family, a position
// at rest in it and one in the middle of a procedure. Nothing in it is ever changed.
const released = "testdata/released"

// TestReleasedFiles: what every released version has written is read by this one. A replay by other rules is refused, and
// the error names both versions of them; any other plays to the same returns and the same hash. A position loads, and has
// all its fields with their values.
func TestReleasedFiles(t *testing.T) {
	for _, f := range games.Families() {
		written := sync.OnceValue(func() map[string]string { return write(t, f.Name) })
		for _, kind := range []string{"replay", "rest", "middle"} {
			if kind == "middle" && !proceeds(f.Name) {
				continue
			}
			for path, text := range kept.Files(t, released, f.Name+"."+kind+".json", func() string { return written()[kind] }) {
				if kind == "replay" {
					readReplay(t, path, []byte(text))
				} else {
					readPosition(t, path, enginetest.Game(t, f.Name), []byte(text))
				}
			}
		}
	}
}

// proceeds says whether a family has procedures, in whose middle a position does not rest.
func proceeds(family string) bool {
	return slices.Contains([]string{"bloc", "domination", "insurgency", "jogu", "minuteman"}, family)
}

func readReplay(t *testing.T, path string, data []byte) {
	t.Helper()
	record, err := replay.Parse(data)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	g := enginetest.Game(t, record.Game)
	_, err = replay.Play(g, record, nil)
	if now := g.Spec().Version; record.Rules != now {
		if err == nil || !strings.Contains(err.Error(), "version") {
			t.Errorf("%s: it was played by version %d of the rules, not %d, and the error is %v", path, record.Rules, now, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
}

func readPosition(t *testing.T, path string, g engine.Game, data []byte) {
	t.Helper()
	s, err := g.Load(data, engine.Strict)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	text, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var before, now any
	if err := json.Unmarshal(data, &before); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &now); err != nil {
		t.Fatal(err)
	}
	if lost := differs("", before, now); lost != "" {
		t.Errorf("%s: %s is not as it was, after reading and writing", path, lost)
	}
}

// differs returns the first place at which a document is not as it was, empty if it has all that it had: it may have more.
func differs(place string, before, now any) string {
	fields, ok := before.(map[string]any)
	if !ok {
		if !reflect.DeepEqual(before, now) {
			return place
		}
		return ""
	}
	others, ok := now.(map[string]any)
	if !ok {
		return place
	}
	for key, value := range fields {
		if lost := differs(place+"."+key, value, others[key]); lost != "" {
			return lost
		}
	}
	return ""
}

// TestLostFieldsAreFound in documents that were read and written.
func TestLostFieldsAreFound(t *testing.T) {
	for _, c := range []struct{ before, now, want string }{
		{`{"a":1,"b":{"c":[1,2]}}`, `{"a":1,"b":{"c":[1,2],"new":0},"d":3}`, ""},
		{`{"a":1}`, `{"a":2}`, ".a"},
		{`{"b":{"c":[1,2]}}`, `{"b":{"c":[2,1]}}`, ".b.c"},
		{`{"b":{"c":1}}`, `{"b":3}`, ".b"},
		{`{"b":1}`, `{}`, ".b"},
	} {
		var before, now any
		if err := json.Unmarshal([]byte(c.before), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.now), &now); err != nil {
			t.Fatal(err)
		}
		if got := differs("", before, now); got != c.want {
			t.Errorf("%s after %s: %q differs, want %q", c.now, c.before, got, c.want)
		}
	}
}

// write plays a game at random, and returns its replay and the first position at rest and the first in the middle of a
// procedure that come after half of its moves, by their kinds.
func write(t *testing.T, family string) map[string]string {
	t.Helper()
	g := enginetest.Game(t, family)
	rng := rand.New(rand.NewPCG(7, 7))
	record, positions := replay.New(g, "random"), []string{}
	s := g.New()
	for s.ToAct() != engine.Terminal {
		text, err := s.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		positions = append(positions, string(text))
		moves := engine.Moves(s)
		a := moves[rng.IntN(len(moves))]
		record.Add(g, s, a)
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	record.Close(s)
	text, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"replay": string(text)}
	for _, position := range slices.Backward(positions[len(positions)/2:]) {
		if strings.Contains(position, `"since":`) {
			files["middle"] = position
		} else {
			files["rest"] = position
		}
	}
	return files
}
