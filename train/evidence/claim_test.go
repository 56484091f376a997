package evidence

import (
	"reflect"
	"testing"
)

// What a reader takes for a measurement is one, and nothing else is.
func TestClaims(t *testing.T) {
	for text, want := range map[string][]string{
		"it wins 67.3% [65.9, 68.7] of the games": {"67.3% [65.9, 68.7]"},
		"**84.8%** [83.7, 85.8]":                  {"84.8%** [83.7, 85.8]"},
		"a return of -0.838 [-0.852, -0.824]":     {"-0.838 [-0.852, -0.824]"},
		"+0.363 ± 0.019":                          {"+0.363 ± 0.019"},
		"44.4 and 44.8%":                          {"44.4%", "44.8%"},
		"36.8, 49.6 and 39.6%":                    {"36.8%", "49.6%", "39.6%"},
		"70% as seat 0 and 67.7%":                 {"70%", "67.7%"},
		"of 8,000 and 12.7%":                      {"12.7%"},
		"2.01 M (2.00, 2.02)":                     {"2.01 M (2.00, 2.02)"},
		"61.3 k samples/s":                        {"61.3 k samples/s"},
		"four\nminutes of self-play":              {"four\nminutes"},
		"in 4 ms, or 1.8 min":                     {"4 ms", "1.8 min"},
		"two million decisions per second":        {"two million decisions per second"},
		"tens of millions of moves per second":    {"tens of millions of moves per second"},
		"a hundred times as fast":                 {"a hundred times as"},
		"14 points more, 1.6 times":               {"14 points", "1.6 times"},
		"leave 0.1 chips":                         {"0.1"},
		// What names something, or was set.
		"Go 1.26, PyTorch 1.13, arXiv 2004.09677, 2026-11-23": nil,
		"95% intervals; intervals are 95%":                    nil,
		"`--temperature 0.6` at a temperature of 0.6":         nil,
		"85 M decisions, 2.4 M games, 0.9 MB, 2.5 M (twice)":  nil,
		"[0.5](reports/0.5.md#1.5)":                           {"0.5"},
		"report [0012](../reports/0012-jogu-zoo.md)":          nil,
		"<!-- 0.5 --> ![0.5](0.5.png)":                        nil,
	} {
		var got []string
		for _, c := range claims(plain(text)) {
			got = append(got, c.text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
