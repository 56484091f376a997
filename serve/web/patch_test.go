package web

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/drawing"
)

// laid lays pieces over a drawing, as the page does.
func laid(before string, pieces []Piece) string {
	old := strings.Split(before, "\n")
	var lines []string
	for _, p := range pieces {
		if p.Count > 0 {
			lines = append(lines, old[p.From:p.From+p.Count]...)
		} else {
			lines = append(lines, p.Text)
		}
	}
	return strings.Join(lines, "\n")
}

func TestPatch(t *testing.T) {
	for _, c := range []struct {
		before, after string
		pieces        int // 0 for none: the drawing itself is as short
	}{
		{"", "a drawing", 0},
		{"<svg>\n" + strings.Repeat("line\n", 20) + "end", "<svg>\n" + strings.Repeat("line\n", 20) + "end", 1},
		{strings.Repeat("a long line\n", 9) + "x\n" + strings.Repeat("more\n", 9), strings.Repeat("a long line\n", 9) + "y\n\nz\n" + strings.Repeat("more\n", 9), 3},
	} {
		got := patch(c.before, c.after)
		if c.pieces == 0 && got != nil || c.pieces > 0 && laid(c.before, got) != c.after {
			t.Errorf("%q after %q: %+v", c.after, c.before, got)
		}
	}
}

// A drawing of a game is always the one before with its pieces laid over it, and of a large
// game these are far less.
func TestPatchesOfGames(t *testing.T) {
	for _, name := range []string{"minuteman", "insurgency", "bloc", "jogu"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		rng, s, before, whole, parts := rand.NewPCG(1, 2), g.New(), "", 0, 0
		for n := 0; n < 300 && s.ToAct() != engine.Terminal; n++ {
			if s.ToAct() >= 0 {
				svg, err := drawing.Draw(g, engine.Look(s, s.ToAct()))
				if err != nil {
					t.Fatal(err)
				}
				after := string(svg)
				pieces := patch(before, after)
				if pieces == nil {
					parts += len(after)
				} else if data, err := json.Marshal(pieces); err != nil || laid(before, pieces) != after {
					t.Fatalf("%s, move %d: the pieces do not make the drawing: %v", name, n, err)
				} else {
					parts += len(data)
				}
				whole, before = whole+len(after), after
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: %d KB of %d KB", name, parts>>10, whole>>10)
		if parts > whole*2/3 {
			t.Errorf("%s: the pieces are %d bytes of %d", name, parts, whole)
		}
	}
}
