package enginetest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/cited"
	"powderkeg/engine/enginetest/demand"
)

var (
	rulingHeading = regexp.MustCompile(`(?m)^## (Q\d+|R-\d+|Ruling \d+) `)
	rulingPin     = regexp.MustCompile("`(Test\\w+|(?:vectors|rules|cards)/[\\w.-]+)`")
)

// Rulings checks RULINGS.md of the game in whose folder the test runs: it has at
// least so many rulings, a heading each; every one names tests of the folder, or
// scripts in its testdata, that exist; and its number is cited where the code or the
// data carries it out and in a test that asserts something or a script that is run.
func Rulings(t testing.TB, least int) {
	t.Helper()
	demand.That(t, least > 0, "least is %d: it must be 1 or more, the rulings that there are", least)
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
				if !slices.ContainsFunc(tests, func(test cited.Test) bool { return test.Name == pin[1] }) {
					t.Errorf("%s names %s, which does not exist or asserts nothing", id, pin[1])
				}
			} else if _, err := os.Stat("testdata/" + pin[1] + ".json"); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
		number := regexp.MustCompile(`\b` + regexp.QuoteMeta(id) + `\b`)
		if !number.MatchString(code) {
			t.Errorf("%s is cited nowhere in the code and the data", id)
		}
		if !slices.ContainsFunc(tests, func(test cited.Test) bool { return number.MatchString(test.Text) }) {
			t.Errorf("%s is cited in no test that asserts something and no script that is run", id)
		}
	}
}

// sources returns the code and the data of the folder, and its tests and scripts, those
// of package games among them.
func sources(t testing.TB) (code string, tests []cited.Test) {
	t.Helper()
	var in strings.Builder
	for _, pattern := range []string{"*.go", "data/*.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if !strings.HasSuffix(name, "_test.go") && filepath.Base(name) != "rules.json" {
				in.WriteString(read(t, name))
			}
		}
	}
	for _, folder := range []string{".", "../games"} {
		found, err := cited.Tests(folder)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, found...)
	}
	return in.String(), tests
}

func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
