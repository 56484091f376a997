package bloc_test

import (
	"testing"

	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
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

func TestConformance(t *testing.T) {
	for _, name := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 2, Every: 9, Position: bloc.PlainPosition})
		})
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", games.New); n < 88 {
		t.Errorf("%d scripts of the specification's 88 examples", n)
	}
	if n := enginetest.Scripts(t, "testdata/rules", games.New); n == 0 {
		t.Error("no scripts of our own")
	}
}
