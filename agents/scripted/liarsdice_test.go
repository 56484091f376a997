package scripted

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/scripted/scriptedtest"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

func TestLiarsDice(t *testing.T) {
	scriptedtest.Suite{
		New:   func(engine.Game) agents.Policy { return liarsDice{} },
		Games: []string{"liars_dice", "liars_dice(players=3,faces=2)", "liars_dice(players=6,dice=5)"}, Times: 4,
	}.Run(t)
}

// TestLiarsDiceSituations asks where one choice is clearly right, or a few are.
func TestLiarsDiceSituations(t *testing.T) {
	for _, c := range []struct{ game, position, want, why string }{
		{"liars_dice", `{"dice":[[3],[1]],"bids":["2-5"]}`, "Liar", "without a five or a six nothing but the call wins"},
		{"liars_dice", `{"dice":[[3],[5]],"bids":["1-2"]}`, "1-5", "a bid of the own die holds"},
		{"liars_dice", `{"dice":[[3],[6]],"bids":["1-5"]}`, "1-6 2-5", "one of the own six holds, and the six may be the second five"},
		{"liars_dice", `{"dice":[[6],[6]],"bids":["2-6"]}`, "Liar", "there is nothing else"},
		{"liars_dice(dice=5)", `{"dice":[[5,5,5,6,6],[1,1,1,1,1]]}`, "5-5 6-5 7-5", "it bids up to what it expects, not the least"},
		{"liars_dice(players=3,faces=2)", `{"dice":[[1],[1],[2]]}`, "3-1", "every die counts for the lower of two faces"},
	} {
		g := enginetest.Game(t, c.game)
		s := enginetest.Load[engine.State](t, c.game, c.position)
		for seed := range uint64(20) {
			a := policy(t, g).Choose(engine.Look(s, s.ToAct()), s.ToAct(), s.Legal(nil), rand.NewPCG(seed, 0))
			if got := engine.MoveName(g, s, a); !slices.Contains(strings.Fields(c.want), got) {
				t.Errorf("%s at %s, seed %d: got %s, want %s (%s)", c.game, c.position, seed, got, c.want, c.why)
			}
		}
	}
}

// TestAtLeast compares with the sum over all throws of a few dice.
func TestAtLeast(t *testing.T) {
	for n := range 5 {
		for k := -1; k <= n+1; k++ {
			for _, p := range []float64{1. / 6, 1. / 3, 1} {
				want := 0.0
				for throw := range 1 << n {
					chance, count := 1.0, 0
					for i := range n {
						if throw>>i&1 != 0 {
							chance, count = chance*p, count+1
						} else {
							chance *= 1 - p
						}
					}
					if count >= k {
						want += chance
					}
				}
				if got := atLeast(k, n, p); math.Abs(got-want) > 1e-12 {
					t.Errorf("at least %d of %d dice with %.3f each: %.6f, want %.6f", k, n, p, got, want)
				}
			}
		}
	}
}
