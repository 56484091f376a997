package minuteman_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
)

// TestBadPositionsAreRefused is about R1.2 to R1.7, R3.1 and R19: the error names
// the rule.
// Ruling 5.
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
		`{"phase":"A1","riots":["2714"]}`:                                                                                        `riots "2714" is unknown; it is one of 101`,
		`{"phase":"A1","pool":{"assassin":1}}`:                                                                                   "R1.4",
		`{"phase":"X"}`:                                                                                                          "unknown",
		`{"turn":25,"phase":"A1"}`:                                                                                               "turn is 25, it must be 0 to 24",
		`{"phase":"A1","revolution_turn":2,"units":[{"unit":"minuteman","hex":"2714","marks":["underground"]}]}`:                 "R20.2",
		`{"phase":"A1","units":[{"unit":"agent","hex":"2714"},{"unit":"agent","hex":"2714"},{"unit":"agent","hex":"2714"},{"unit":"agent","hex":"2714"}]}`:                                                                                                     "R1.3",
		`{"phase":"A1","units":[{"unit":"militia","hex":"2714","counter":"MIL1-HOU","marks":["untried"],"can_be":["MIL1-BLISS"]}]}`:                                                                                                                            "R19",
		`{"phase":"A1","units":[{"unit":"cig","hex":"2715"},{"unit":"cig","hex":"2715"}]}`:                                                                                                                                                                     "2 units of kind cig, at most 1 (R1.3, R1.7)",
		`{"phase":"A1","units":[{"unit":"army","hex":"2715","counter":"DIV-1"},{"unit":"army","hex":"2715","counter":"DIV-2"}]}`:                                                                                                                               "2 units of kind army, at most 1 (R1.3, R1.7)",
		`{"phase":"A1","units":[{"unit":"militia","hex":"2715","counter":"MIL1-HOU"},{"unit":"militia","hex":"2715","counter":"MIL1-HILL"}]}`:                                                                                                                  "2 units of kind militia, at most 1 (R1.3, R1.7)",
		`{"phase":"A1","units":[{"unit":"minuteman","hex":"2715"},{"unit":"minuteman","hex":"2715"},{"unit":"minuteman","hex":"2715"},{"unit":"agent","hex":"2715"},{"unit":"agent","hex":"2715"},{"unit":"agent","hex":"2715"},{"unit":"cig","hex":"2715"}]}`: "more than 6 units (R1.7)",
		`{"phase":"A1","units":[{"unit":"militia","hex":"2715","counter":"DIV-1"}]}`:                                                                                                                                                                           `"militia" can not be the counter DIV-1 (R1.3)`,
		`{"phase":"A1","units":[{"unit":"minuteman","hex":"2715","counter":"DIV-1"}]}`:                                                                                                                                                                         "for militia and army (R19)",
		`{"phase":"A1","units":[{"unit":"army","hex":"2715","counter":"FOR-1"}]}`:                                                                                                                                                                              "R22.3",
		`{"phase":"A1","units":[{"unit":"army","hex":"2715","counter":"CAN-1"}]}`:                                                                                                                                                                              "R22.3",
		`{"phase":"A1","units":[{"unit":"army","hex":"2715","counter":"DIV-1","marks":["rebel_held"]}]}`:                                                                                                                                                       "R30.1",
		`{"phase":"A1","units":[{"unit":"army","hex":"271","counter":"DIV-1"}]}`:                                                                                                                                                                               `no hex "271" on the map (R1.2)`,
		`{"phase":"A1","units":[{"unit":"dragon","hex":"2715"}]}`:                                                                                                                                                                                              "one of network, minuteman, militia, army, cig, agent",
		`{"phase":"A1","units":[{"unit":"cig","hex":"2715","step":7}]}`:                                                                                                                                                                                        "1 to 6",
		`{"phase":"A1","units":[{"unit":"agent","hex":"2715","marks":["underground"]}]}`:                                                                                                                                                                       "R6.1",
		`{"phase":"A1","units":[{"unit":"MM1-ADAMS","hex":"2715"},{"unit":"MM1-ADAMS","hex":"2214"}]}`:                                                                                                                                                         "named twice (R1.3)",
		`{"phase":"A1","riots":["2715"],"unrest":["2715"]}`:                                                                                                                                                                                                    "R1.5",
		`{"phase":"A1","riots":["0904"]}`:                                              "R3.1",
		`{"phase":"A1","unrest":["0904"]}`:                                             "R3.1",
		`{"phase":"A1","informers":["0904"]}`:                                          "R3.1",
		`{"phase":"A1","informers":["2714"]}`:                                          `informers "2714" is unknown; it is one of 101`,
		`{"phase":"A1","hands":[{"assassin":10},{"assassin":10}]}`:                     "R1.4",
		`{"phase":"A1","turn":3,"revolution_turn":9}`:                                  "R20.1",
		`{"phase":"A1","turn":22,"revolution_turn":21}`:                                "R24.2",
		`{"phase":"A1","turn":3,"revolution_turn":2,"reinforcements_due":[5,0]}`:       "R20.3",
		`{"phase":"A1","country_sides":[0,1,0]}`:                                       "R29.2",
		`{"phase":"A1","foreign":{"seat":0,"stage":"waits","movement_phases_left":1}}`: "R30",
		`{"phase":"A1","players":{"federalized":1}}`:                                   "R28.5",
	})
}

// TestBadPositionsOfOtherGamesAreRefused is about R22.1, R25.1, R25.3, R26.1, R28.1, R28.2,
// R28.5 and R29.5.
func TestBadPositionsOfOtherGamesAreRefused(t *testing.T) {
	for game, cases := range map[string]map[string]string{
		"minuteman(scenario=partisan)": {
			`{"phase":"A1","units":[{"unit":"minuteman","hex":"2715"}]}`:                              "R3.1",
			`{"phase":"A1","units":[{"unit":"minuteman","hex":"2812"}]}`:                              "R25.1",
			`{"phase":"A1","turn":7}`:                                                                 "turn is 7, it must be 0 to 6",
			`{"phase":"A1","turn":3,"revolution_turn":2,"units":[{"unit":"minuteman","hex":"3015"}]}`: "R25.3",
			`{"phase":"A1","committed":17}`:                                                           "0 to 16",
		},
		"minuteman(scenario=occupation)": {
			`{"phase":"setup","set_up":{"step":4}}`:                       "R26.1",
			`{"phase":"setup","set_up":{"step":4,"cig_step":7}}`:          "set_up.cig_step is 7, it must be 0 to 6",
			`{"phase":"setup","set_up":{"step":4,"cig_step":6,"done":2}}`: "R22.1",
			`{"phase":"setup","set_up":{"step":40}}`:                      "set_up.step is 40, the set-up has",
			`{"phase":"setup","turn":1}`:                                  "turn is 1 in the set-up, it must be 0",
		},
		"minuteman(canada_mexico=true)": {
			`{"phase":"A1","units":[{"unit":"network","hex":"3908"}]}`: "R29.5",
		},
		"minuteman(players=3)": {
			`{"phase":"A1","units":[{"unit":"network 3","hex":"2715"}]}`: "R28.1",
			`{"phase":"A1","players":{"federalized":1}}`:                 "R28.5",
		},
		"minuteman(players=4)": {
			`{"phase":"A1","players":{"federalized":1,"pact":2}}`: "R28.5",
			`{"phase":"A1","players":{"order":[1,1,2]}}`:          "R28.2",
		},
	} {
		t.Run(game, func(t *testing.T) { enginetest.BadPositions(t, enginetest.Game(t, game), cases) })
	}
}

// TestFlowAgreesWithTheMap is about R5.2, R7.1 and R8.1: of what is to come no position says
// anything that the map belies, since seats act on these.
func TestFlowAgreesWithTheMap(t *testing.T) {
	enginetest.BadPositions(t, enginetest.Game(t, "minuteman"), map[string]string{
		`{"phase":"A2","riots":["2715"],"flow":{"window":1,"riots_to_do":[]}}`: "R7.1",
		`{"phase":"A2","riots":["2715"],"flow":{"window":2,"riots_before":["2715"],"riots_to_do":["2722"]}}`: "2722 had no Riot before the step, or has " +
			"none now (R7.1)",
		`{"phase":"A2","riots":["2715"],"flow":{"window":2,"riots_before":[],"riots_to_do":["2715"]}}`: "2715 had no Riot before the step, or has none " +
			"now (R7.1)",
		`{"phase":"A3","flow":{"window":1,"moves":"moves"}}`:  "R5.2",
		`{"phase":"A3","flow":{"window":2,"moves":"unrest"}}`: "phase A3 has steps to moves",
	})
}

// TestTheRiotStepBeginsWithTheRiotsOnTheMap is about R7.1 in a position that leaves out which
// Riots are still to come.
func TestTheRiotStepBeginsWithTheRiotsOnTheMap(t *testing.T) {
	s, err := enginetest.Game(t, "minuteman").Load(
		[]byte(`{"phase":"A2","turn":3,"riots":["2715"],"units":[{"unit":"network","hex":"3015"}],"flow":{"window":0}}`), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := s.MarshalJSON(); err != nil || !strings.Contains(string(text), `"riots_before":["2715"],"riots_to_do":["2715"]`) {
		t.Errorf("error %v, or the Riot is not to come\n%s", err, text)
	}
}

// TestTooManyCountersAreRefused is about R1.3 and R1.6: one unit more than there are.
// Ruling 21.
// Ruling 22.
func TestTooManyCountersAreRefused(t *testing.T) {
	cities := strings.Fields("0613 0713 0714 0715 0905 0906 0907 0917 0918 1016 1017 1319 1412 1820 1914 2419 2422 2519 2520 2622 2715" +
		" 2722 2809 2822 2922 3013 3015 3021 3111 3114 3122 3211 3212 3213 3214 3221 3310 3312 3314 3321 3411")
	g := enginetest.Game(t, "minuteman")
	for unit, most := range map[string]int{"network": 40, "network 1": 14, "minuteman": 36, "minuteman 2": 12, "cig": 10, "agent": 20} {
		for n := most; n <= most+1; n++ {
			var units []string
			for _, hex := range cities[:n] {
				units = append(units, fmt.Sprintf(`{"unit":%q,"hex":%q}`, unit, hex))
			}
			_, err := g.Load([]byte(`{"phase":"A1","units":[`+strings.Join(units, ",")+`]}`), engine.Strict)
			if (err == nil) != (n == most) || err != nil && !strings.Contains(err.Error(), "R1.6") {
				t.Errorf("%d units %q: error %v, of %d none and of one more R1.6", n, unit, err, most)
			}
		}
	}
	for n, ok := range map[int]bool{30: true, 31: false} {
		_, err := g.Load([]byte(`{"phase":"A1","informers":["`+strings.Join(cities[:n], `","`)+`"],"units":[{"unit":"network","hex":"2715"}]}`),
			engine.Strict)
		if (err == nil) != ok || !ok && !strings.Contains(err.Error(), "R1.3") {
			t.Errorf("%d Informers: error %v", n, err)
		}
	}
}

// TestOptionsThatDoNotGoTogether is about R22.3 and R23.
// Ruling 41.
func TestOptionsThatDoNotGoTogether(t *testing.T) {
	for _, text := range []string{
		"minuteman(players=3,scenario=partisan)", "minuteman(scenario=partisan,air_assault=true)", "minuteman(scenario=occupation,canada_mexico=true)",
		"minuteman(scenario=partisan,foreign_intervention=true)", "minuteman(scenario=civil_war,rebel=organized)", "minuteman(dispersed=true)",
		"minuteman(players=5)",
	} {
		if _, err := games.New(text); !errors.Is(err, option.ErrUsage) {
			t.Errorf("%s: error %v, want one that wraps ErrUsage", text, err)
		}
	}
}

// TestTheRebelPlacesWhatArrivesAbroad is about R29.4 in a position that leaves out whose
// part of the phase it is.
func TestTheRebelPlacesWhatArrivesAbroad(t *testing.T) {
	g := enginetest.Game(t, "minuteman(canada_mexico=true)")
	s, err := g.Load([]byte(`{"phase":"A2","flow":{"builds":"arrival","window":2},`+
		`"units":[{"unit":"network","hex":"3015"},{"unit":"militia","hex":"1325","counter":"MILM-HIDALGO"}]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	if q, _ := s.(engine.Asker).Asks(); q != "D15" || s.ToAct() != 1 {
		t.Errorf("%s is asked of seat %d, want D15 of the Rebel", q, s.ToAct())
	}
}

// TestAFinishedGameIsReadAgain is about what a game that has ended remembers: how far the last
// phase had come.
func TestAFinishedGameIsReadAgain(t *testing.T) {
	for name, window := range map[string]int{"minuteman(scenario=partisan)": 2, "minuteman(players=4)": 4} {
		g := enginetest.Game(t, name)
		s, err := g.Load(fmt.Appendf(nil, `{"phase":"G3","flow":{"moves":"moves","window":%d}}`, window), engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		text, err := s.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		again, err := g.Load(text, engine.Lenient)
		if !strings.Contains(string(text), `"ended_step":2`) {
			t.Errorf("%s: the moves of the last phase are forgotten", name)
		}
		if err != nil || s.ToAct() != engine.Terminal || again.Hash() != s.Hash() {
			t.Errorf("%s: read again with error %v, in another position or before the end", name, err)
		}
	}
}

// TestAPlayedPositionIsReadAgain is about R3.5: a chain may begin without a hex, after a
// flow.hex that is left out or null; and what a position says of a key that means nothing in
// its phase does not come to count later.
func TestAPlayedPositionIsReadAgain(t *testing.T) {
	for name, position := range map[string]string{
		"minuteman(canada_mexico=true)": `{"phase":"setup","set_up":{"step":3},"flow":{"hex":null}}`,
		"minuteman(players=4)":          `{"phase":"setup","set_up":{"step":3,"done":2}}`,
		"minuteman(scenario=civil_war)": `{"phase":"A2","flow":{"builds":"attempts","window":2,"seat":1,"last_class":5},"units":[{"unit":"network","hex":"3015"}]}`,
		"minuteman(players=3)":          `{"phase":"G2","flow":{"government_builds":"builds","window":3,"seat":0,"last_class":5},"units":[{"unit":"network 1","hex":"3013"},{"unit":"network 2","hex":"3211"},{"unit":"cig","hex":"3015"}]}`,
		"minuteman":                     `{"phase":"A2","flow":{"builds":"attempts","window":2,"seat":1},"units":[{"unit":"network","hex":"3013"},{"unit":"network","hex":"3015"}]}`,
	} {
		g := enginetest.Game(t, name)
		s, err := g.Load([]byte(position), engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		for ply := 0; ply < 25 && s.ToAct() != engine.Terminal; ply++ {
			text, err := s.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if again, err := g.Load(text, engine.Lenient); err != nil || again.Hash() != s.Hash() {
				t.Fatalf("%s: after %d plies read again with error %v, or in another position\n%s", name, ply, err, text)
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[len(moves)-1]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func FuzzLoad(f *testing.F) {
	var all []engine.Game
	for _, name := range settings {
		all = append(all, enginetest.Game(f, name))
	}
	f.Add(uint8(0), []byte(`{"phase":"A1","turn":3,"units":[]}`))
	f.Add(uint8(0), []byte(`{"phase":"A4","turn":3,"units":[{"unit":"minuteman","hex":"3015"},{"unit":"agent","hex":"3015"}],"flow":{"window":2,"seat":1}}`))
	enginetest.FuzzLoad(f, 0, 1, all...)
}
