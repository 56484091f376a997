//go:build !race

// One page is asked for after another here: the race detector would look for two minutes and has
// nothing to find.

package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/worlds"
	"powderkeg/env"
)

// paths are what a page asks for.
var paths = []string{"", "?view", "?step=0&view", "?step=1&view", "/log", "?seat=0", "?seat=1"}

// Two worlds that a seat cannot tell apart are played on with the same moves, as far as
// the seat gets to know them, and every byte that reaches a page of the seat is the same:
// screens now and of moments before, with the JSON of the view, and the log. Where the
// worlds part, because cards have come to light, another pair begins.
func TestPagesShowWhatTheirSeatSees(t *testing.T) {
	p := open(t, "", func(c *Config) { c.Awake = 10000 })
	for _, name := range []string{"kuhn", "leduc", "liars_dice(players=3,dice=2)", "jogu", "jogu(expansion=true,first=hours)", "bloc", "domination(players=3)", "insurgency(scenario=resistance)", "minuteman", "minuteman(scenario=partisan)"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		compared, moments := 0, 0
		for game := range uint64(2) {
			rng := rand.NewPCG(game, 5)
			s := g.New()
			for n := 0; s.ToAct() != engine.Terminal && n < 400; n++ {
				if n%40 == 11 || g.Spec().MaxDecisions < 20 {
					seat := engine.Player(rng.Uint64() % uint64(g.Spec().Seats))
					moments++
					compared += compare(t, p, g, s, seat, rng)
					if t.Failed() {
						return
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Logf("%s: %d moments, %d moves made in two worlds", name, moments, compared)
		if compared < moments {
			t.Errorf("%s: only %d moves were made in two worlds", name, compared)
		}
	}
}

// compare deals a world anew for a seat, plays both on, and returns for how many moves.
func compare(t *testing.T, p *place, g engine.Game, s engine.State, seat engine.Player, rng *rand.PCG) (n int) {
	t.Helper()
	deal := worlds.Elsewhere(t, g, s, seat, rng)
	if deal == nil || engine.Look(deal, seat).Hash() != engine.Look(s, seat).Hash() {
		return 0 // there is no other world, or it has gone on from a view in which nobody is asked
	}
	real, other := newWorld(t, p, g, s), newWorld(t, p, g, deal)
	for ; n < 9; n++ {
		if !real.pass(t, seat) || !other.pass(t, seat) {
			return n
		}
		a, b := real.t.state, other.t.state
		if engine.Look(a, seat).Hash() != engine.Look(b, seat).Hash() {
			return n // they have parted
		}
		asked := paths
		if a.ToAct() == seat {
			legal := engine.Look(a, seat).Legal(nil)
			for _, action := range [...]engine.Action{legal[0], legal[len(legal)-1]} {
				asked = append(asked[:len(asked):len(asked)], fmt.Sprintf("/preview?action=%d", action))
			}
		}
		for _, path := range asked {
			if x, y := real.get(seat, path), other.get(seat, path); x != y {
				i := 0
				for i < min(len(x), len(y)) && x[i] == y[i] {
					i++
				}
				t.Errorf("%s: seat %d is answered to %q after %d moves in one world\n%.300s\nin the other\n%.300s", g.Spec().Text, seat, path, n, x[max(0, i-100):], y[max(0, i-100):])
				return n
			}
		}
		if a.ToAct() == engine.Terminal || a.ToAct() != b.ToAct() {
			return n
		}
		moves := engine.Moves(a)
		action := moves[engine.Uint32N(rng, uint32(len(moves)))]
		twin := action
		if secretive, ok := a.(engine.Secretive); ok && a.ToAct() != seat && !secretive.Shows(seat, action) && !slices.Contains(engine.Moves(b), twin) {
			twin = engine.Moves(b)[0]
		}
		if !slices.Contains(engine.Moves(b), twin) {
			return n
		}
		real.apply(t, action)
		other.apply(t, twin)
	}
	return n
}
