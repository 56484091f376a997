package scripted

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/scripted/scriptedtest"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

func TestGoofspiel(t *testing.T) {
	scriptedtest.Suite{
		New:   func(engine.Game) agents.Policy { return goofspielPlayer{} },
		Games: []string{"goofspiel", "goofspiel(cards=4,bids=shown)", "goofspiel(cards=5,order=descending)"}, Times: 4,
	}.Run(t)
}

// TestGoofspielSituations asks where one choice is clearly right, or two are.
func TestGoofspielSituations(t *testing.T) {
	for _, c := range []struct{ position, want, why string }{
		{`{"prizes":[5]}`, "BID_5", "nothing is worth more than the best prize"},
		{`{"prizes":[1]}`, "BID_1 BID_2", "the worst prize is worth no good card"},
		{`{"prizes":[5,4],"bids":{"0":[5],"1":[4]}}`, "BID_4", "the 4 is the best prize that is left"},
		{`{"prizes":[1,2],"bids":{"0":[2],"1":[5]}}`, "BID_1 BID_3", "of the prizes that are left the 2 is the worst"},
	} {
		g := enginetest.Game(t, "goofspiel(cards=5)")
		s := enginetest.Load[engine.State](t, "goofspiel(cards=5)", c.position)
		made := map[string]bool{}
		for seed := range uint64(40) {
			a := policy(t, g).Choose(engine.Look(s, s.ToAct()), s.ToAct(), s.Legal(nil), rand.NewPCG(seed, 0))
			got := engine.MoveName(g, s, a)
			if made[got] = true; !slices.Contains(strings.Fields(c.want), got) {
				t.Errorf("at %s, seed %d: got %s, want %s (%s)", c.position, seed, got, c.want, c.why)
			}
		}
		if len(made) != len(strings.Fields(c.want)) {
			t.Errorf("at %s it makes %v only, want %s", c.position, made, c.want)
		}
	}
}
