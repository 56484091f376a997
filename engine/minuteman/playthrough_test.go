package minuteman_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/minuteman"
)

// TestPlaythroughs pins whole games: every move, now and then the text that the seat
// to act reads with all that it may do, and for each Game-Turn a digest of every
// position and choice in it. A Revolution is declared now and then only, so that
// the games are long.
func TestPlaythroughs(t *testing.T) {
	for name, x := range map[string]struct {
		game string
		seed uint64
	}{
		"basic":    {"minuteman", 3},
		"partisan": {"minuteman(scenario=partisan)", 2},
		"four":     {"minuteman(players=4)", 5},
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Golden(t, "testdata/playthroughs/"+name+".txt", playthrough(t, enginetest.Game(t, x.game), x.seed))
		})
	}
}

// playthrough plays one random game and writes it down, the text at every 150th ply.
func playthrough(t *testing.T, g engine.Game, seed uint64) string {
	t.Helper()
	const between, seldom = 150, 60
	s, rng := g.New().(*minuteman.State), rand.NewPCG(seed, 2)
	digest := fnv.New64a()
	var b strings.Builder
	fmt.Fprintf(&b, "game %s, rules version %d, seed %d\n", g.Spec().Text, g.Spec().Version, seed)
	turn := 0
	for ply := 1; s.ToAct() != engine.Terminal; ply++ {
		moves := engine.Moves(s)
		fmt.Fprintf(digest, "%016x%v", s.Hash(), moves)
		if now := int(s.P.Turn); now != turn {
			fmt.Fprintf(&b, "\n# Game-Turn %d, so far %016x", now, digest.Sum64())
			turn = now
		}
		if seat := s.ToAct(); seat >= 0 && ply%between == 0 {
			view := engine.Look(s, seat).(*minuteman.View)
			b.WriteString("\n\n" + view.Text(seat))
			for _, a := range moves[:min(len(moves), 12)] {
				fmt.Fprintf(&b, "  %s: %s\n", engine.MoveName(g, s, a), view.Describe(a))
			}
		}
		a := moves[engine.Uint32N(rng, uint32(len(moves)))]
		if a == minuteman.Revolution && engine.Uint32N(rng, seldom) > 0 {
			a = moves[0]
		}
		separator := " "
		if ply%20 == 1 {
			separator = fmt.Sprintf("\n%d ", ply)
		}
		b.WriteString(separator + engine.MoveName(g, s, a))
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	position, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "\n\nend, digest %016x, hash %016x, returns %v\n%s\n", digest.Sum64(), s.Hash(), s.Returns(nil), position)
	return b.String()
}
