package minuteman_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/minuteman"
)

// everyGame returns one game of each way in which the options go together, in a
// fixed order. The observation is no rule.
func everyGame(t testing.TB) []engine.Game {
	t.Helper()
	texts := []string{""}
	for _, o := range minuteman.Family.Options {
		values := o.Choices
		switch {
		case o.Name == "encoder":
			continue
		case o.Name == "players":
			values = []string{"2", "3", "4"}
		case len(values) == 0:
			values = []string{"false", "true"}
		}
		var longer []string
		for _, text := range texts {
			for _, v := range values {
				longer = append(longer, text+o.Name+"="+v+",")
			}
		}
		texts = longer
	}
	var all []engine.Game
	for _, text := range texts {
		if g, err := games.New("minuteman(" + strings.TrimSuffix(text, ",") + ")"); err == nil {
			all = append(all, g)
		}
	}
	return all
}

// decisionsPerTurn is what Spec.MaxDecisions counts for one of at most 24 Game-Turns:
// every decision uses up something that a Game-Turn has once.
const decisionsPerTurn = 8000

// TestRandomGames plays 100 games, 20,000 with POWDERKEG_SOAK=200, spread evenly over
// all that can be configured. In two of three games a Revolution and a call for
// foreign help are usually passed over, which random play would make in the first
// Game-Turn. The part of a run can be chosen: -run TestRandomGames/part=07.
func TestRandomGames(t *testing.T) {
	const parts = 20
	all := everyGame(t)
	each := enginetest.Times(100) / parts
	t.Logf("%d ways to set the options", len(all))
	for part := range parts {
		t.Run(fmt.Sprintf("part=%02d", part), func(t *testing.T) {
			longest := 0
			for i := part * each; i < (part+1)*each; i++ {
				const stride = 101 // has no factor in common with the number of games
				n := randomGame(t, all[i*stride%len(all)], uint64(i))
				longest = max(longest, n)
			}
			t.Logf("the longest of %d games has %d decisions", each, longest)
		})
	}
}

// randomGame plays one game to its end and returns its number of decisions.
func randomGame(t *testing.T, g engine.Game, seed uint64) int {
	t.Helper()
	spec, rng := g.Spec(), rand.NewPCG(seed, 3)
	s := g.New().(*minuteman.State)
	decisions, inTurn, turn, rare := 0, 0, 0, uint32(1)
	if seed%3 > 0 {
		rare = 400
	}
	fail := func(format string, args ...any) {
		t.Fatalf("%s, seed %d, decision %d: %s", spec.Text, seed, decisions, fmt.Sprintf(format, args...))
	}
	moves := make([]engine.Action, 0, len(spec.Actions))
	for s.ToAct() != engine.Terminal {
		if s.ToAct() == engine.Chance {
			if err := s.Apply(engine.Sample(s.Outcomes(nil), rng)); err != nil {
				fail("%v", err)
			}
			continue
		}
		if moves = s.Legal(moves[:0]); len(moves) < 2 {
			fail("asks for one of %d tokens", len(moves))
		}
		a := moves[engine.Uint32N(rng, uint32(len(moves)))]
		if (a == minuteman.Revolution || a == minuteman.ForeignHelp) && engine.Uint32N(rng, rare) > 0 {
			a = moves[0] // DONE
		}
		if err := s.Apply(a); err != nil {
			fail("%v", err)
		}
		decisions++
		if now := int(s.P.Turn); now != turn {
			turn, inTurn = now, 0
		}
		if inTurn++; inTurn > decisionsPerTurn || decisions > spec.MaxDecisions {
			fail("%d decisions in Game-Turn %d", inTurn, turn)
		}
		if decisions%1000 == 500 {
			checkCopy(t, g, s)
		}
	}
	sum := float32(0)
	for _, r := range s.Returns(nil) {
		if sum += r; r < spec.MinReturn || r > spec.MaxReturn {
			fail("a return of %g", r)
		}
	}
	if spec.Payoff == engine.ZeroSum && sum != 0 {
		fail("returns %v", s.Returns(nil))
	}
	return decisions
}

// checkCopy writes the position, reads it and compares.
func checkCopy(t *testing.T, g engine.Game, s engine.State) {
	t.Helper()
	text, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	again, err := g.Load(text, engine.Strict)
	if err != nil {
		t.Fatalf("%s: %v\n%s", g.Spec().Text, err, text)
	}
	if again.Hash() != s.Hash() {
		t.Fatalf("%s: a position changes when it is read\n%s", g.Spec().Text, text)
	}
}
