package goofspiel_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/goofspiel"
	"powderkeg/engine/script"
)

// settings use every option, the smallest and the largest game among them.
var settings = []string{
	"goofspiel", "goofspiel(cards=2)", "goofspiel(cards=4,bids=shown)", "goofspiel(cards=5,order=descending)",
	"goofspiel(cards=6,order=ascending,returns=difference)", "goofspiel(bids=shown,returns=difference)",
}

func list(t testing.TB) []engine.Game {
	var list []engine.Game
	for _, text := range settings {
		list = append(list, enginetest.Game(t, text))
	}
	return list
}

func TestBadPositions(t *testing.T) {
	enginetest.BadPositions(t, enginetest.Game(t, "goofspiel(cards=4,order=descending)"), map[string]string{
		`{"prizes":[3]}`:                                      `prizes[0] is 3, in this order it is 4 (R1.2)`,
		`{"prizes":[4,3]}`:                                    `prizes: 2 are turned up in round 1, it is one a round (R1.2)`,
		`{"prizes":[5]}`:                                      `prizes[0] is 5, it must be 1 to 4`,
		`{"prizes":[4],"bids":{"1":[2]}}`:                     `bids: seat 0 has made 0 and seat 1 1 in round 1, each bids once`,
		`{"bids":{"0":[2]}}`:                                  `bids: seat 0 has made 1 and seat 1 0 in round 0`,
		`{"prizes":[4],"bids":{"0":[0]}}`:                     `bids of seat 0: 0 in round 1, each card is played once (R2.1)`,
		`{"prizes":[4,3],"bids":{"0":[2,2],"1":[1]}}`:         `bids of seat 0: 2 in round 2, each card is played once (R2.1)`,
		`{"prizes":[4],"bids":{"0":[2],"1":[1]},"won":[1]}`:   `won is [1], but it follows from the rest that it is [0]`,
		`{"prizes":[4],"bids":{"0":[2],"1":[1]},"won":[0,0]}`: `won`,
		`{"points":[4,3]}`:                                    `unknown field "points"`,
	})
	enginetest.BadPositions(t, enginetest.Game(t, "goofspiel(cards=4)"), map[string]string{
		`{"prizes":[3,3],"bids":{"0":[2],"1":[1]}}`: `prizes[1] is 3, each is turned up once (R1.1)`,
		`{"prizes":[null]}`:                         `prizes[0] is 0, each is turned up once (R1.1)`,
	})
}

func FuzzLoad(f *testing.F) { enginetest.FuzzLoad(f, 15, 1, list(f)...) }

func FuzzPlay(f *testing.F) { enginetest.Fuzz(f, ends, list(f)...) }

// ends reports whether a round ends in a step, which brings to light who has won it (R2.3).
func ends(before, after engine.View) bool {
	return rounds(after) > rounds(before)
}

func rounds(v engine.View) uint8 {
	if s, ok := v.(*goofspiel.State); ok {
		return s.P.Scored
	}
	return v.(*goofspiel.View).P.Scored
}

func TestConformance(t *testing.T) {
	for _, g := range list(t) {
		t.Run(g.Spec().Text, func(t *testing.T) {
			enginetest.Run(t, enginetest.Suite{Game: g, Games: 20, Every: 1 + g.Spec().MaxMoves/20, Position: goofspiel.Position{}, Reveals: ends})
			enginetest.Allocs(t, g)
		})
	}
}

func TestSecretsAreDeclared(t *testing.T) {
	enginetest.SecretsDeclared(t, list(t))
}

func TestEvents(t *testing.T) {
	enginetest.Events(t, goofspiel.Family, list(t))
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n != 3 {
		t.Errorf("%d scripts, want 3", n)
	}
}

// The counts are those of OpenSpiel 2.0.2's goofspiel with imp_info=True or, where bids are
// shown, False, loaded with turns (load_game_as_turn_based; R-02), and walked whole. Its information
// states of shown bids forget the order of the bids (6,056 and 270 with four cards); those here are
// counted by what a seat has seen of the same tree.
func TestTreeCounts(t *testing.T) {
	for text, want := range map[string]enginetest.Counts{
		"goofspiel(cards=2)":                            {Chance: 1, Decisions: 6, Terminals: 8, InfoStates: 4},
		"goofspiel(cards=3)":                            {Chance: 28, Decisions: 174, Terminals: 216, InfoStates: 90},
		"goofspiel(cards=3,bids=shown)":                 {Chance: 28, Decisions: 174, Terminals: 216, InfoStates: 114},
		"goofspiel(cards=4)":                            {Chance: 1793, Decisions: 11156, Terminals: 13824, InfoStates: 3608},
		"goofspiel(cards=4,bids=shown)":                 {Chance: 1793, Decisions: 11156, Terminals: 13824, InfoStates: 7304},
		"goofspiel(cards=4,order=descending)":           {Decisions: 501, Terminals: 576, InfoStates: 162},
		"goofspiel(cards=4,order=ascending)":            {Decisions: 501, Terminals: 576, InfoStates: 162},
		"goofspiel(cards=4,order=ascending,bids=shown)": {Decisions: 501, Terminals: 576, InfoStates: 322},
	} {
		if got := enginetest.Count(enginetest.Game(t, text)); got != want {
			t.Errorf("%s: the tree has %+v, want %+v", text, got, want)
		}
	}
}

// How often each return stands at an end of the tree, as OpenSpiel 2.0.2 has it.
func TestReturns(t *testing.T) {
	for text, want := range map[string]map[float32]int{
		"goofspiel(cards=4)":                    {-1: 5568, 0: 2688, 1: 5568},
		"goofspiel(cards=3,returns=difference)": {-2: 12, -1: 30, -0.5: 36, 0: 60, 0.5: 36, 1: 30, 2: 12},
		"goofspiel(cards=4,order=descending,returns=difference)": {
			-4: 6, -3: 14, -2.5: 16, -2: 42, -1.5: 28, -1: 74, -0.5: 52, 0: 112, 0.5: 52, 1: 74, 1.5: 28, 2: 42, 2.5: 16, 3: 14, 4: 6,
		},
	} {
		g := enginetest.Game(t, text)
		got := map[float32]int{}
		leaves(g, g.New(), func(s engine.State) { got[s.Returns(nil)[0]]++ })
		if !maps.Equal(got, want) {
			t.Errorf("%s: the returns are %v, want %v", text, got, want)
		}
	}
}

// leaves calls f at every end of a game's tree.
func leaves(g engine.Game, s engine.State, f func(engine.State)) {
	if s.ToAct() == engine.Terminal {
		f(s)
		return
	}
	for _, a := range engine.Moves(s) {
		next := g.New()
		next.CopyFrom(s)
		if next.Apply(a) == nil {
			leaves(g, next, f)
		}
	}
}

// A key has the prizes, the own bids and who has won, and no bid of the other that is hidden.
func TestInfoStates(t *testing.T) {
	const position = `{"prizes":[11,3,12],"bids":{"0":[13,2,1],"1":[10,2]}}`
	for text, want := range map[string][2]string{
		"goofspiel": {"0:B3C:D21:0-", "1:B3C:A2:0-"}, "goofspiel(bids=shown)": {"0:B3C:D21:0-:A2", "1:B3C:A2:0-:D2"},
	} {
		s := enginetest.Load[*goofspiel.State](t, text, position)
		for seat, key := range want {
			view := engine.Look(s, engine.Player(seat)).(*goofspiel.View)
			if got := string(s.InfoState(nil, engine.Player(seat))); got != key || string(view.InfoState(nil, engine.Player(seat))) != key {
				t.Errorf("%s: keys are %q and %q, want %q", text, got, view.InfoState(nil, engine.Player(seat)), key)
			}
		}
	}
}

// A new deal can be every one that agrees with what a seat knows (R2.2): seat 0 has lost with
// a 2, won with a 5 and tied with a 3, so that seat 1 had a 4 or more, less than 5, and the 3.
func TestRedealReachesEveryWorld(t *testing.T) {
	s := enginetest.Load[*goofspiel.State](t, "goofspiel(cards=6)", `{"prizes":[1,2,3,4],"bids":{"0":[2,5,3,1],"1":[4,1,3]}}`)
	got := map[string]int{}
	rng := rand.NewPCG(1, 1)
	for range 2000 {
		other := s.G.New().(*goofspiel.State)
		other.Redeal(engine.Look(s, 0), rng)
		got[fmt.Sprint(other.P.Seats[1].Cards[:other.P.Seats[1].Made])]++
	}
	want := []string{"[4 1 3]", "[4 2 3]", "[5 1 3]", "[5 2 3]", "[5 4 3]", "[6 1 3]", "[6 2 3]", "[6 4 3]"}
	if list := slices.Sorted(maps.Keys(got)); !slices.Equal(list, want) {
		t.Errorf("new deals are %q, want %q", list, want)
	}
}

func TestPlaythroughs(t *testing.T) {
	enginetest.Playthroughs(t, enginetest.Game(t, "goofspiel(cards=5)"), 1)
	enginetest.Golden(t, "testdata/playthroughs/shown.txt", enginetest.Playthrough(enginetest.Game(t, "goofspiel(cards=4,bids=shown)"), 1))
}

func TestRulings(t *testing.T) {
	enginetest.Rulings(t, 2)
}

func TestReadme(t *testing.T) {
	enginetest.Readme(t, enginetest.Game(t, "goofspiel"))
}
