package domination_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// R10.2: margins are of the Victory Points, within their range; one seat at most is ahead
// of all others, and at the end those who share the win are at 0 or above it and all others
// below.
func TestR10_2_MarginsAgreeWithTheReturns(t *testing.T) {
	for n := 2; n <= 4; n++ {
		g := enginetest.Game(t, fmt.Sprintf("domination(players=%d)", n))
		rng := rand.NewPCG(4, uint64(n))
		ahead := 0
		for range 4 {
			s := g.New()
			for {
				margins, leaders := s.(engine.Marginal).Margins(nil), 0
				for _, m := range margins {
					if !(m >= -1 && m <= 1) {
						t.Fatalf("margins are %v", margins)
					}
					if m > 0 {
						leaders++
					}
				}
				if ahead += leaders; len(margins) != n || leaders > 1 {
					t.Fatalf("%d seats have margins %v", n, margins)
				}
				if s.ToAct() == engine.Terminal {
					for i, r := range s.Returns(nil) {
						if (r > 0) != (margins[i] >= 0) {
							t.Fatalf("returns are %v and margins %v", s.Returns(nil), margins)
						}
					}
					break
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if ahead == 0 {
			t.Errorf("%d seats: nobody was ever ahead", n)
		}
	}
}
