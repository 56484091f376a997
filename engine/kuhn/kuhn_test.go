package kuhn_test

import (
	"math"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/kuhn"
	"powderkeg/engine/script"
)

func game(t testing.TB) engine.Game { return enginetest.Game(t, "kuhn") }

func TestConformance(t *testing.T) {
	enginetest.Run(t, enginetest.Suite{Game: game(t), Games: 100, Every: 1, Position: kuhn.Position{}})
	enginetest.Allocs(t, game(t))
}

func TestEvents(t *testing.T) {
	enginetest.Events(t, kuhn.Family, []engine.Game{game(t)})
}

func TestReadme(t *testing.T) { enginetest.Readme(t, game(t)) }

func TestPlaythroughs(t *testing.T) { enginetest.Playthroughs(t, game(t), 2) }

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("there are no scripts")
	}
}

func FuzzPlay(f *testing.F) { enginetest.Fuzz(f, nil, game(f)) }

// The counts are those of OpenSpiel's api_test (TOTAL_NUM_STATES and
// PERFECT_RECALL_NUM_STATES).
func TestTreeCounts(t *testing.T) {
	got := enginetest.Count(game(t))
	want := enginetest.Counts{Chance: 4, Decisions: 24, Terminals: 30, InfoStates: 12}
	if got != want {
		t.Errorf("tree has %+v, want %+v", got, want)
	}
}

// Kuhn's solution: with alpha in [0, 1/3] the first seat bets J with alpha, K
// with 3 alpha, calls with Q after check and bet with alpha + 1/3; the second
// bets J with 1/3 and calls with Q with 1/3. The value is -1/18.
func TestValueOfTheSolution(t *testing.T) {
	for _, alpha := range []float64{0, 0.2, 1. / 3} {
		bet := map[string]float64{
			"0J:": alpha, "0Q:": 0, "0K:": 3 * alpha,
			"0J:pb": 0, "0Q:pb": alpha + 1./3, "0K:pb": 1,
			"1J:p": 1. / 3, "1Q:p": 0, "1K:p": 1,
			"1J:b": 0, "1Q:b": 1. / 3, "1K:b": 1,
		}
		value := expect(t, game(t), game(t).New(), bet)
		if math.Abs(value+1./18) > 1e-12 {
			t.Errorf("alpha %g: the first seat gets %.12f, want -1/18", alpha, value)
		}
	}
}

// expect returns the first seat's expected return where each information state
// bets with the given probability.
func expect(t *testing.T, g engine.Game, s engine.State, bet map[string]float64) float64 {
	next := func(a engine.Action) float64 {
		c := engine.Clone(g, s)
		if err := c.Apply(a); err != nil {
			t.Fatal(err)
		}
		return expect(t, g, c, bet)
	}
	switch seat := s.ToAct(); seat {
	case engine.Terminal:
		return float64(s.Returns(nil)[0])
	case engine.Chance:
		outcomes := s.(engine.Stochastic).Outcomes(nil)
		sum := 0.0
		for _, o := range outcomes {
			sum += next(o.Action) * float64(o.Weight) / float64(engine.Total(outcomes))
		}
		return sum
	default:
		key := string(s.(engine.Recaller).InfoState(nil, seat))
		p, ok := bet[key]
		if !ok {
			t.Fatalf("unknown information state %q", key)
		}
		return (1-p)*next(kuhn.Pass) + p*next(kuhn.Bet)
	}
}

func TestBadPositions(t *testing.T) {
	enginetest.BadPositions(t, game(t), map[string]string{
		`{"cards":["J","J"]}`:                  `"J" is not possible here`,
		`{"cards":["A"]}`:                      `"A" is unknown; chance has J, Q, K`,
		`{"actions":["bet"]}`:                  `"bet" is unknown; chance has J, Q, K`,
		`{"cards":"J"}`:                        `field "cards" is a string, it must be `,
		`{"cards":["J","Q"],"actions":["up"]}`: `seat 0 has pass, bet`,
		`{`:                                    `it ends in the middle`,
		`{} {}`:                                `text after the end`,
	})
}
