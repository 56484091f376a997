package domination

import (
	"testing"

	"powderkeg/engine/option"
)

// PlainPosition is a value of the type that a state copies by assignment.
var PlainPosition any = Position{}

// Check is the engine's own check of a whole position, which it makes after every
// action under the build tag invariants.
func Check(s *State) error { return s.G.Check(&s.P) }

// CardsOf returns how many cards of type c are in the stack and with the players, those
// that are dictated included.
func CardsOf(s *State, c int) int { return s.P.owned(CardID(c)) + int(s.P.Stack[c]) }

// testGame makes the game with the given options. The external tests look games up
// by name; this one serves those inside the package.
func testGame(t testing.TB, options string) *game {
	t.Helper()
	name, arguments, err := option.Split("domination(" + options + ")")
	if err != nil {
		t.Fatal(err)
	}
	values, err := option.Check(name, Family.Options, arguments)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Family.Configure(values)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*game)
}
