package jogu_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/jogu"
)

func TestReadme(t *testing.T) { enginetest.Readme(t, enginetest.Game(t, "jogu")) }

// What README.md says beside its table.
func TestReadmeSizes(t *testing.T) {
	s := enginetest.Game(t, "jogu(expansion=true)").Spec()
	if len(s.Actions) != 48 || len(s.Outcomes) != 87 || s.MaxDecisions != 6000 {
		t.Errorf("with the expansion %d actions, %d outcomes, %d decisions", len(s.Actions), len(s.Outcomes), s.MaxDecisions)
	}
	if n := reflect.TypeOf(jogu.PlainPosition).Size(); n != 520 {
		t.Errorf("a position has %d bytes", n)
	}
}

// Whole games, for reading the diff when behaviour changes.
func TestPlaythroughs(t *testing.T) {
	for name, text := range map[string]string{
		"engineers_agents": "jogu(first=engineers,second=agents)",
		"mibits_wu":        "jogu(first=mibits,second=wu)",
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Golden(t, "testdata/playthroughs/"+name+".txt", enginetest.Playthrough(enginetest.Game(t, text), 1))
		})
	}
}

// Every ruling names the tests that pin it, and they exist.
func TestRulingsArePinned(t *testing.T) {
	text, err := os.ReadFile("RULINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, pattern := range []string{"rulebook_test.go", "hidden_test.go", "data_test.go", "position_test.go", "slow_test.go", "slow_play_test.go", "jogu_test.go"} {
		data, err := os.ReadFile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(data)
	}
	rulings := regexp.MustCompile(`(?m)^## (Q\d+|R-\d+) `).FindAllStringSubmatchIndex(string(text), -1)
	if len(rulings) < 34 {
		t.Errorf("%d rulings, the specification has 34", len(rulings))
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
