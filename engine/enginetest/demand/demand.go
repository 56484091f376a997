// Package demand stops a test in one line where it was asked something that makes no sense,
// or where the game that it tests breaks down.
package demand

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"testing"

	"powderkeg/engine"
)

// That stops the test unless ok. The line names what was given and says what would be right.
func That(t testing.TB, ok bool, format string, args ...any) {
	t.Helper()
	if !ok {
		t.Fatalf(format, args...)
	}
}

// Something stops the test if v is nil, or an interface that holds nil.
func Something(t testing.TB, v any, what, right string) {
	t.Helper()
	That(t, !Nil(v), "%s is nil: it must be %s", what, right)
}

// Nil reports whether v is nil, or an interface that holds nil.
func Nil(v any) bool {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return r.IsNil()
	}
	return false
}

// Game stops the test unless g is a game that can be begun: it has a spec and a first state, at
// which somebody is to act. what names it where it was given.
func Game(t testing.TB, what string, g engine.Game) {
	t.Helper()
	Something(t, g, what, "a game")
	defer Calm(t, what)
	spec := g.Spec()
	Something(t, spec, what+".Spec()", "the facts of the game")
	That(t, spec.Seats > 0, "%s.Spec().Seats is %d: it must be 1 or more", what, spec.Seats)
	That(t, spec.MaxMoves > 0, "%s.Spec().MaxMoves is %d: it must bound the moves of a game, decisions and chance events together", what, spec.MaxMoves)
	s := g.New()
	Something(t, s, what+".New()", "a state at the start of the game")
	That(t, s.ToAct() != engine.Terminal, "%s.New() is over: somebody must be to act at the start of a game", what)
	That(t, !Nil(g.New()), "%s.New() is nil the second time", what)
}

// Games stops the test unless there is a game in the list, and all are games.
func Games(t testing.TB, games []engine.Game) {
	t.Helper()
	That(t, len(games) > 0, "games is empty: there must be one or more")
	for i, g := range games {
		Game(t, fmt.Sprintf("games[%d]", i), g)
	}
}

// Calm is deferred: where the function that defers it panics, the test fails, with what broke
// down, where it stood and the stack.
func Calm(t testing.TB, what string) {
	t.Helper()
	if v := recover(); v != nil {
		t.Fatalf("%s panics: %v\n%s", what, v, debug.Stack())
	}
}

// Moves returns the possible moves of a state that is not over. It stops the test where there
// are none, or where they cannot be asked for.
func Moves(t testing.TB, g engine.Game, s engine.State) []engine.Action {
	t.Helper()
	if s.ToAct() == engine.Chance {
		_, ok := s.(engine.Stochastic)
		That(t, ok, "%s: chance is to act and %T has no Outcomes: it must be an engine.Stochastic", g.Spec().Text, s)
	}
	moves := engine.Moves(s)
	That(t, len(moves) > 0, "%s: player %d is to act and has no move: there must be one until the game is over", g.Spec().Text, s.ToAct())
	return moves
}

// Move makes a possible move at random.
func Move(t testing.TB, g engine.Game, s engine.State, rng *rand.PCG) {
	t.Helper()
	moves := Moves(t, g, s)
	a := moves[engine.Uint32N(rng, uint32(len(moves)))]
	if err := s.Apply(a); err != nil {
		t.Fatalf("%s: a possible move, %s, is refused: %v", g.Spec().Text, engine.MoveName(g, s, a), err)
	}
}

// Play plays s to its end at random, and calls each, if not nil, at every state before it. It
// stops the test where the game breaks down, or is longer than Spec.MaxMoves.
func Play(t testing.TB, g engine.Game, s engine.State, rng *rand.PCG, each func()) {
	t.Helper()
	defer Calm(t, g.Spec().Text)
	for n := 0; s.ToAct() != engine.Terminal; n++ {
		That(t, n < g.Spec().MaxMoves, "%s: the game is not over after %d moves, the bound of Spec.MaxMoves", g.Spec().Text, n)
		if each != nil {
			each()
		}
		Move(t, g, s, rng)
	}
}
