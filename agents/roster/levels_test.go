package roster

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine/option"
	"powderkeg/env"
)

// A level is to win between these shares of its games against the one before.
const leastWon, mostWon = 0.65, 0.85

// Every ladder climbs by steps that people can feel and may hope to climb, by the ratings
// that it states.
func TestLevelsAreSteps(t *testing.T) {
	for game, list := range ladders {
		for _, l := range list {
			if l.elo != nil && len(l.slips) != len(l.elo) || len(l.slips) > len(levelNames) {
				t.Fatalf("%s: %d shares of slips and %d ratings for %d names", game, len(l.slips), len(l.elo), len(levelNames))
			}
			for i := 1; i < len(l.elo); i++ {
				if won := 1 / (1 + math.Pow(10, float64(l.elo[i-1]-l.elo[i])/400)); won < leastWon || won > mostWon {
					t.Errorf("%s: level %s wins %.2f of its games against the one before", game, l.names()[i], won)
				}
			}
			if l.slips[len(l.slips)-1] != "0" {
				t.Errorf("%s: the best level slips", game)
			}
		}
	}
}

// The levels are as far apart as their ratings say: a match of Jogu between each and the
// next. The interval is that of 300 games, four standard deviations to each side.
func TestLevelsPlayAsRated(t *testing.T) {
	g, err := env.NewGame("jogu(first=any,second=any)")
	if err != nil {
		t.Fatal(err)
	}
	levels := Levels(g)
	bots := make([]agents.Agent, len(levels))
	for i, l := range levels {
		if bots[i], err = New(g, "level:"+l.Name); err != nil {
			t.Fatal(err)
		}
	}
	for i := 1; i < len(levels); i++ {
		const n = 300
		won := 0
		for k := range uint64(n) {
			up := k % 2 // the stronger one's seat
			seats := make([]agents.Agent, 2)
			seats[up], seats[1-up] = bots[i], bots[i-1]
			returns, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: k/2 + 1, Agents: k + 1}, table.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if returns[up] > returns[1-up] {
				won++
			}
		}
		want := 1 / (1 + math.Pow(10, float64(levels[i-1].Elo-levels[i].Elo)/400))
		if got := float64(won) / n; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n) {
			t.Errorf("level %s wins %.2f of its games against level %s, by their ratings %.2f", levels[i].Name, got, levels[i-1].Name, want)
		}
	}
}

// A team's rating is what its share of wins comes to beside the scripted team's in the same game:
// 400 points for ten times the odds.
func TestRatingsFollowFromRecords(t *testing.T) {
	share := func(record, figure string) float64 {
		data, err := os.ReadFile(filepath.Join("..", "..", "experiments", "records", record+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			Figures map[string]struct{ Value float64 }
		}
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatal(err)
		}
		if r.Figures[figure].Value == 0 {
			t.Fatalf("%s has no %q", record, figure)
		}
		return r.Figures[figure].Value
	}
	odds := func(p float64) float64 { return p / (1 - p) }
	scripted, team := share("bloc/teams", "scripted, medium.win_rate"), share("bloc/teams", "zoo:bloc, medium.win_rate")
	want := int(math.Round(ScriptedElo + 400*math.Log10(odds(team)/odds(scripted))))
	for game, elo := range map[string]int{"bloc": want, "bloc(mode=cooperative)": want, "bloc(mode=semi_cooperative)": 0, "bloc(scenario=beginner)": 0} {
		g, err := env.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		if got := NetworkElo(g, "bloc"); got != elo {
			t.Errorf("%s: zoo:bloc is rated %d, its records say %d", game, got, elo)
		}
	}
}

// A game has the first ladder whose bot plays it, and says what it has not.
func TestLevelsByName(t *testing.T) {
	for game, want := range map[string]string{
		"jogu": "network(net=zoo:jogu,slips=0.19)", "domination": "network(net=zoo:domination,slips=0.042)",
		"domination(players=4)": "network(net=zoo:domination_four,slips=0.093)", "domination(players=5)": "scripted(slips=0.097)",
		"insurgency(scenario=patriot)": "network(net=zoo:insurgency,slips=0.062)", "insurgency(voluntary_removal=false)": "network(net=zoo:insurgency,slips=0.062)",
		"insurgency(scenario=custom)":     "scripted(slips=0.078)",
		"insurgency(scenario=resistance)": "network(net=zoo:insurgency_resistance,slips=0.077)", "kuhn": "scripted(slips=0.1)",
		"bloc": "planner(net=zoo:bloc_plans,slips=0.075)", "bloc(players=3)": "planner(net=zoo:bloc_plans,slips=0.075)",
		"bloc(mode=cooperative)":      "planner(net=zoo:bloc_plans,slips=0.075)",
		"bloc(mode=semi_cooperative)": "network(net=zoo:bloc_agendas,slips=0.1)", "bloc(players=3,mode=semi_cooperative)": "scripted(slips=0.1)",
		"minuteman": "network(net=zoo:minuteman,slips=0.062)", "minuteman(players=3)": "scripted(slips=0.1)",
		"bloc(scenario=beginner)": "planner(net=zoo:bloc_plans,slips=0.075)",
		"jogu(expansion=true)":    "scripted(slips=0.1)", "minuteman(scenario=partisan)": "network(net=zoo:minuteman_partisan,slips=0.1)",
		"minuteman(scenario=civil_war)": "network(net=zoo:minuteman,slips=0.1)", "minuteman(scenario=occupation)": "network(net=zoo:minuteman,slips=0)",
	} {
		g, err := env.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		agent, err := named(g, "strong")
		if agent != want || err != nil {
			t.Errorf("%s: level strong is %q (%v), want %q", game, agent, err, want)
		}
		if _, err := New(g, "level:strong"); err != nil {
			t.Errorf("%s: level:strong gives error %v", game, err)
		}
		if _, err := Policies(g, "level:strong"); err != nil {
			t.Errorf("%s: policies of level:strong give error %v", game, err)
		}
	}
	for game, want := range map[string]string{
		"jogu":                           "levels of jogu: beginner, casual, strong, best",
		"minuteman(scenario=occupation)": "levels of minuteman(scenario=occupation): beginner, best",
	} {
		g, err := env.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(g, "level:godlike"); !errors.Is(err, option.ErrUsage) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: an unknown level gives error %v, want one with %q", game, err, want)
		}
	}
}

// Every level is an opponent whatever options are chosen.
func TestLevelsFitEveryOption(t *testing.T) {
	for _, f := range env.Families() {
		for _, o := range f.Options {
			for _, value := range o.Values() {
				g, err := env.NewGame(f.Name + "(" + o.Name + "=" + value + ")")
				if err != nil {
					continue // it needs other options beside it
				}
				if _, err := New(g, "level:casual"); err != nil { // the other levels are the same agent
					t.Errorf("%s: level:casual: %v", g.Spec().Text, err)
				}
			}
		}
	}
}
