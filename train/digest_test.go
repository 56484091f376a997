package train

import (
	"reflect"
	"testing"
)

// The digest is of what is set, not of how it is written down.
func TestDigest(t *testing.T) {
	parse := func(text string) string {
		t.Helper()
		c, err := ParseConfig([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c.Digest()
	}
	base := parse("game: kuhn\nupdates: 100\n")
	for name, c := range map[string]struct {
		text string
		same bool
	}{
		"a comment and another order": {"# why\nupdates: 100\ngame: kuhn\n", true},
		"another seed":                {"game: kuhn\nupdates: 100\nseed: 9\n", true},
		"another length":              {"game: kuhn\nupdates: 101\n", false},
		"another game":                {"game: leduc\nupdates: 100\n", false},
		"another setting":             {"game: kuhn\nupdates: 100\nppo:\n  epochs: 9\n", false},
	} {
		if got := parse(c.text) == base; got != c.same {
			t.Errorf("%s: the digest is the same: %v, want %v", name, got, c.same)
		}
	}
	if full := filled(map[string]any{"a": 0, "b": "", "c": []any{}, "d": map[string]any{"e": false}, "f": 0.5}); !reflect.DeepEqual(full,
		map[string]any{"f": 0.5}) {
		t.Errorf("what is empty stays: %v", full)
	}
}
