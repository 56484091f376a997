package teacher

import (
	"cmp"
	"slices"

	"powderkeg/agents"
	"powderkeg/agents/roster"
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

// Opponents returns the agents that play a game with the options that it has, of those that
// newAgent makes: random play, then what has been rated, the weakest first, then a search.
// Networks are those that were trained for it.
func Opponents(g engine.Game, newAgent func(g engine.Game, text string) (agents.Agent, error)) []Opponent {
	makes := func(agent string) bool {
		_, err := newAgent(g, agent)
		return err == nil
	}
	all := []Opponent{{Agent: "random", Level: "random"}}
	levels := roster.Levels(g)
	best := levels[len(levels)-1]
	for _, name := range roster.Networks(g) {
		all = append(all, Opponent{Agent: "zoo:" + name, Level: "network", Elo: roster.NetworkElo(g, name)})
	}
	// The best level is the scripted player itself where it plays the levels.
	if best.Agent != "scripted(slips=0)" {
		scripted := Opponent{Agent: "scripted", Level: "scripted"}
		if best.Elo != 0 {
			scripted.Elo = roster.ScriptedElo
		}
		all = append(all, scripted)
	}
	all = slices.DeleteFunc(all, func(o Opponent) bool { return !makes(o.Agent) })
	// The levels are one agent that slips more or less.
	if makes("level:" + best.Name) {
		for _, l := range levels {
			all = append(all, Opponent{"level:" + l.Name, l.Name, l.Elo})
		}
	}
	slices.SortStableFunc(all, func(a, b Opponent) int { return cmp.Compare(a.Elo, b.Elo) })
	if search := "mcts(sims=200,rollout=scripted,depth=40)"; makes(search) {
		all = append(all, Opponent{Agent: search, Level: "search"})
	}
	return all
}

// Suggested returns who of Opponents is proposed first: the network of the highest rating among those
// that were trained for the game with its options, else the best level, else whoever is there, "" where nobody is.
func Suggested(opponents []Opponent) string {
	for _, level := range []string{"network", "best"} {
		if i := lastOf(opponents, level); i >= 0 {
			return opponents[i].Agent
		}
	}
	if len(opponents) == 0 {
		return ""
	}
	return opponents[len(opponents)-1].Agent
}

// lastOf returns the index of the last opponent of a level, -1 for none.
func lastOf(opponents []Opponent, level string) int {
	for i, o := range slices.Backward(opponents) {
		if o.Level == level {
			return i
		}
	}
	return -1
}
