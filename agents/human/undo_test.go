package human_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"powderkeg/agents/human"
	"powderkeg/agents/random"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/replay"
)

// TestUndo takes moves back, and looks at what is said and at the replay.
func TestUndo(t *testing.T) {
	for _, c := range []struct {
		name, game, in string
		practice       bool
		said, begins   string
	}{
		{"none made", "domination(first_player=0)", "undo\nquit\n", false, "You have made no move that could be taken back.", ""},
		{"a step", "domination(first_player=0)", "build_with\nundo\ndiscard1\nquit\n", false,
			"You take back: BUILD_WITH Domination (build with Domination (3 points)).", "DISCARD1 Domination"},
		{"two steps", "domination(first_player=0)", "build_with\nbuild_at can\nundo\nundo\nundo\nbuild_with\nbuild_at usa\nquit\n", false,
			"You have made no move", "BUILD_WITH Domination BUILD_AT USA"},
		{"another decided", "connect4", "4\nundo\nquit\n", false, "Another seat has decided since", "column_4"},
		{"in practice", "connect4", "4\nundo\n3\nquit\n", true, "You take back: column_4 (drop x into column 4).", "column_3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := enginetest.Game(t, c.game)
			var out strings.Builder
			var data []byte
			err := human.Session{
				Game: g, Seats: []human.Seat{{Name: "you"}, {Name: "random", Agent: random.New()}}, Seed: 1, Practice: c.practice,
				In: strings.NewReader(c.in + "file\n"), Out: &out,
				Save: func(_ string, d []byte) error { data = d; return nil },
			}.Play(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), c.said) {
				t.Errorf("%q is not said:\n%s", c.said, out.String())
			}
			if c.begins == "" {
				return
			}
			var record replay.Record
			if err := json.Unmarshal(data, &record); err != nil {
				t.Fatalf("no replay: %v", err)
			}
			var own []string
			if _, err := replay.Play(g, &record, func(s engine.State, a engine.Action) {
				if s.ToAct() == 0 {
					own = append(own, engine.MoveName(g, s, a))
				}
			}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(own, " "); !strings.HasPrefix(got, c.begins) {
				t.Errorf("the replay has the moves %q, want %q", got, c.begins)
			}
		})
	}
}
