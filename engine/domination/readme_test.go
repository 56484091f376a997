package domination_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

func TestReadme(t *testing.T) { enginetest.Readme(t, enginetest.Game(t, "domination")) }

// What README.md says beside its table.
func TestReadmeSizes(t *testing.T) {
	if s := enginetest.Game(t, "domination(players=6)").Spec(); s.MaxDecisions != 37044 {
		t.Errorf("with six players at most %d decisions", s.MaxDecisions)
	}
	if n := reflect.TypeOf(domination.PlainPosition).Size(); n != 984 {
		t.Errorf("a position has %d bytes", n)
	}
}

// Whole games, for reading the diff when behaviour changes. Short ones, since every
// situation is written out.
func TestPlaythroughs(t *testing.T) {
	for name, text := range map[string]string{
		"two_players":   "domination(turns=3)",
		"three_players": "domination(players=3,turns=2,fixed_pool=" + fixedPool + ")",
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
	for _, pattern := range []string{"rulebook_test.go", "hidden_test.go", "data_test.go", "position_test.go", "domination_test.go", "../games/games_test.go"} {
		data, err := os.ReadFile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(data)
	}
	rulings := regexp.MustCompile(`(?m)^## (Q\d+|R-\d+) `).FindAllStringSubmatchIndex(string(text), -1)
	if len(rulings) < 44 {
		t.Errorf("%d rulings, the specification has 44", len(rulings))
	}
	name := regexp.MustCompile("`(Test\\w+|(?:vectors|rules)/[\\w.-]+)`")
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
