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
	"powderkeg/engine/enginetest"
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

// A folder that is broken in many ways is told all of them, each in one line that says where
// and what would be right.
func TestBrokenEditions(t *testing.T) {
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for name, c := range map[string]struct {
		file, old, new string
		want           []string
	}{
		"a missing card": {"cards.json", `"key": "dragoon"`, `"key": "dragon"`,
			[]string{"cards: dragoon is missing", "cards: dragon (line 77) is not in the game"}},
		"a card twice": {"cards.json", `"key": "dragoon"`, `"key": "explorer"`,
			[]string{"cards: explorer comes twice", "cards: dragoon is missing"}},
		"a key twice": {"cards.json", `"copies": 5,`, `"copies": 5, "copies": 6,`,
			[]string{`cards.json: line 50: the key "copies" comes twice in one object`}},
		"a number too large": {"cards.json", `"strength": 3,`, `"strength": 300,`,
			[]string{"cards.json line 51: cards[guardian_angel].strength is 300, want a whole number from 0 to 10"}},
		"a negative number": {"cards.json", `"copies": 5,`, `"copies": -5,`, []string{"copies is -5, want a whole number from 1 to 13"}},
		"a huge number":     {"cards.json", `"copies": 5,`, `"copies": 1e400,`, []string{"copies is 1e400, want a whole number from 1 to 13"}},
		"a wrong type": {"cards.json", `"morale": 2,`, `"morale": "two",`,
			[]string{`cards[guardian_angel].morale is "two", want a whole number from 0 to 10`}},
		"a missing field":  {"cards.json", `"morale": 2,`, ``, []string{"cards[guardian_angel].morale is missing"}},
		"an unknown field": {"cards.json", `"morale": 2,`, `"morale": 2, "moral": 2,`, []string{`cards[guardian_angel] has no field "moral"`}},
		"a printed value": {"setup.json", `"value": 7,`, `"value": 8,`,
			[]string{"parameters[hand_size].value is 8, want 7: it is not among what an owner may replace"}},
		"an unknown mark": {"cards.json", `["copies", "strength", "morale"]`, `["copies", "strenght"]`,
			[]string{`cards[guardian_angel].reconstructed names "strenght"; the fields of it that can be are copies, strength, morale`}},
		"marks that are none": {"cards.json", `["copies", "strength", "morale"]`, `true`,
			[]string{"cards[guardian_angel].reconstructed is true, want a list of names of fields"}},
		"a sum": {"cards.json", `"copies": 5,`, `"copies": 6,`,
			[]string{"cards.json, faction guards: its cards add up to 41 copies, want 40", "total_strength in factions.json), want 123",
				"total_morale in factions.json), want 64"}},
		"nested too deeply": {"cards.json", `"morale": 2,`, `"morale": ` + deep + `,`, []string{"cards.json: line 52: nested more than 24 deep"}},
		"cut off":           {"cards.json", `"cards": [`, `"cards": [` + "\x00", []string{"cards.json: line 43: invalid character '\\x00'"}},
		"text behind":       {"setup.json", "\n}\n", "\n}\n{}", []string{"text behind the end"}},
		"a list for a file": {"setup.json", "", "[]", []string{"setup.json line 1: the file is a list, want an object"}},
		"nothing":           {"setup.json", "", " ", []string{"setup.json: line 1: it ends in the middle"}},
		"another game's cards": {"cards.json", "", string(files(t, "domination")["cards.json"]),
			[]string{"and 32 more are missing", "and 22 more are not in the game", `the file has no field "terms"`}},
	} {
		m := files(t, "jogu")
		text := strings.Replace(string(m[c.file]), c.old, c.new, 1)
		if c.old == "" {
			text = c.new
		}
		m[c.file] = []byte(text)
		told(t, name, m, c.want...)
	}
}

// told demands that an edition is refused, with faults of one line that say these things.
func told(t *testing.T, name string, files map[string][]byte, want ...string) {
	t.Helper()
	e, report, err := games.Edition(files)
	if err != nil || e != nil {
		t.Errorf("%s: error %v, an edition %t", name, err, e != nil)
	}
	all := strings.Join(report.Faults, "\n")
	for _, fault := range report.Faults {
		if !strings.Contains(fault, ".json") {
			t.Errorf("%s: %q names no file", name, fault)
		}
	}
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("%s: the faults are\n%s\nwant %s", name, all, w)
		}
	}
	if len(report.Faults) > 14 || strings.Count(all, "\n") != len(report.Faults)-1 {
		t.Errorf("%s: %d faults, want one line each:\n%s", name, len(report.Faults), all)
	}
}

// What breaks an invariant of a card is said with its file, and so are numbers in lists that
// only the loader reads.
func TestFaultsNameTheirFile(t *testing.T) {
	filter := func(status ...any) any {
		return []any{map[string]any{"op": "if", "cond": map[string]any{"any_of": []any{"san_francisco_city"}, "filter": map[string]any{"status": status}},
			"then": []any{map[string]any{"op": "money", "side": "federal", "sign": "+", "amount": 1}}}}
	}
	for _, bad := range []any{1.5, -0.5, -1, 4, 3.999, "order", nil, true} {
		m := enginetest.EditionFiles(t, "insurgency", enginetest.Set{File: "event_cards", At: "cards[29].effect", Value: filter(bad)})
		told(t, "a status", m, "event_cards.json", "it must be one of 0 to 3 or \"unmarked\"")
	}
	m := enginetest.EditionFiles(t, "insurgency", enginetest.Set{File: "event_cards", At: "cards[1].text", Value: "It has no end"})
	told(t, "a text", m, "event_cards.json, card 1: ")
	m = enginetest.EditionFiles(t, "jogu", enginetest.Set{File: "cards", At: "cards[dragoon].morale", Value: 3})
	told(t, "a sum", m, "cards.json, faction guards: its cards add up to ")
}

// Faults in several files and records are told at once, and do not hide each other.
func TestFaultsStandTogether(t *testing.T) {
	m := enginetest.EditionFiles(t, "insurgency",
		enginetest.Set{File: "event_cards", At: "cards[1].effect", Value: []any{map[string]any{"op": "fly"}}},
		enginetest.Set{File: "event_cards", At: "cards[2].ops", Value: 4},
		enginetest.Set{File: "event_cards", At: "cards[3].effect", Value: []any{map[string]any{"op": "sm_move", "max": 300, "by": "owner"}}},
		enginetest.Set{File: "event_cards", At: "cards[4].effect", Value: []any{map[string]any{"op": "test"}}},
		enginetest.Set{File: "story_cards", At: "cards[1].vf", Value: 11},
		enginetest.Set{File: "map", At: "spaces[mesa].terrain", Value: "swamp"},
		enginetest.Set{File: "map", At: "spaces[texas].adjacent", Value: []any{"atlantis"}},
		enginetest.Set{File: "tables", At: "random_region_d20.rows[1].hi", Value: 3},
	)
	delete(m, "presets.json")
	m["monsters.json"] = []byte("{}")
	told(t, "ten faults", m,
		`unknown op "fly"`, "cards[2].ops is 4, want a whole number from 1 to 3",
		"want a whole number from 0 to 255", "event_cards.json, card 4: test lacks at", "cards[1].vf is 11, want a whole number from 1 to 10",
		`spaces[mesa].terrain is "swamp", want one of mountain, forest, desert, open`, `spaces[texas]: texas: unknown space "atlantis"`,
		"random_region_d20: a row covers 3 to 4, want it to begin at 4", "presets.json: it is missing", "monsters.json: insurgency has no such data file",
	)
}

func TestManifestIsChecked(t *testing.T) {
	for text, want := range map[string]string{
		`{"format": 1, "game": "jogu", "rules": 1}`:            "it was made for version 1 of the rules of jogu, this program has version 2",
		`{"format": 2, "game": "jogu", "rules": 2}`:            "its format is 2, this program reads format 1",
		`{"format": 1, "game": "chess", "rules": 2}`:           `unknown game "chess"; games with editions: jogu, bloc, domination, insurgency, minuteman`,
		`{"format": 1, "game": "kuhn", "rules": 1}`:            "kuhn has no editions",
		`{"format": 1, "game": "jogu", "rules": 2, "name": 1}`: `unknown field "name"`,
		`{"format": "1"}`: "format is string, want a whole number", `nonsense`: "line 1: invalid character",
	} {
		m := files(t, "jogu")
		m[edition.ManifestName] = []byte(text)
		if e, _, err := games.Edition(m); e != nil || err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	m := files(t, "jogu")
	delete(m, edition.ManifestName)
	if _, _, err := games.Edition(m); err == nil || !strings.HasPrefix(err.Error(), "edition.json is missing") {
		t.Errorf("without edition.json: %v", err)
	}
}
