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
// least so many rulings, a heading each; every one names tests of the folder, or
// scripts in its testdata, that exist; and its number is cited where the code or the
// data carries it out and in a test or a script.
func Rulings(t *testing.T, least int) {
	t.Helper()
	text := read(t, "RULINGS.md")
	code, tests := sources(t)
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
				if !strings.Contains(tests, "func "+pin[1]+"(") {
					t.Errorf("%s names %s, which does not exist", id, pin[1])
				}
			} else if _, err := os.Stat("testdata/" + pin[1] + ".json"); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
		cited := regexp.MustCompile(`\b` + regexp.QuoteMeta(id) + `\b`)
		if !cited.MatchString(code) {
			t.Errorf("%s is cited nowhere in the code and the data", id)
		}
		if !cited.MatchString(tests) {
			t.Errorf("%s is cited in no test and no script", id)
		}
	}
}

// sources returns the code and the data of the folder, and its tests and scripts, those
// of package games among them.
func sources(t *testing.T) (code, tests string) {
	t.Helper()
	var in, out strings.Builder
	for _, pattern := range []string{"*.go", "data/*.json", "testdata/*/*.json", "../games/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			switch {
			case strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "testdata"):
				out.WriteString(read(t, name))
			case filepath.Base(name) != "rules.json":
				in.WriteString(read(t, name))
			}
		}
	}
	return in.String(), out.String()
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
