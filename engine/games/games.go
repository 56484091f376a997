// Package games is the explicit list of all games and the look-up by game
// string.
package games

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/connect4"
	"powderkeg/engine/domination"
	"powderkeg/engine/insurgency"
	"powderkeg/engine/jogu"
	"powderkeg/engine/kuhn"
	"powderkeg/engine/leduc"
	liarsdice "powderkeg/engine/liars_dice"
	"powderkeg/engine/minuteman"
	"powderkeg/engine/option"
	"powderkeg/engine/tictactoe"
)

// Families lists every game, the reference games first.
func Families() []engine.Family {
	return []engine.Family{
		kuhn.Family,
		leduc.Family,
		tictactoe.Family,
		connect4.Family,
		liarsdice.Family,
		jogu.Family,
		bloc.Family,
		domination.Family,
		insurgency.Family,
		minuteman.Family,
	}
}

// New makes the game that a game string names, such as
// "jogu(first=agents,second=engineers)". Errors wrap option.ErrUsage and list
// the valid choices.
func New(text string) (engine.Game, error) {
	name, arguments, err := option.Split(text)
	if err != nil {
		return nil, err
	}
	f, err := Find(name)
	if err != nil {
		return nil, err
	}
	values, err := option.Check(f.Name, f.Options, arguments)
	if err != nil {
		return nil, err
	}
	return f.Configure(values)
}

// Find returns the family of that name.
func Find(name string) (engine.Family, error) {
	var names []string
	for _, f := range Families() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return engine.Family{}, fmt.Errorf("%w: unknown game %q; games: %s", option.ErrUsage, name, strings.Join(names, ", "))
}
