package minuteman_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/minuteman"
	"powderkeg/engine/ruledata"
)

func TestReadme(t *testing.T) {
	enginetest.Readme(t, enginetest.Game(t, "minuteman"))
}

// TestSizeOfAPosition keeps a copy cheap.
func TestSizeOfAPosition(t *testing.T) {
	const most = 4096
	n := unsafe.Sizeof(minuteman.PlainPosition)
	t.Logf("a position has %d bytes", n)
	if n > most {
		t.Errorf("a position has %d bytes, at most %d", n, most)
	}
}

func TestRulingsArePinned(t *testing.T) { enginetest.Rulings(t, 70) }

// TestRulingsAreCited demands that code and a test or script cite every ruling.
func TestRulingsAreCited(t *testing.T) {
	var code, tests strings.Builder
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		into := &code
		switch {
		case strings.HasSuffix(path, "_test.go"), strings.HasPrefix(path, "testdata") && strings.HasSuffix(path, ".json"):
			into = &tests
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		into.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range ruledata.Rulings(minuteman.Family.Rulings) {
		number := regexp.MustCompile(`\b` + regexp.QuoteMeta(r.Number) + `\b`)
		if !number.MatchString(code.String()) {
			t.Errorf("no code cites %s (%s)", r.Number, r.Title)
		}
		if !number.MatchString(tests.String()) {
			t.Errorf("no test cites %s (%s)", r.Number, r.Title)
		}
	}
}
