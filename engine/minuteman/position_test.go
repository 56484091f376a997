package minuteman_test

import (
	"errors"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
)

// TestBadPositionsAreRefused is about R1.2 to R1.7, R3.1 and R19: the error names
// the rule.
func TestBadPositionsAreRefused(t *testing.T) {
	enginetest.BadPositions(t, enginetest.Game(t, "minuteman"), map[string]string{
		`{"phase":"A1","units":[{"unit":"network","hex":"9999"}]}`:                                                               "R1.2",
		`{"phase":"A1","units":[{"unit":"network","hex":"2714"}]}`:                                                               "R7.1",
		`{"phase":"A1","units":[{"unit":"network","hex":"2715"},{"unit":"network","hex":"2715"}]}`:                               "R1.3",
		`{"phase":"A1","units":[{"unit":"minuteman","hex":"3908"}]}`:                                                             "R3.1",
		`{"phase":"A1","units":[{"unit":"army","hex":"2214","counter":"DIV-1"},{"unit":"army","hex":"2215","counter":"DIV-1"}]}`: "R1.6",
		`{"phase":"A1","units":[{"unit":"army","hex":"2214","counter":"DIV-99"}]}`:                                               "R1.3",
		`{"phase":"A1","hands":[{"assassin":17}]}`:                                                                               "must be 0 to 16",
		`{"phase":"A1","hands":[{"passage":4},{"passage":4}]}`:                                                                   "R1.4",
		`{"phase":"A1","riots":["2714"]}`:                                                                                        "R7.4",
		`{"phase":"A1","pool":{"assassin":1}}`:                                                                                   "R1.4",
		`{"phase":"X"}`:                                                                                                          "unknown",
		`{"turn":25,"phase":"A1"}`:                                                                                               "must be 1 to 24",
		`{"phase":"A1","revolution_turn":2,"units":[{"unit":"minuteman","hex":"2714","marks":["underground"]}]}`:                 "R20.2",
		`{"phase":"A1","units":[{"unit":"agent","hex":"2714"},{"unit":"agent","hex":"2714"},{"unit":"agent","hex":"2714"},{"unit":"agent","hex":"2714"}]}`: "R1.3",
		`{"phase":"A1","units":[{"unit":"militia","hex":"2714","counter":"MIL1-HOU","marks":["untried"],"can_be":["MIL1-BLISS"]}]}`:                        "R19",
	})
}

// TestOptionsThatDoNotGoTogether is about R22.3 and R23.
func TestOptionsThatDoNotGoTogether(t *testing.T) {
	for _, text := range []string{
		"minuteman(players=3,scenario=partisan)", "minuteman(scenario=partisan,air_assault=true)", "minuteman(scenario=occupation,canada_mexico=true)",
		"minuteman(players=4,foreign_intervention=true)", "minuteman(scenario=civil_war,rebel=organized)", "minuteman(dispersed=true)", "minuteman(players=5)",
	} {
		if _, err := games.New(text); !errors.Is(err, option.ErrUsage) {
			t.Errorf("%s: error %v, want one that wraps ErrUsage", text, err)
		}
	}
}

// FuzzLoad reads positions from arbitrary bytes: each is refused with an error that
// wraps ErrPosition, or can be dumped and read again.
func FuzzLoad(f *testing.F) {
	g := enginetest.Game(f, "minuteman")
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"phase":"A4","turn":3,"units":[{"unit":"minuteman","hex":"2214"},{"unit":"agent","hex":"2214"}],"flow":{"window":2,"seat":1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := g.Load(data, engine.Lenient)
		if err != nil {
			if !errors.Is(err, engine.ErrPosition) {
				t.Fatalf("the error %q does not wrap ErrPosition", err)
			}
			return
		}
		text, err := s.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		again, err := g.Load(text, engine.Lenient)
		if err != nil || again.Hash() != s.Hash() {
			t.Fatalf("%s does not survive being read: %v", text, err)
		}
	})
}
