package encoding_test

import (
	"strings"
	"testing"

	"powderkeg/env/encoding"
)

func TestFind(t *testing.T) {
	l := &encoding.Layout{Game: "chess"}
	l.Add("turn", 0, 1, "whose turn it is", nil, 1)
	l.Add("areas", 0, 1, "who is where", []string{"owner", "strength"}, 3, 2)
	for key, want := range map[string][2]int{
		"turn": {0, 1}, "turn[0]": {0, 1}, "areas": {1, 6}, "areas[2]": {5, 2}, "areas[1][strength]": {4, 1}, "areas[1][0]": {3, 1},
	} {
		if offset, size, err := l.Find(key); err != nil || [2]int{offset, size} != want {
			t.Errorf("%s is at %d, %d long (error %v), want %v", key, offset, size, err, want)
		}
	}
	for key, want := range map[string]string{
		"hand":             "fields: turn, areas",
		"areas[3]":         "places 0 to 2",
		"areas[owner]":     "places 0 to 2",
		"areas[0][colour]": "entries: owner, strength",
		"areas[0":          "areas[place][place]",
		"turn[0][0]":       "turn[place]",
		"areas[]":          `not ""`,
	} {
		if _, _, err := l.Find(key); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", key, err, want)
		}
	}
}

func TestBeginning(t *testing.T) {
	old := &encoding.Layout{Game: "chess", Version: 1}
	old.Add("turn", 0, 1, "whose turn it is", nil, 1)
	grown := &encoding.Layout{Game: "chess", Version: 2}
	grown.Add("turn", 0, 1, "whose turn it is", nil, 1)
	grown.Add("clock", 0, 1, "time left", nil, 2)
	if l, ok := grown.Beginning(1, old.Hash()); !ok || l.Size != 1 || l.Hash() != old.Hash() {
		t.Errorf("the older layout is %+v, %t", l, ok)
	}
	other := &encoding.Layout{Game: "chess", Version: 1}
	other.Add("turn", 0, 1, "whose turn it was", nil, 1)
	for what, hash := range map[string]string{"of another meaning": other.Hash(), "of nothing": "", "its own": grown.Hash()} {
		if l, ok := grown.Beginning(1, hash); ok {
			t.Errorf("the layout %s is the beginning: %+v", what, l)
		}
	}
	grown.Renamed = map[int]string{1: "a hash"}
	if l, ok := grown.Beginning(1, "a hash"); !ok || l.Size != grown.Size || l.Version != 1 {
		t.Errorf("a layout whose fields were renamed is not known: %+v, %v", l, ok)
	}
	if _, ok := grown.Beginning(2, grown.Hash()); ok {
		t.Error("a layout is its own beginning")
	}
}
