package teacher

import (
	"cmp"
	"slices"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine"
)

// Opponent is an agent that can be chosen.
type Opponent struct {
	Agent string `json:"agent"`
	// Level names it in the page's strings: "random", one of roster.Levels, "scripted",
	// "search" or "network".
	Level string `json:"level"`
	// Elo is its strength, roster.ScriptedElo for the scripted player; absent where it has
	// not been measured.
	Elo int `json:"elo,omitempty"`
}

// Opponents returns the agents that play a game, of those that newAgent makes: random
// play, then what has been rated, the weakest first, then the rest.
func Opponents(g engine.Game, newAgent func(g engine.Game, text string) (agents.Agent, error)) []Opponent {
	levels := roster.Levels(g)
	var rated []Opponent
	for _, l := range levels {
		rated = append(rated, Opponent{"level:" + l.Name, l.Name, l.Elo})
	}
	scripted := Opponent{Agent: "scripted", Level: "scripted"}
	if levels != nil {
		scripted.Elo = roster.ScriptedElo
	} else {
		rated = append(rated, Opponent{Agent: "scripted(slips=0.5)", Level: "beginner"}, Opponent{Agent: "scripted(slips=0.2)", Level: "casual"})
	}
	// The best level is the scripted player itself where no network plays the game.
	if !slices.ContainsFunc(levels, func(l roster.Level) bool { return l.Agent == "scripted(slips=0)" }) {
		rated = append(rated, scripted)
	}
	slices.SortStableFunc(rated, func(a, b Opponent) int { return cmp.Compare(a.Elo, b.Elo) })
	all := append([]Opponent{{Agent: "random", Level: "random"}}, rated...)
	all = append(all, Opponent{Agent: "mcts(sims=200,rollout=scripted,depth=40)", Level: "search"})
	for _, name := range Networks(g) {
		all = append(all, Opponent{Agent: "zoo:" + name, Level: "network"})
	}
	return slices.DeleteFunc(all, func(o Opponent) bool {
		_, err := newAgent(g, o.Agent)
		return err != nil
	})
}

// Networks returns the names of the trained networks that ship for a game.
func Networks(g engine.Game) []string {
	var names []string
	for _, name := range checkpoints.Zoo() {
		if c, err := checkpoints.Open("zoo:" + name); err == nil && strings.HasPrefix(c.Manifest.Game, g.Spec().Name) {
			if _, err := roster.New(g, "zoo:"+name); err == nil {
				names = append(names, name)
			}
		}
	}
	return names
}
