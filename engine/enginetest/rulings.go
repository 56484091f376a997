package enginetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	rulingHeading = regexp.MustCompile(`(?m)^## (Q\d+|R-\d+|Ruling \d+) `)
	rulingPin     = regexp.MustCompile("`(Test\\w+|(?:vectors|rules|cards)/[\\w.-]+)`")
)

// Rulings checks RULINGS.md of the game in whose folder the test runs: it has at
// least so many rulings, a heading each, and every one names tests of the folder, or
// scripts in its testdata, that exist.
func Rulings(t *testing.T, least int) {
	t.Helper()
	text := read(t, "RULINGS.md")
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, name := range append(files, "../games/games_test.go") {
		tests.WriteString(read(t, name))
	}
	rulings := rulingHeading.FindAllStringSubmatchIndex(text, -1)
	if len(rulings) < least {
		t.Errorf("%d rulings, want at least %d", len(rulings), least)
	}
	for i, at := range rulings {
		end := len(text)
		if i+1 < len(rulings) {
			end = rulings[i+1][0]
		}
		id, pins := text[at[2]:at[3]], rulingPin.FindAllStringSubmatch(text[at[0]:end], -1)
		if len(pins) == 0 {
			t.Errorf("%s names no test", id)
		}
		for _, pin := range pins {
			if strings.HasPrefix(pin[1], "Test") {
				if !strings.Contains(tests.String(), "func "+pin[1]+"(") {
					t.Errorf("%s names %s, which does not exist", id, pin[1])
				}
			} else if _, err := os.Stat("testdata/" + pin[1] + ".json"); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
