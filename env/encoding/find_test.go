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
