package domination_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
)

const fixedPool = "airborne_forces+bio_weapons+fog_of_war+global_disruption+insurgents+mega_storm+military_base+out_of_supply+surrender+tactical_nukes"

// settings are game strings that together use every option, every number of
// players and, over the seeds, every card.
var settings = []string{
	"domination",
	"domination(players=3)",
	"domination(players=4,extended_pool=true)",
	"domination(players=5,rotate_first_player=true,turns=4)",
	"domination(players=6)",
	"domination(players=2,first_player=1,auto_forced=false)",
	"domination(players=3,first_player=0,fixed_pool=" + fixedPool + ")",
	"domination(players=4,turns=20,copies_per_stack=12,logistics_max=20,fixed_pool=" + fixedPool + ")",
	"domination(players=6,turns=1,copies_per_stack=1,logistics_max=4,auto_forced=false)",
}

func TestConformance(t *testing.T) {
	for _, name := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 2, Every: 29, Position: domination.PlainPosition})
		})
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", games.New); n != 55 {
		t.Errorf("%d scripts of the specification's examples, want 55", n)
	}
	if n := enginetest.Scripts(t, "testdata/rules", games.New); n == 0 {
		t.Error("no scripts of our own")
	}
}

func FuzzPlay(f *testing.F) {
	var all []engine.Game
	for _, name := range settings {
		all = append(all, enginetest.Game(f, name))
	}
	enginetest.Fuzz(f, all...)
}
