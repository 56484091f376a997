package engine

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine/option"
)

// MoveName returns the name of an action or, at a chance node, of an outcome.
func MoveName(g Game, v View, a Action) string {
	names := g.Spec().Actions
	if v.ToAct() == Chance {
		names = g.Spec().Outcomes
	}
	if a < 0 || int(a) >= len(names) {
		return fmt.Sprintf("#%d", a)
	}
	return names[a]
}

// FindMove returns the action (at a chance node the outcome) of that name if it is
// possible in s. The error says what would be.
func FindMove(g Game, s State, name string) (Action, error) {
	possible := Moves(s)
	for _, a := range possible {
		if MoveName(g, s, a) == name {
			return a, nil
		}
	}
	if s.ToAct() == Terminal {
		return 0, fmt.Errorf("%w: %q comes after the end of the game", ErrIllegal, option.Shorten(name))
	}
	who, known := fmt.Sprintf("seat %d", s.ToAct()), slices.Contains(g.Spec().Actions, name)
	if s.ToAct() == Chance {
		who, known = "chance", slices.Contains(g.Spec().Outcomes, name)
	}
	what := "is not possible here"
	if !known {
		what = "is unknown"
	}
	list := make([]string, len(possible))
	for i, a := range possible {
		list[i] = MoveName(g, s, a)
	}
	return 0, fmt.Errorf("%w: %q %s; %s has %s", ErrIllegal, option.Shorten(name), what, who, strings.Join(list, ", "))
}

// Moves returns the legal actions, at a chance node the outcomes.
func Moves(s State) []Action {
	if s.ToAct() != Chance {
		return s.Legal(nil)
	}
	var list []Action
	for _, o := range s.(Stochastic).Outcomes(nil) {
		list = append(list, o.Action)
	}
	return list
}
