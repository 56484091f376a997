package human_test

import (
	"context"
	"strings"
	"testing"

	"powderkeg/agents/human"
	"powderkeg/agents/random"
	"powderkeg/engine/enginetest"
)

// TestWatching watches agents play, at the pace that is asked for.
func TestWatching(t *testing.T) {
	const prompt = "Enter for the next move"
	for _, c := range []struct {
		game, in     string
		prompts      int
		said, unsaid string
	}{
		{"connect4", "\n\nquit\n", 3, "Seat 1: drop", "Game over"},
		{"connect4", "3\nquit\n", 2, "Seat 0: drop", "Game over"},
		{"connect4", "end\n", 1, "Game over", "?"},
		{"connect4", "", 1, "Game over", "undecided"},
		{"connect4", "show\nwhat\nquit\n", 3, " 1 2 3 4 5 6 7", "Game over"},
		{"kuhn", "end\n", 1, "Seat 1 is dealt ", "a card"},
		{"jogu", "turn\nquit\n", 2, "\n== Round 2 of 7 begins", "Round 3 of 7"},
	} {
		g := enginetest.Game(t, c.game)
		var out strings.Builder
		err := human.Session{
			Game: g, Seats: []human.Seat{{Name: "a", Agent: random.New()}, {Name: "b", Agent: random.New()}}, Seed: 1,
			In: strings.NewReader(c.in), Out: &out,
		}.Play(context.Background())
		said := strings.ReplaceAll(out.String(), "? for help", "")
		if n := strings.Count(said, prompt); err != nil || n != c.prompts || !strings.Contains(said, c.said) || strings.Contains(said, c.unsaid) {
			t.Errorf("%s, %q: error %v, %d prompts, want %d, %q and not %q:\n%s", c.game, c.in, err, n, c.prompts, c.said, c.unsaid, out.String())
		}
	}
}
