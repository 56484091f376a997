package ruledata

import (
	"slices"
	"strings"
	"testing"
)

const good = `[
 {"rule": "R1.1", "title": "the deck", "section": "Setup", "text": "There are three cards."},
 {"rule": "R1.10", "title": "the ante", "section": "Setup", "text": "Both seats pay one chip."},
 {"rule": "R1.1.2", "title": "suits", "section": "Setup", "text": "A Deck has no suits."},
 {"rule": "R10.1", "title": "winning", "section": "End", "text": "The higher card wins."}
]`

func numbers(rules []Rule) []string {
	list := []string{}
	for _, r := range rules {
		list = append(list, r.Number)
	}
	return list
}

func TestFind(t *testing.T) {
	rules, err := Rules([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string][]string{
		"R1.1": {"R1.1", "R1.1.2"}, "r1": {"R1.1", "R1.10", "R1.1.2"}, "R10": {"R10.1"}, "R1.10": {"R1.10"},
		"deck": {"R1.1", "R1.1.2"}, "HIGHER CARD": {"R10.1"}, "flop": {}, "R2": {},
	} {
		if got := numbers(Find(rules, word)); !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", word, got, want)
		}
	}
	if got := Chapters(rules); !slices.Equal(got, []string{"R1", "R10"}) {
		t.Errorf("chapters %q", got)
	}
}

func TestRulesRefuses(t *testing.T) {
	for data, want := range map[string]string{
		`{}`:  "cannot unmarshal",
		`[]x`: "after the list",
		`[{"rule":"R1.","title":"a","section":"b","text":"c"}]`: `"R1.", which is not of the form`,
		`[{"rule":"R1.1","title":"a","section":"b"}]`:           "R1.1 lacks",
		`[{"rule":"R1.1","titel":"a"}]`:                         `unknown field "titel"`,
		`[{"rule":"R1.1","title":"a","section":"b","text":"c"},{"rule":"R1.1","title":"a","section":"b","text":"c"}]`: "R1.1 comes twice",
	} {
		if _, err := Rules([]byte(data)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want %q", data, err, want)
		}
	}
}

func TestRulings(t *testing.T) {
	got := Rulings("# Rulings\n\nHow to read.\n\n## Q3. May one pass?\n\nYes,\nalways. `TestPass`\n\n## R-07 The deck\nNo.\n\n# Others\nmore\n\n## " +
		"Ruling 12 Ties\nThey stand.\n")
	want := []Rule{
		{"Q3", "May one pass?", "ruling", "Yes, always. `TestPass`"},
		{"R-07", "The deck", "ruling", "No."},
		{"Ruling 12", "Ties", "ruling", "They stand."},
	}
	if !slices.Equal(got, want) {
		t.Errorf("rulings %q, want %q", got, want)
	}
}
