package roster

import (
	"slices"
	"strings"

	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
)

// scenarioOption is the option of a game that makes another game of it.
const scenarioOption = "scenario"

// Networks returns the names of the networks of the zoo that were trained for a game as its
// options make it: for its scenario, its number of seats and what its seats win by. Other
// options change little of what a network has learned. The network whose levels are rated
// comes first.
func Networks(g engine.Game) []string {
	var names []string
	for _, name := range checkpoints.Zoo() {
		m, err := checkpoints.ZooManifest(name)
		if err != nil || !trainedFor(m.Game, g) {
			continue
		}
		if _, err := New(g, zooPrefix+name); err == nil {
			names = append(names, name)
		}
	}
	if rated, _ := Rated(Levels(g)); slices.Contains(names, rated) {
		names = slices.Insert(slices.DeleteFunc(names, func(name string) bool { return name == rated }), 0, rated)
	}
	return names
}

// Rated returns the name of the network that plays the best of a game's levels, and its strength
// on the scale of Level.Elo; "" and 0 where none does, or where it has not been rated.
func Rated(levels []Level) (name string, elo int) {
	best := levels[len(levels)-1]
	ref, ok := Network(best.Agent)
	if !ok {
		ref, _ = Planner(best.Agent)
	}
	name, zoo := strings.CutPrefix(ref, zooPrefix)
	if !zoo || best.Elo == 0 {
		return "", 0
	}
	return name, best.Elo
}

// NetworkElo returns the strength of a network of the zoo in a game as its options make it, on the
// scale of Level.Elo; 0 where it has not been rated.
func NetworkElo(g engine.Game, name string) int {
	if rated, elo := Rated(Levels(g)); rated == name {
		return elo
	}
	for _, r := range ratings[g.Spec().Name] {
		if r.network == name && has(g, r.options) {
			return r.elo
		}
	}
	return 0
}

// trainedFor reports whether a network that was trained for the game string text was trained for
// the scenario, the seats and the payoff of g.
func trainedFor(text string, g engine.Game) bool {
	own := g.Spec()
	if name, _, err := option.Split(text); err != nil || name != own.Name {
		return false // before a game is made
	}
	trained, err := env.NewGame(text)
	if err != nil {
		return false
	}
	spec := trained.Spec()
	return spec.Seats == own.Seats && spec.Payoff == own.Payoff && chosen(spec.Text, scenarioOption) == chosen(own.Text, scenarioOption)
}

// chosen returns the value of an option in a canonical game string, which leaves out what is as
// by default: "" for that.
func chosen(text, name string) string {
	_, arguments, err := option.Split(text)
	if err != nil {
		return ""
	}
	if i := slices.IndexFunc(arguments, func(a option.Argument) bool { return a.Name == name }); i >= 0 {
		return arguments[i].Value
	}
	return ""
}
