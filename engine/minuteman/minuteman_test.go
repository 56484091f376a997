package minuteman_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/minuteman"
	"powderkeg/engine/script"
)

// settings are game strings that together use every option, every scenario and
// every number of players.
var settings = []string{
	"minuteman",
	"minuteman(scenario=partisan,elite_units=true)",
	"minuteman(scenario=occupation,foreign_intervention=true,air_assault=true,amphibious_assault=true)",
	"minuteman(scenario=civil_war,canada_mexico=true,foreign_intervention=true,elite_units=true)",
	"minuteman(government=unprepared,rebel=uncoordinated,air_assault=true,amphibious_assault=true)",
	"minuteman(government=prepared,rebel=organized,canada_mexico=true)",
	"minuteman(players=3)",
	"minuteman(players=4,dispersed=true)",
	"minuteman(players=4,air_assault=true)",
}

// Ruling 39.
//
// R2: a dump holds the whole state, and two worlds that a seat cannot tell apart look alike.
func TestConformance(t *testing.T) {
	for _, name := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 2, Every: 41, Position: minuteman.PlainPosition,
				Reveals: minuteman.Reveals})
		})
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

// R19, R21: what a view hides is declared at its field.
func TestSecretsAreDeclared(t *testing.T) {
	enginetest.SecretsDeclared(t, []engine.Game{enginetest.Game(t, "minuteman")})
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", script.Options{}); n == 0 {
		t.Error("no scripts of the specification's examples")
	}
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("no scripts of our own")
	}
}

// TestEvents: README.md lists each kind with its arguments, every event cites a rule, and
// listeners are not copied.
func TestEvents(t *testing.T) {
	var games []engine.Game
	for _, name := range append(settings, "minuteman(players=4,foreign_intervention=true)") {
		games = append(games, enginetest.Game(t, name))
	}
	enginetest.Events(t, minuteman.Family, games, "impossible", "pin_removal", "unplaced", "government", "out", "federalized", "unfederalized",
		"brigades",
		"changed_sides", "lot", "lapsed", "flight", "spread")
}

func FuzzPlay(f *testing.F) {
	var all []engine.Game
	for _, name := range settings {
		all = append(all, enginetest.Game(f, name))
	}
	enginetest.Fuzz(f, minuteman.Reveals, all...)
}
