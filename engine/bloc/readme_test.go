package bloc_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
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
	if n := reflect.TypeOf(bloc.PlainPosition).Size(); n != 1448 {
		t.Errorf("a position has %d bytes", n)
	}
}

// Every rule of the specification is listed with a title of its own.
func TestRuleList(t *testing.T) {
	data, err := os.ReadFile("data/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	var rules []struct{ Rule, Title string }
	if err := json.Unmarshal(data, &rules); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if r.Title == "" || seen[r.Rule] {
			t.Errorf("rule %s has no title or comes twice", r.Rule)
		}
		seen[r.Rule] = true
	}
	if len(rules) != 80 {
		t.Errorf("%d rules, the specification has 80", len(rules))
	}
}

// Every ruling names the tests that pin it, and they exist.
func TestRulingsArePinned(t *testing.T) {
	text, err := os.ReadFile("RULINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, file := range []string{"rulebook_test.go", "hidden_test.go", "slow_test.go", "slow_menu_test.go", "standin_test.go", "bloc_test.go", "position_test.go"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(data)
	}
	rulings := regexp.MustCompile(`(?m)^## (Ruling \d+|R-\d+) `).FindAllStringSubmatchIndex(string(text), -1)
	if len(rulings) < 41 {
		t.Errorf("%d rulings, the specification has 33 and the engine eight of its own", len(rulings))
	}
	name := regexp.MustCompile("`(Test\\w+|(?:vectors|rules)/[\\w.]+)`")
	for i, at := range rulings {
		end := len(text)
		if i+1 < len(rulings) {
			end = rulings[i+1][0]
		}
		id := string(text[at[2]:at[3]])
		tests := name.FindAllStringSubmatch(string(text[at[0]:end]), -1)
		if len(tests) == 0 {
			t.Errorf("%s names no test", id)
		}
		for _, m := range tests {
			if strings.HasPrefix(m[1], "Test") {
				if !strings.Contains(code.String(), "func "+m[1]+"(") {
					t.Errorf("%s names %s, which does not exist", id, m[1])
				}
			} else if _, err := os.Stat("testdata/" + m[1] + ".json"); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}
