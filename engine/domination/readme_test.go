package domination_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

// README.md and its table, under the working title (Q1).
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

// Every ruling names the tests that pin it, and they exist; it is cited where it is carried
// out, and in a test or a script.
func TestRulingsArePinned(t *testing.T) {
	enginetest.Rulings(t, 53)
	text, err := os.ReadFile("RULINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	code, tests := citedRulings(t)
	for _, m := range regexp.MustCompile(`(?m)^## (Q\d+|R-\d+) `).FindAllStringSubmatch(string(text), -1) {
		if !code[m[1]] || !tests[m[1]] {
			t.Errorf("%s is cited in the code: %v, in a test: %v", m[1], code[m[1]], tests[m[1]])
		}
	}
}

// citedRulings returns the rulings that code and that tests and scripts cite.
func citedRulings(t *testing.T) (code, tests map[string]bool) {
	t.Helper()
	code, tests = map[string]bool{}, map[string]bool{}
	for _, pattern := range []string{"*.go", "testdata/*/*.json"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			into := tests
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				into = code
			}
			for _, id := range regexp.MustCompile(`\b(Q\d+|R-\d+)\b`).FindAllString(string(data), -1) {
				into[id] = true
			}
		}
	}
	return code, tests
}
