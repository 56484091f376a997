// Package scripted holds rule-based opponents, one a game: what a good player
// would do by rules of thumb, with the reason beside each. They read nothing but
// the view of their seat and keep no memory, so that they serve as opponents, as
// yardsticks, and as rollout policies of a search.
package scripted

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/scripted/bloc"
	"powderkeg/agents/scripted/domination"
	"powderkeg/agents/scripted/insurgency"
	"powderkeg/agents/scripted/jogu"
	"powderkeg/agents/scripted/minuteman"
	"powderkeg/engine"
)

// makers lists the games that have a scripted player.
var makers = map[string]func(engine.Game) agents.Policy{
	"kuhn":       func(engine.Game) agents.Policy { return Kuhn{Alpha: 1. / 6} },
	"leduc":      func(engine.Game) agents.Policy { return leducPolicy{} },
	"tictactoe":  newTicTacToe,
	"connect4":   newConnect4,
	"jogu":       func(engine.Game) agents.Policy { return &jogu.Policy{} },
	"domination": func(g engine.Game) agents.Policy { return domination.New(g.Spec().Seats) },
	"insurgency": func(g engine.Game) agents.Policy { return insurgency.New(g) },
	"bloc":       func(engine.Game) agents.Policy { return &bloc.Policy{} },
	"minuteman":  func(g engine.Game) agents.Policy { return minuteman.New(g, minuteman.Auto) },
}

// plans are what the scripted player of Minuteman can be told to be after.
var plans = map[string]minuteman.Plan{"auto": minuteman.Auto, "passive": minuteman.Passive, "violent": minuteman.Violent}

// AutoPlan is the plan of every scripted player that is told nothing.
const AutoPlan = "auto"

// Plans lists the plans that NewPlan knows.
func Plans() []string { return []string{AutoPlan, "passive", "violent"} }

// NewPlan returns the scripted player of the game that follows a plan. Other plans
// than AutoPlan are for Rebels: Minuteman alone has them.
func NewPlan(g engine.Game, plan string) (agents.Policy, error) {
	p, ok := plans[plan]
	switch {
	case !ok:
		return nil, fmt.Errorf("scripted: unknown plan %q; plans: %s", plan, strings.Join(Plans(), ", "))
	case plan == AutoPlan:
		return New(g)
	case g.Spec().Name != "minuteman":
		return nil, fmt.Errorf("scripted: game %s has no plan but %s; games that have more: minuteman", g.Spec().Name, AutoPlan)
	}
	return minuteman.New(g, p), nil
}

// New returns the scripted player of the game. The error lists the games that
// have one.
func New(g engine.Game) (agents.Policy, error) {
	if maker, ok := makers[g.Spec().Name]; ok {
		return maker(g), nil
	}
	return nil, fmt.Errorf("scripted: game %s has no scripted player; games that have one: %s", g.Spec().Name, strings.Join(Games(), ", "))
}

// Must is New for a game that is known to have a scripted player; it panics for
// another.
func Must(g engine.Game) agents.Policy {
	p, err := New(g)
	if err != nil {
		panic(err)
	}
	return p
}

// Games lists the names of the games that have a scripted player.
func Games() []string {
	names := make([]string, 0, len(makers))
	for name := range makers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// apply plays a move that the state has offered.
func apply(s engine.State, a engine.Action) {
	if err := s.Apply(a); err != nil {
		panic(fmt.Sprintf("scripted: a game refuses a move that it offered: %v", err))
	}
}
