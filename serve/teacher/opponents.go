package teacher

import (
	"slices"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine"
)

// Opponent is an agent that can be chosen, from the weakest to the strongest kind.
type Opponent struct {
	Agent string `json:"agent"`
	// Level names it in the page's strings: "random", "beginner", "casual", "scripted",
	// "search" or "network".
	Level string `json:"level"`
}

// Opponents returns the agents that play a game, of those that newAgent makes.
func Opponents(g engine.Game, newAgent func(g engine.Game, text string) (agents.Agent, error)) []Opponent {
	all := []Opponent{
		{"random", "random"}, {"scripted(slips=0.5)", "beginner"}, {"scripted(slips=0.2)", "casual"},
		{"scripted", "scripted"}, {"mcts(sims=200,rollout=scripted,depth=40)", "search"},
	}
	for _, name := range Networks(g) {
		all = append(all, Opponent{"zoo:" + name, "network"})
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
