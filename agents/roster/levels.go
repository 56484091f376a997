package roster

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/option"
)

// Level is a strength at which a game's bots play people: each wins two or three games of
// four against the one before.
type Level struct {
	// Name is what the level is called: "beginner", "casual", "strong" or "best".
	Name string `json:"name"`
	// Agent is the agent string of who plays it.
	Agent string `json:"agent"`
	// Elo is the level's strength in games against the other levels and the scripted
	// player, who has ScriptedElo. Where all seats win together it is reckoned from how
	// often a team of the level wins: 400 points are ten times the odds. It is 0 where the
	// levels have not been rated.
	Elo int `json:"elo"`
}

// ScriptedElo is the scripted player's place on the scale of levels.
const ScriptedElo = 1500

// ladder is the levels of a game, weakest first, by one agent that slips less and less.
type ladder struct {
	// options, such as scenario=resistance, are what the game must have, or with no value,
	// as in "scenario=", must leave as it is by default, separated by commas; "" for a ladder
	// of all games that its agent plays. payoff=cooperative asks for a game of that payoff,
	// whichever option has made it so.
	options string
	// agent has %s in the place of the share of slips.
	agent string
	// slips and elo are those of the levels, as many as the game has room for; the last
	// one does not slip. A ladder that has not been rated has no elo.
	slips []string
	elo   []int
}

// unrated is the ladder of the games and options that have no other, so that every game has its
// levels: the shares of slips lie between those of small and of large games.
var unrated = ladder{"", "scripted(slips=%s)", []string{"0.4", "0.2", "0.1", "0"}, nil}

var levelNames = []string{"beginner", "casual", "strong", "best"}

// ladders has those of each game, the better one first: that of a network, which may play
// some options only, before that of the scripted player. Report 0014 has the matches, which
// experiments/yardsticks/ladder.py plays.
var ladders = map[string][]ladder{
	"jogu": {{"", "network(net=zoo:jogu,slips=%s)", []string{"0.69", "0.44", "0.19", "0"}, []int{942, 1143, 1381, 1602}}},
	"domination": {
		{"", "network(net=zoo:domination,slips=%s)", []string{"0.194", "0.11", "0.042", "0"}, []int{1084, 1290, 1490, 1749}},
		{"", "network(net=zoo:domination_three,slips=%s)", []string{"0.325", "0.214", "0.109", "0"}, []int{878, 1074, 1276, 1491}},
		{"", "network(net=zoo:domination_four,slips=%s)", []string{"0.262", "0.171", "0.093", "0"}, []int{962, 1136, 1316, 1510}},
		// The bots of five and six are weak where several of them sit at a table.
		{"players=5", "scripted(slips=%s)", []string{"0.265", "0.174", "0.097", "0"}, []int{915, 1135, 1309, ScriptedElo}},
		{"players=6", "scripted(slips=%s)", []string{"0.305", "0.215", "0.12", "0"}, []int{933, 1112, 1286, ScriptedElo}},
	},
	"insurgency": {
		{"scenario=resistance", "network(net=zoo:insurgency_resistance,slips=%s)", []string{"0.23", "0.15", "0.077", "0"}, []int{933, 1139, 1356, 1586}},
		{"scenario=", "network(net=zoo:insurgency,slips=%s)", []string{"0.189", "0.12", "0.062", "0"}, []int{1093, 1273, 1466, 1655}},
		{"", "scripted(slips=%s)", []string{"0.255", "0.164", "0.078", "0"}, []int{896, 1091, 1289, ScriptedElo}},
	},
	// Teams of the level, by how often they win; where a seat may win alone too few games are won to rate by.
	"bloc": {
		{"scenario=,players=,payoff=cooperative", plans, planSlips, []int{1280, 1432, 1637, 1822}},
		{"scenario=beginner_city,players=", plans, planSlips, []int{1195, 1328, 1478, 1633}},
		{"scenario=autonomous_zone_1,players=", plans, planSlips, []int{1280, 1441, 1597, 1749}},
		{"scenario=autonomous_zone_2,players=", plans, planSlips, []int{1083, 1232, 1387, 1526}},
		{"scenario=beginner,players=", plans, planSlips, []int{1175, 1339, 1606, 1730}},
		// In the other scenarios the scripted team, by which ratings are reckoned, wins next to nothing.
		{"payoff=cooperative", plans, planSlips, nil},
		// With agendas neighbouring levels can't be told apart by their results.
		{"scenario=,payoff=general-sum", "network(net=zoo:bloc_agendas,slips=%s)", unrated.slips, nil},
	},
	"minuteman": {
		{"scenario=,players=", "network(net=zoo:minuteman,slips=%s)", []string{"0.523", "0.237", "0.062", "0"}, []int{1006, 1211, 1471, 1703}},
		// In the other scenarios a side is worth more than any strength: a stronger level gains more on either side,
		// and may win no more games. So they have no ratings.
		{"scenario=partisan", "network(net=zoo:minuteman_partisan,slips=%s)", []string{"0.8", "0.3", "0.1", "0"}, nil},
		{"scenario=civil_war", "network(net=zoo:minuteman,slips=%s)", []string{"0.8", "0.3", "0.1", "0"}, nil},
		{"scenario=occupation", "network(net=zoo:minuteman,slips=%s)", []string{"0.3", "0"}, nil},
	},
	"connect4": {{"", "scripted(slips=%s)", []string{"0.4", "0.262", "0.125", "0"}, []int{986, 1139, 1292, ScriptedElo}}},
}

// plans is the agent of the levels of Bloc's teams, and planSlips are their shares of slips.
const plans = "planner(net=zoo:bloc_plans,slips=%s)"

var planSlips = []string{"0.202", "0.15", "0.075", "0"}

// rating is the strength of a network that plays no ladder, on the scale of the ladders of its game.
type rating struct {
	options string // as those of a ladder
	network string
	elo     int
}

// ratings are reckoned from matches as those of the ladders are; TestRatingsFollowFromRecords names the records.
var ratings = map[string][]rating{
	"bloc": {{"scenario=,players=,payoff=cooperative", "bloc", 1702}},
}

// Levels returns the strengths at which the game's bots play people, weakest first: those of
// the first ladder whose agent plays the game with its options.
func Levels(g engine.Game) []Level {
	for _, l := range ladders[g.Spec().Name] {
		if !has(g, l.options) {
			continue
		}
		levels := l.levels()
		if _, err := find(kinds, g, levels[0].Agent); err == nil {
			return levels
		}
	}
	return unrated.levels()
}

// has reports whether a game has the options of a ladder or of a rating.
func has(g engine.Game, options string) bool {
	if options == "" {
		return true
	}
	spec := g.Spec()
	for o := range strings.SplitSeq(options, ",") {
		name, want, _ := strings.Cut(o, "=")
		given := chosen(spec.Text, name)
		if name == "payoff" {
			given = string(spec.Payoff)
		}
		if given != want {
			return false
		}
	}
	return true
}

func (l ladder) levels() []Level {
	levels := make([]Level, len(l.slips))
	for i, name := range l.names() {
		levels[i] = Level{Name: name, Agent: fmt.Sprintf(l.agent, l.slips[i])}
		if l.elo != nil {
			levels[i].Elo = l.elo[i]
		}
	}
	return levels
}

// names returns the names of the levels: a ladder of fewer than four ends with the best, too.
func (l ladder) names() []string {
	below := len(l.slips) - 1
	return append(slices.Clone(levelNames[:below]), levelNames[len(levelNames)-1])
}

// named returns the agent string of a level. Where the game has fewer levels than there are
// names, a name that it lacks stands for the next stronger one, so that a level is an opponent
// in every game.
func named(g engine.Game, level string) (string, error) {
	levels := Levels(g)
	at := slices.Index(levelNames, level)
	var names []string
	for _, l := range levels {
		if at >= 0 && slices.Index(levelNames, l.Name) >= at {
			return l.Agent, nil
		}
		names = append(names, l.Name)
	}
	return "", fmt.Errorf("%w: unknown level %q; levels of %s: %s", option.ErrUsage, option.Shorten(level), g.Spec().Text, strings.Join(names, ", "))
}

func openLevel(g engine.Game, level string) (agents.Agent, error) {
	agent, err := named(g, level)
	if err != nil {
		return nil, err
	}
	return find(kinds, g, agent)
}

func levelPolicies(g engine.Game, level string) (func() agents.Policy, error) {
	agent, err := named(g, level)
	if err != nil {
		return nil, err
	}
	return Policies(g, agent)
}
