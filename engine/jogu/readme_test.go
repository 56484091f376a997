package jogu_test

import (
	"reflect"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/jogu"
)

func TestReadme(t *testing.T) { enginetest.Readme(t, enginetest.Game(t, "jogu")) }

// What README.md says beside its table. R4.1 and R19.1: with the expansion the game is longer
// and has more outcomes.
func TestReadmeSizes(t *testing.T) {
	s := enginetest.Game(t, "jogu(expansion=true)").Spec()
	if len(s.Actions) != 48 || len(s.Outcomes) != 87 || s.MaxDecisions != 6000 {
		t.Errorf("with the expansion %d actions, %d outcomes, %d decisions", len(s.Actions), len(s.Outcomes), s.MaxDecisions)
	}
	if n := reflect.TypeFor[jogu.Position]().Size(); n != 544 {
		t.Errorf("a position has %d bytes", n)
	}
}

// Whole games, for reading the diff when behaviour changes.
func TestPlaythroughs(t *testing.T) {
	for name, text := range map[string]string{
		"engineers_agents": "jogu(first=engineers,second=agents)",
		"mibits_wu":        "jogu(first=mibits,second=wu)",
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Golden(t, "testdata/playthroughs/"+name+".txt", enginetest.Playthrough(enginetest.Game(t, text), 1))
		})
	}
}

// Every ruling names the tests that pin it, and they exist.
func TestRulingsArePinned(t *testing.T) { enginetest.Rulings(t, 44) }
