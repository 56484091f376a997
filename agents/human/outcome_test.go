package human

import (
	"strings"
	"testing"

	"powderkeg/engine"
)

// TestOutcomeSaysWhoHasWon for every kind of payoff: a loss of all is no draw.
func TestOutcomeSaysWhoHasWon(t *testing.T) {
	names := []string{"you", "bot", "bot"}
	for _, c := range []struct {
		payoff  engine.Payoff
		least   float32
		returns []float32
		want    string
	}{
		{engine.ZeroSum, -1, []float32{1, -1}, "seat 0 (you) wins."},
		{engine.ZeroSum, -1, []float32{0, 0}, "a draw between seat 0 (you) and seat 1 (bot)."},
		{engine.GeneralSum, 0, []float32{0, 0.5, 0.5}, "seat 1 (bot) and seat 2 (bot) share the win."},
		{engine.GeneralSum, 0, []float32{0, 0, 0}, "nobody wins."},
		{engine.Cooperative, -1, []float32{1, 1, 1}, "all win together."},
		{engine.Cooperative, -1, []float32{-1, -1, -1}, "nobody wins."},
	} {
		got := outcome(&engine.Spec{Payoff: c.payoff, MinReturn: c.least, MaxReturn: 1}, names, c.returns)
		if line, _, _ := strings.Cut(got, "\n"); line != "Game over: "+c.want {
			t.Errorf("%s, returns %v: %q, want %q", c.payoff, c.returns, line, c.want)
		}
	}
}
