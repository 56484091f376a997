package games_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/edition"
	"powderkeg/engine/games"
)

// families returns the games that have editions.
func families(t *testing.T) engine.Families {
	t.Helper()
	list := slices.DeleteFunc(games.Families(), func(f engine.Family) bool { return f.Data == nil })
	if len(list) < 1 {
		t.Fatalf("%d games have editions", len(list))
	}
	return list
}

func files(t *testing.T, name string) map[string][]byte {
	t.Helper()
	f, err := games.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := edition.Files(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// An edition as it is written has no faults, every field that can be replaced is marked, and
// it plays as the shipped game does.
func TestNewEditionIsTheShippedGame(t *testing.T) {
	for _, f := range families(t) {
		m := files(t, f.Name)
		e, report, err := games.Edition(m)
		if err != nil || e == nil {
			t.Errorf("%s: %v, %q", f.Name, err, report.Faults)
			continue
		}
		for _, c := range report.Files {
			if c.Open == 0 || c.Left != c.Open || c.Changed != 0 {
				t.Errorf("%s: %+v, want all marked and none changed", f.Name, c)
			}
			t.Logf("%s: %+v", f.Name, c)
		}
		g, err := e.New(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%s(edition=%s)", f.Name, e.Digest); g.Spec().Text != want || !edition.IsDigest(e.Digest) {
			t.Errorf("the edition is called %s, want %s", g.Spec().Text, want)
		}
		shipped, err := games.New(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(g.Spec().Actions, shipped.Spec().Actions) || g.New().Hash() != shipped.New().Hash() || g.Spec().Version != f.Data.Version {
			t.Errorf("%s: the edition is not played as the shipped game", f.Name)
		}
		if list := string(m[edition.ListName]); !strings.Contains(list, "____") || strings.Contains(list, "\n\n\n") {
			t.Errorf("%s: the check-list has no blanks, or empty sections", f.Name)
		}
	}
}

// The digest tells editions apart by what is played, not by how the files are written.
func TestDigest(t *testing.T) {
	m := files(t, "jogu")
	e, _, err := games.Edition(m)
	if err != nil {
		t.Fatal(err)
	}
	written := maps.Clone(m)
	text := strings.ReplaceAll(string(m["cards.json"]), "\n", "\n  ")
	text = strings.Replace(text, `"reconstructed": ["copies", "strength", "morale"],`, `"reconstructed": ["copies"],`, 1)
	written["cards.json"] = []byte(strings.Replace(text, `"why": "Names`, `"why": "Looked up. Names`, 1))
	same, report, err := games.Edition(written)
	if err != nil || same == nil || same.Digest != e.Digest || report.Files[0].Left != report.Files[0].Open-2 {
		t.Errorf("%+v, %v: confirmed fields and other spaces are not another edition", report, err)
	}
	changed := maps.Clone(m)
	changed["cards.json"] = bytes.Replace(m["cards.json"], []byte(`"morale": 2,`), []byte(`"morale": 1,`), 1)
	changed["factions.json"] = bytes.Replace(m["factions.json"], []byte(`"total_morale": 64`), []byte(`"total_morale": 59`), 1)
	other, report, err := games.Edition(changed)
	if err != nil || other == nil || other.Digest == e.Digest {
		t.Errorf("%+v, %v: another value is another edition", report, err)
	}
}
