// Package scripted holds rule-based opponents, one per game: what a good player
// would do by rules of thumb, with the reason beside each. They read nothing but
// the view of their seat and keep no memory, so that they serve as opponents, as
// yardsticks, and as rollout policies of a search.
package scripted

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/scripted/weigh"
	"powderkeg/engine"
	"powderkeg/engine/option"
)

// Options lists the options of the scripted players: those of all games, then those
// that a single game has.
func Options() []option.Option {
	list := []option.Option{random.Slips}
	for _, name := range games() {
		list = append(list, players[name].options...)
	}
	return list
}

// games lists the names of the games that have a scripted player.
func games() []string { return slices.Sorted(maps.Keys(players)) }

// New returns the scripted player of the game with the default of every option.
// Errors are those of With.
func New(g engine.Game) (agents.Policy, error) {
	v, err := option.Check("scripted", Options(), nil)
	if err != nil {
		return nil, err
	}
	return With(g, v)
}

// With returns the scripted player of the game with the values of Options. Errors
// wrap option.ErrUsage: of a game without a scripted player, and of an option that
// only other games have; they list the games that do.
func With(g engine.Game, v option.Values) (agents.Policy, error) {
	p, ok := players[g.Spec().Name]
	if !ok {
		return nil, fmt.Errorf("%w: scripted: game %s has no scripted player; games that have one: %s", option.ErrUsage, g.Spec().Name,
			strings.Join(games(), ", "))
	}
	for _, name := range games() {
		for _, o := range players[name].options {
			if name != g.Spec().Name && !v.IsDefault(o.Name) {
				return nil, fmt.Errorf("%w: scripted: game %s has no option %q; the game that has it: %s", option.ErrUsage, g.Spec().Name, o.Name, name)
			}
		}
	}
	return random.Slipping(p.make(g, v), v.Float(random.Slips.Name)), nil
}

// Weighing is a scripted player whose weights can be changed.
type Weighing interface {
	agents.Policy
	weigh.Player
}

// NewWeighing returns the scripted player of the game as New does, to have its weights
// changed. Errors wrap option.ErrUsage: of a game whose player weighs nothing that can be
// changed; they list the games whose player does.
func NewWeighing(g engine.Game) (Weighing, error) {
	p, err := New(g)
	if err != nil {
		return nil, err
	}
	w, ok := p.(Weighing)
	if !ok {
		return nil, fmt.Errorf("%w: scripted: the player of %s has no weights that can be changed; games whose player has: %s", option.ErrUsage,
			g.Spec().Name, strings.Join(weighed, ", "))
	}
	return w, nil
}

// Planning lists the games whose player shows its candidates (menu.Player).
func Planning() []string { return slices.Clone(planning) }

var planning = []string{"bloc", "minuteman"}

// weighed lists the games whose player has weights that can be changed.
var weighed = []string{"bloc", "insurgency", "minuteman"}

// Must is New for a game that is known to have a scripted player; it panics for
// another.
func Must(g engine.Game) agents.Policy {
	p, err := New(g)
	if err != nil {
		panic(err)
	}
	return p
}

// apply plays a move that the state has offered.
func apply(s engine.State, a engine.Action) {
	if err := s.Apply(a); err != nil {
		panic(fmt.Sprintf("scripted: a game refuses a move that it offered: %v", err))
	}
}
