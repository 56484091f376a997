package envtest_test

import (
	"fmt"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/trial"
	"powderkeg/env/envtest"
)

func TestSealedGamesConform(t *testing.T) {
	for _, g := range []engine.Game{envtest.NewAuction(), envtest.NewHunt()} {
		enginetest.Run(t, enginetest.Suite{Game: g, Games: 50, Every: 1})
	}
}

func TestSealedGamesPay(t *testing.T) {
	for _, test := range []struct {
		game  *envtest.Sealed
		moves string
		want  []float32
	}{
		{envtest.NewAuction(), "worth 4, worth 3, worth 2, worth 1, bid 4, bid 3, bid 2, bid 1", []float32{1, 0, 0, 0}},
		{envtest.NewAuction(), "worth 1, worth 3, worth 3, worth 1, bid 0, bid 2, bid 2, bid 1", []float32{0, 0.5, 0.5, 0}},
		{envtest.NewAuction(), "worth 4, worth 1, worth 1, worth 1, bid 0, bid 0, bid 0, bid 0", []float32{1, 0.25, 0.25, 0.25}},
		{envtest.NewAuction(), "worth 1, worth 1, worth 1, worth 1, bid 0, bid 4, bid 3, bid 3", []float32{0, -2, 0, 0}},
		{envtest.NewHunt(), "loot 1, loot 2, loot 1, help, help, help", []float32{10, 10, 10}},
		{envtest.NewHunt(), "loot 1, loot 2, loot 2, loot, loot, help", []float32{1, 2, 0}},
	} {
		s := test.game.New()
		for name := range strings.SplitSeq(test.moves, ", ") {
			a, err := engine.FindMove(test.game, s, name)
			if err == nil {
				err = s.Apply(a)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Returns(nil); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: %s pays %v, want %v", test.game.Spec().Name, test.moves, got, test.want)
		}
	}
}

// What there is not of a sealed game is named.
func TestSealedGamesWithoutIt(t *testing.T) {
	g := envtest.NewHunt()
	if card := g.Card(g.Asked(2, 1), 2); card != 1 {
		t.Errorf("the card is %d, want 1", card)
	}
	for words, call := range map[string]func(){
		"hunt has no seat 3 with card 0: seats go from 0 to 2, cards to 1": func() { g.Asked(3, 0) },
		"hunt has no seat 0 with card 2":                                   func() { g.Asked(0, 2) },
		"hunt has no seat -1":                                              func() { g.Asked(-1, 0) },
		"it must be a view of hunt":                                        func() { g.Card(g.New(), 0) },
		"seat 3 of 3":                                                      func() { g.Card(g.Asked(0, 0), 3) },
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.Contains(text, words) {
					t.Errorf("the panic is %q, want %q", text, words)
				}
			}()
			call()
		}()
	}
	// One that was not made by its function is refused as a game.
	trial.Finds(t, func(t testing.TB) {
		enginetest.Run(t, enginetest.Suite{Game: &envtest.Sealed{}, Games: 1})
	}, "Suite.Game.Spec().Seats is 0")
	// Mine breaks down on purpose, which Run reports.
	trial.Finds(t, func(t testing.TB) {
		enginetest.Run(t, enginetest.Suite{Game: envtest.Mine{}, Games: 9})
	}, "the state does not tell what happens")
}
