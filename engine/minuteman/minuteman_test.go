package minuteman_test

import (
	"math/rand/v2"
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
func TestConformance(t *testing.T) {
	for _, name := range settings {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 2, Every: 41, Position: minuteman.PlainPosition, Reveals: minuteman.Reveals})
		})
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", script.Options{}); n == 0 {
		t.Error("no scripts of the specification's examples")
	}
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("no scripts of our own")
	}
}

// FuzzPlay lets bytes choose among the moves: every position survives being read, and a
// seat sees the same when what it cannot see is dealt anew. (enginetest.Fuzz would take
// the type of a drawn counter, which comes to light, for a leak.)
func FuzzPlay(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	f.Add([]byte{1, 255, 254, 253, 252, 251, 250, 0, 0, 0, 0, 9, 9, 9, 9, 100})
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) == 0 {
			return
		}
		g := enginetest.Game(t, settings[int(input[0])%len(settings)])
		s := g.New()
		for i, c := range input[1:] {
			if s.ToAct() == engine.Terminal {
				return
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[int(c)%len(moves)]); err != nil {
				t.Fatal(err)
			}
			text, err := s.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if again, err := g.Load(text, engine.Strict); err != nil || again.Hash() != s.Hash() {
				t.Fatalf("%s does not survive being read: %v", text, err)
			}
			for p := range engine.Player(g.Spec().Seats) {
				view := engine.Clone(g, s).(engine.Hidden)
				view.Redact(p)
				deal := engine.Clone(g, view).(engine.Hidden)
				deal.Redeal(p, rand.NewPCG(uint64(i), uint64(c)))
				deal.Redact(p)
				if deal.Hash() != view.Hash() {
					t.Fatalf("seat %d notices a new deal of %s", p, text)
				}
			}
		}
	})
}
