package human_test

import (
	"context"
	"strings"
	"testing"

	"powderkeg/agents/human"
	"powderkeg/agents/random"
	"powderkeg/engine/enginetest"
)

// Where things are picked in the order of the list, so that a set is picked in one way, this
// is said once it matters, and nowhere else.
func TestOrderOfPicks(t *testing.T) {
	const told = "Things are picked in the order of the list: what stands before "
	for _, c := range []struct {
		name, game, in string
		times          int
	}{
		{"a place in the middle", "domination(first_player=0)", "build_with\nbuild_at mex\nquit\n", 1},
		{"the first of the list leaves nothing out", "domination(first_player=0)", "build_with\nbuild_at can\nquit\n", 0},
		{"taken back", "domination(first_player=0)", "build_with\nbuild_at mex\nundo\nquit\n", 1},
		{"another question", "domination(first_player=0)", "build_with\nquit\n", 0},
		{"columns are dropped in at will", "connect4", "4\n3\nquit\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			g := enginetest.Game(t, c.game)
			err := human.Session{
				Game: g, Seats: []human.Seat{{Name: "you"}, {Name: "random", Agent: random.New()}}, Seed: 1, Practice: true, In: strings.NewReader(c.in),
				Out: &out,
			}.Play(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(out.String(), told); got != c.times {
				t.Errorf("the order is told %d times, want %d:\n%s", got, c.times, out.String())
			}
		})
	}
}
