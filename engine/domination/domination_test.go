package domination_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/script"
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
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 1, Every: 37, Position: domination.PlainPosition,
				Reveals: lastCardDiscarded})
		})
	}
}

// What is told of random games, README.md lists.
func TestEvents(t *testing.T) {
	var games []engine.Game
	for _, name := range settings {
		games = append(games, enginetest.Game(t, name))
	}
	enginetest.Events(t, domination.Family, games, "fog", "returned")
}

// lastCardDiscarded reports whether the last card of a hand came to light as the second
// discard, which is not asked about (R11.1).
func lastCardDiscarded(before, after engine.View) bool {
	b, a := open(before), open(after)
	if b.Decision() != domination.TurnDecision {
		return false
	}
	was, is := &b.P.Seats[b.ToAct()], &a.P.Seats[b.ToAct()]
	return was.HandSize == 2 && is.Discards >= was.Discards+2
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", script.Options{}); n != 58 {
		t.Errorf("%d scripts of the specification's examples, want 58", n)
	}
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("no scripts of our own")
	}
}

// FuzzPlay leaves out the large tables, which the conformance suite plays: what it
// checks at every ply takes time for each seat.
func FuzzPlay(f *testing.F) {
	var all []engine.Game
	for _, name := range []string{
		"domination(players=2,extended_pool=true)", "domination(players=2,auto_forced=false,fixed_pool=" + fixedPool + ")",
		"domination(players=3,rotate_first_player=true)",
	} {
		all = append(all, enginetest.Game(f, name))
	}
	enginetest.Fuzz(f, lastCardDiscarded, all...)
}

func FuzzLoad(f *testing.F) {
	enginetest.FuzzLoad(f, 25, 1, enginetest.Game(f, "domination(players=3,extended_pool=true,fixed_pool="+fixedPool+")"))
}
