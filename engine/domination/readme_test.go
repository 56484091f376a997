package domination_test

import (
	"reflect"
	"testing"

	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

// README.md and its table, under the working title (Q1).
func TestReadme(t *testing.T) { enginetest.Readme(t, enginetest.Game(t, "domination")) }

// What README.md says beside its table.
func TestReadmeSizes(t *testing.T) {
	if s := enginetest.Game(t, "domination(players=6)").Spec(); s.MaxDecisions != 37044 {
		t.Errorf("with six players at most %d decisions", s.MaxDecisions)
	}
	if n := reflect.TypeOf(domination.PlainPosition).Size(); n != 1000 {
		t.Errorf("a position has %d bytes", n)
	}
}

// Whole games, for reading the diff when behaviour changes. Short ones, since every
// situation is written out.
func TestPlaythroughs(t *testing.T) {
	for name, text := range map[string]string{
		"two_players":   "domination(turns=3)",
		"three_players": "domination(players=3,turns=2,fixed_pool=" + fixedPool + ")",
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Golden(t, "testdata/playthroughs/"+name+".txt", enginetest.Playthrough(enginetest.Game(t, text), 1))
		})
	}
}

// Every ruling names the tests that pin it, and they exist; it is cited where it is carried
// out, and in a test or a script.
func TestRulingsArePinned(t *testing.T) { enginetest.Rulings(t, 53) }
