package insurgency_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
	"powderkeg/engine/script"
)

// settings are game strings that together use every option.
var settings = []string{
	"insurgency",
	"insurgency(scenario=resistance)",
	"insurgency(auto_forced=false)",
	"insurgency(social_media=F,voluntary_removal=false)",
	"insurgency(scenario=custom)",
	"insurgency(scenario=custom,mode=preset,event_tag=resistance)",
	"insurgency(scenario=custom,mode=random,event_tag=none,auto_forced=false)",
}

func TestConformance(t *testing.T) {
	for _, name := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 1, Every: 17, Position: insurgency.PlainPosition, Reveals: handSeen})
		})
	}
}

// What a view hides is declared at the fields (R19.2).
func TestSecretsAreDeclared(t *testing.T) {
	enginetest.SecretsDeclared(t, []engine.Game{enginetest.Game(t, settings[0]), enginetest.Game(t, settings[6])})
}

// look returns all that there is to see of a state.
func look(s engine.View) *insurgency.View { return enginetest.Open[*insurgency.View](s) }

// handSeen reports whether a hand has been inspected (R19.2).
func handSeen(before, after engine.View) bool {
	a, b := look(before), look(after)
	for p := range engine.Player(2) {
		was, seen := a.P.Known[p], b.P.Known[p]
		for n := seen.Next(0); n != 0; n = seen.Next(n) {
			if !was.Has(n) {
				return true
			}
		}
	}
	return false
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", script.Options{}); n != 125 {
		t.Errorf("%d scripts of the specification's examples, want 125", n)
	}
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("no scripts of our own")
	}
	if n := enginetest.Scripts(t, "testdata/cards", script.Options{}); n == 0 {
		t.Error("no scripts of event cards")
	}
}

// Every ruling names the tests that pin it, and they exist.
func TestRulingsArePinned(t *testing.T) { enginetest.Rulings(t, 64) }
