package jogu_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"powderkeg/engine/enginetest"
)

// The table of the specification in README.md is generated from Spec.
func TestReadmeSpecification(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("<!-- spec -->\n| | base game | with the expansion |\n|---|---|---|\n")
	base, all := game(t, "jogu").Spec(), game(t, "jogu(expansion=true)").Spec()
	for _, row := range []struct {
		name string
		a, b any
	}{
		{"seats", base.Seats, all.Seats},
		{"actions", len(base.Actions), len(all.Actions)},
		{"chance outcomes", len(base.Outcomes), len(all.Outcomes)},
		{"decisions at most", base.MaxDecisions, all.MaxDecisions},
		{"decisions and chance events at most", base.MaxMoves, all.MaxMoves},
		{"returns", fmt.Sprintf("%g to %g", base.MinReturn, base.MaxReturn), fmt.Sprintf("%g to %g", all.MinReturn, all.MaxReturn)},
		{"payoff", base.Payoff, all.Payoff},
		{"rules version", base.Version, all.Version},
	} {
		fmt.Fprintf(&b, "| %s | %v | %v |\n", row.name, row.a, row.b)
	}
	b.WriteString("<!-- /spec -->")
	table := regexp.MustCompile(`(?s)<!-- spec -->.*<!-- /spec -->`)
	enginetest.Golden(t, "README.md", table.ReplaceAllLiteralString(string(text), b.String()))
}

// Whole games, for reading the diff when behaviour changes.
func TestPlaythroughs(t *testing.T) {
	for name, text := range map[string]string{
		"engineers_agents": "jogu(first=engineers,second=agents)",
		"mibits_wu":        "jogu(first=mibits,second=wu)",
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Golden(t, "testdata/playthroughs/"+name+".txt", enginetest.Playthrough(game(t, text), 1))
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
