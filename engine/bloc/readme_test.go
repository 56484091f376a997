package bloc_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

func TestReadme(t *testing.T) { enginetest.Readme(t, enginetest.Game(t, "bloc")) }

// What README.md says beside its table.
func TestReadmeSizes(t *testing.T) {
	if n := enginetest.Game(t, "bloc(scenario=occupy_everything)").Spec().MaxDecisions; n != 48004 {
		t.Errorf("with 6 nights at most %d decisions", n)
	}
	if n := reflect.TypeOf(bloc.PlainPosition).Size(); n != 1520 {
		t.Errorf("a position has %d bytes", n)
	}
}

// Every rule of the specification is listed with a title of its own, the section of the
// rulebook and one sentence in our own words.
func TestRuleList(t *testing.T) {
	data, err := os.ReadFile("data/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	var rules []struct{ Rule, Title, Section, Text string }
	if err := json.Unmarshal(data, &rules); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if r.Title == "" || r.Section == "" || seen[r.Rule] || seen[r.Text] {
			t.Errorf("rule %s has no title or section, or comes twice", r.Rule)
		}
		if len(r.Text) < 40 || r.Text[0] < 'A' || r.Text[0] > 'Z' || !strings.HasSuffix(r.Text, ".") {
			t.Errorf("rule %s: %q is no sentence", r.Rule, r.Text)
		}
		seen[r.Rule], seen[r.Text] = true, true
	}
	if len(rules) != 84 {
		t.Errorf("%d rules, the specification has 84", len(rules))
	}
}

// Every ruling names the tests that pin it, and they exist.
func TestRulingsArePinned(t *testing.T) { enginetest.Rulings(t, 47) }
