package bloc_test

import (
	"encoding/json"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/script"
)

// settings are game strings that together use every option and every scenario.
var settings = []string{
	"bloc",
	"bloc(players=2)",
	"bloc(players=3,mode=semi_cooperative)",
	"bloc(mode=semi_cooperative,auto_forced=true)",
	"bloc(scenario=beginner,players=3,use_overpass=true)",
	"bloc(scenario=beginner_city,auto_forced=true)",
	"bloc(scenario=routine_traffic_stop)",
	"bloc(scenario=abolish_the_police,players=3,ops_difficulty=hard)",
	"bloc(scenario=burn_down_the_company_town,players=2)",
	"bloc(scenario=occupy_everything,ops_difficulty=easy)",
	"bloc(scenario=asymmetrical_struggle,mode=semi_cooperative)",
	"bloc(scenario=let_the_infighting_begin,players=3)",
	"bloc(scenario=let_the_infighting_begin)",
	"bloc(scenario=collective_liberation,use_overpass=true)",
	"bloc(scenario=smash_the_state,mode=semi_cooperative)",
	"bloc(scenario=autonomous_zone_1,players=3,mode=semi_cooperative)",
	"bloc(scenario=autonomous_zone_2,players=2,use_overpass=true)",
}

// R-05 too: trades are redealt at every moment.
func TestConformance(t *testing.T) {
	for _, name := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 2, Every: 23, Position: bloc.PlainPosition, Reveals: reveals})
		})
	}
}

// reveals reports whether a step shows what has been chosen or dealt unseen before:
// agendas decide whether the game ends; a card that is played in answer to a secret
// question shows where; the partner of a trade is shown the offer, and the others what
// comes of it; and with auto_forced a faction plays its only card unasked (R13.1).
func reveals(before, after engine.View) bool {
	a, b := open(before), open(after)
	if a.ToAct() == engine.Nobody { // a later question at Sunrise, after a public attack
		return districts(a) != districts(b)
	}
	switch f := a.P.Asked; a.Decision() + 1 {
	case 12, 15, 24, 26, 28:
		return b.P.HandSize[f] < a.P.HandSize[f]
	case 21, 22:
		return true
	case 2:
		return a.P.HandSize[f] == 1 && b.P.HandSize[f] == 0
	}
	return b.ToAct() == engine.Terminal
}

// districts returns what stands in all districts, as JSON.
func districts(s *bloc.View) string {
	data, err := s.MarshalJSON()
	if err != nil {
		panic(err)
	}
	var fields struct{ Districts json.RawMessage }
	if err := json.Unmarshal(data, &fields); err != nil {
		panic(err)
	}
	return string(fields.Districts)
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", script.Options{}); n < 88 {
		t.Errorf("%d scripts of the specification's 88 examples", n)
	}
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("no scripts of our own")
	}
}

func FuzzPlay(f *testing.F) {
	var all []engine.Game
	for _, name := range settings {
		all = append(all, enginetest.Game(f, name))
	}
	enginetest.Fuzz(f, reveals, all...)
}

func FuzzLoad(f *testing.F) { enginetest.FuzzLoad(f, 60, 8, enginetest.Game(f, coop)) }

// Whole games, for reading the diff when behaviour changes.
func TestPlaythroughs(t *testing.T) {
	for name, text := range map[string]string{
		"standard":            "bloc(mode=semi_cooperative)",
		"beginner_city_three": "bloc(scenario=beginner_city,players=3)",
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Golden(t, "testdata/playthroughs/"+name+".txt", enginetest.Playthrough(enginetest.Game(t, text), 6))
		})
	}
}
