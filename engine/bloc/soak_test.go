package bloc_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
)

// allSettings returns the game strings of every scenario, number of players, mode and
// ops deck that go together.
func allSettings(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, o := range bloc.Family.Options {
		if o.Name != "scenario" {
			continue
		}
		for _, scenario := range o.Choices {
			for players := 2; players <= 4; players++ {
				for _, mode := range []string{"cooperative", "semi_cooperative"} {
					for _, deck := range []string{"easy", "medium", "hard"} {
						text := fmt.Sprintf("bloc(scenario=%s,players=%d,mode=%s,ops_difficulty=%s)", scenario, players, mode, deck)
						switch _, err := games.New(text); {
						case err == nil:
							list = append(list, text)
						case !errors.Is(err, option.ErrUsage):
							t.Fatalf("%s: %v", text, err)
						}
					}
				}
			}
		}
	}
	return list
}

// TestRandomGamesEnd plays random games of every setting to their end: 100,000 of them
// where the environment has POWDERKEG_SOAK=200. Each ends within the bounds of its spec with
// returns that agree with its ending, and every piece and card is in its place then.
func TestRandomGamesEnd(t *testing.T) {
	settings := allSettings(t)
	each := max(1, enginetest.Times(500)/len(settings)+1)
	played, decided := 0, 0
	for i, text := range settings {
		g := enginetest.Game(t, text)
		for seed := range each {
			decided += playRandomly(t, g, rand.NewPCG(uint64(i), uint64(seed)))
			if played++; t.Failed() {
				t.Fatalf("%s: game %d of %d (rand.NewPCG(%d, %d))", text, seed+1, each, i, seed)
			}
		}
	}
	t.Logf("%d games of %d settings, %d decisions", played, len(settings), decided)
}

// playRandomly plays one game and returns the number of its decisions.
func playRandomly(t *testing.T, g engine.Game, rng *rand.PCG) int {
	t.Helper()
	spec, s := g.Spec(), g.New().(*bloc.State)
	moves, decisions := 0, 0
	var list []engine.Action
	var outcomes []engine.Outcome
	for ; s.ToAct() != engine.Terminal && moves <= spec.MaxMoves; moves++ {
		var a engine.Action
		if s.ToAct() == engine.Chance {
			outcomes = s.Outcomes(outcomes[:0])
			a = engine.Sample(outcomes, rng)
		} else {
			decisions++
			list = s.Legal(list[:0])
			a = list[engine.Uint32N(rng, uint32(len(list)))]
		}
		if err := s.Apply(a); err != nil {
			t.Errorf("move %d: %v", moves, err)
			return decisions
		}
	}
	if moves > spec.MaxMoves || decisions > spec.MaxDecisions {
		t.Errorf("%d moves and %d decisions, want at most %d and %d", moves, decisions, spec.MaxMoves, spec.MaxDecisions)
		return decisions
	}
	winners := 0
	for _, r := range s.Returns(nil) {
		if r > 0 {
			winners++
		}
	}
	endings := s.Endings(nil)
	if lost := endings[0] == "no blocs" || endings[0] == "time out"; lost && winners > 0 || endings[0] == "win alone" && winners != 1 {
		t.Errorf("%d seats win and the endings are %q", winners, endings)
	}
	document, err := s.MarshalJSON()
	if err != nil {
		t.Error(err)
	} else if again, err := g.Load(document, engine.Strict); err != nil {
		t.Errorf("the end is no legal position: %v\n%s", err, document)
	} else if again.Hash() != s.Hash() {
		t.Errorf("the end, written and read, is another position\n%s", document)
	}
	return decisions
}
