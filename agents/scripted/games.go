package scripted

import (
	"powderkeg/agents"
	"powderkeg/agents/scripted/bloc"
	"powderkeg/agents/scripted/domination"
	"powderkeg/agents/scripted/insurgency"
	"powderkeg/agents/scripted/jogu"
	"powderkeg/agents/scripted/minuteman"
	"powderkeg/engine"
	"powderkeg/engine/option"
)

// player is what a game registers here: its scripted player and the options of that
// player alone, which have one name in no two games.
type player struct {
	make    func(engine.Game, option.Values) agents.Policy
	options []option.Option
}

// plain is a player without options of its own.
func plain(make func(engine.Game) agents.Policy) player {
	return player{make: func(g engine.Game, _ option.Values) agents.Policy { return make(g) }}
}

// players lists the games that have a scripted player.
var players = map[string]player{
	"kuhn":       plain(func(engine.Game) agents.Policy { return kuhnPlayer{Alpha: 1. / 6} }),
	"leduc":      plain(func(engine.Game) agents.Policy { return leducPolicy{} }),
	"tictactoe":  plain(newTicTacToe),
	"connect4":   plain(newConnect4),
	"liars_dice": plain(func(engine.Game) agents.Policy { return liarsDice{} }),
	"goofspiel":  plain(func(engine.Game) agents.Policy { return goofspielPlayer{} }),
	"jogu":       plain(func(engine.Game) agents.Policy { return &jogu.Policy{} }),
	"bloc":       plain(func(engine.Game) agents.Policy { return &bloc.Policy{} }),
	"domination": plain(func(g engine.Game) agents.Policy { return domination.New(g.Spec().Seats) }),
	"insurgency": plain(func(g engine.Game) agents.Policy { return insurgency.New(g) }),
	"minuteman": {
		make: func(g engine.Game, v option.Values) agents.Policy {
			return minuteman.New(g, minutemanPlans[v.Choice(planOption)])
		},
		options: []option.Option{
			{Name: planOption, Kind: option.Choice, Default: "auto", Choices: []string{"auto", "passive", "violent"},
				Help: "what a Rebel of minuteman is after; auto chooses by the situation"},
		},
	},
}

const planOption = "plan"

var minutemanPlans = map[string]minuteman.Plan{"auto": minuteman.Auto, "passive": minuteman.Passive, "violent": minuteman.Violent}
