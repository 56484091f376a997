package human

import (
	"slices"
	"strings"
	"testing"
)

func TestChanges(t *testing.T) {
	before := "Round 1\n\n         money cards\nrebel     30     3\nfederal   20     4\n\nMap:\n 0 Park     1 Slum\n   public     poor\n   cop3\n 2 " +
		"Plaza\n   cop1\n\nhand:\n Fog\n Flag"
	for after, want := range map[string]string{
		before: "",
		strings.Replace(before, "30     3", "28     2", 1):        "         money cards\nrebel     28     2",
		strings.Replace(before, "cop3", "cop2", 1):                "Map:\n 0 Park     1 Slum\n   cop2",
		strings.Replace(before, "   cop1\n", "", 1):               "(gone) cop1",
		strings.Replace(before, " Fog\n", "", 1):                  "(gone) Fog",
		strings.Replace(before, " Fog\n Flag", " Gas\n Flag", 1):  "hand:\n Gas",
		strings.TrimSuffix(before, "\n Flag"):                     "(gone) Flag",
		strings.Replace(before, "Round 1", "Round 2\nLast: 3", 1): "Round 2\nLast: 3",
	} {
		if got := strings.Join(Changes(strings.Split(before, "\n"), strings.Split(after, "\n")), "\n"); got != want {
			t.Errorf("to\n%s\nthe changes are\n%s\nwant\n%s", after, got, want)
		}
	}
}

func TestCommon(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          []int
	}{
		{"abcd", "abcd", []int{0, 1, 2, 3}}, {"abcd", "xbd", []int{-1, 1, 3}}, {"", "ab", []int{-1, -1}},
		{"abab", "bb", []int{1, 3}}, {"abc", "", []int{}},
	} {
		got := common(strings.Split(c.before, ""), strings.Split(c.after, ""))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s and %s have %v in common, want %v", c.before, c.after, got, c.want)
		}
	}
}
