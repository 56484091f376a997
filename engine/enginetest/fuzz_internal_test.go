package enginetest

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/trial"
)

// A *testing.F cannot be stood in for, so that what Fuzz and FuzzLoad check of their
// arguments is asked here.
func TestFuzzArguments(t *testing.T) {
	kuhn := []engine.Game{Game(t, "kuhn")}
	for words, test := range map[string]struct {
		plies, every int
		games        []engine.Game
	}{
		"games is empty: there must be one or more":   {1, 1, nil},
		"games[1] is nil: it must be a game":          {1, 1, append(kuhn, nil)},
		"plies is -1: it must be 0 or more":           {-1, 1, kuhn},
		"every is 0: it must be 1 or more, the plies": {1, 0, kuhn},
	} {
		trial.Finds(t, func(t testing.TB) { checkFuzzLoad(t, test.plies, test.every, test.games) }, words)
	}
}

// follow, of Fuzz, finds what Run finds.
func TestFollow(t *testing.T) {
	g := Game(t, "kuhn")
	play := func(t testing.TB, reveals func(before, after engine.View) bool) {
		p := &player{t: t, suite: Suite{Game: g, Reveals: reveals}, game: g, spec: g.Spec(), rng: rand.NewPCG(1, 1), state: g.New()}
		p.follow([]byte{0, 1, 1, 0, 1}, 1)
	}
	if v := trial.Of(t, func(t testing.TB) { play(t, nil) }); v.Failed() {
		t.Errorf("%q, panic %v", v.Lines, v.Panic)
	}
	trial.Finds(t, func(t testing.TB) {
		play(t, func(before, after engine.View) bool { panic("boom") })
	}, "Suite.Reveals panics")
}
