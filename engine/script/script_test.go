package script_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/script"
)

// observe stands in for an encoder: it knows one field, how many cards a seat sees.
func observe(_ engine.Game, view engine.View, p engine.Player, key string) ([]float32, error) {
	if key != "cards" {
		return nil, fmt.Errorf("no field %q; fields: cards", key)
	}
	return []float32{float32(strings.Count(view.(engine.Teller).Text(p), "Js"))}, nil
}

func run(t *testing.T, text string) (*script.Result, error) {
	t.Helper()
	s, err := script.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	g, err := games.New(s.Game)
	if err != nil {
		t.Fatal(err)
	}
	return script.Run(g, s, script.Options{Observe: observe})
}

func TestRun(t *testing.T) {
	const prefix = `{"game":"leduc","position":{"cards":["Js","Kh"]},`
	for _, c := range []struct {
		name, rest string
		want       []string // part of each failure
	}{
		{"all holds", `"do":["call","raise"],"expect":{"round1":["call","raise"]},"legal":["fold","call"],"illegal":["Js"]}`, nil},
		{"chance by name", `"do":["call","call","Qs"],"expect":{"public":["Qs"]},"legal":["call"],"illegal":["fold"]}`, nil},
		{"null is null", `"expect":{"cards":[null,"Kh"]}}`, []string{`cards[0] is "Js", expected null`}},
		{"an empty list is empty", `"do":["call"],"expect":{"round1":[]}}`, []string{`round1 is ["call"], expected []`}},
		{"an empty object is no list", `"expect":{"round1":{}}}`, []string{`round1 is [], expected {}`}},
		{"wrong expectation", `"do":["call"],"expect":{"round1":["raise"],"cards":["Js","Kh"]}}`, []string{`round1[0] is "call", expected "raise"`}},
		{"order has a meaning", `"expect":{"cards":["Kh","Js"]}}`, []string{`cards[0] is "Js"`, `cards[1] is "Kh"`}},
		{"wrong and impossible expectation", `"expect":{"cards":["Js","Js"]}}`, []string{`cards[1] is "Kh"`}},
		{"illegal step", `"do":["fold"],"expect":{}}`, []string{`move 1: illegal: "fold" is not possible here; seat 0 has call, raise`}},
		{"legal and illegal", `"legal":["fold"],"illegal":["call"]}`, []string{"legal: fold", "illegal: call"}},
		{"exactly", `"legal_exactly":["raise","call"]}`, nil},
		{"not exactly", `"legal_exactly":["raise","fold"]}`, []string{"fold is not possible", "also possible: call"}},
		{"nothing is legal", `"do":["raise","fold"],"legal_exactly":[],"to_act":"end","returns":[1,-1]}`, nil},
		{"the wrong end", `"do":["raise","fold"],"to_act":0,"returns":[-1,1]}`,
			[]string{"returns: [1 -1], expected [-1 1]", `to_act: it is "end", expected 0`}},
		{"outcomes", `"do":["call","call"],"to_act":"chance","outcomes":{"Jh":1,"Qs":1,"Js":0}}`, nil},
		{"outcomes in proportion", `"do":["call","call"],"outcomes":{"Jh":3,"Qs":3,"Qh":3,"Ks":3}}`, nil},
		{"wrong outcomes", `"do":["call","call"],"outcomes":{"Jh":3,"Js":1}}`, []string{"Jh has the weight 1", "Js has the weight 0"}},
		{"refused", `"do":["call","fold"],"refused":"not possible"}`, nil},
		{"refused otherwise", `"do":["fold"],"refused":"R1"}`, []string{"fold is refused, but not by R1"}},
		{"not refused", `"do":["call"],"refused":"R1"}`, []string{"call is possible"}},
		{"refused position", `"steps":[{"position":{"cards":["Js","Js"]},"refused":"\"Js\" is not possible"},{"to_act":0}]}`, nil},
		{"accepted position", `"steps":[{"position":{"cards":["Js","Qs"]},"refused":"R2"}]}`, []string{"step 1: refused: the position is accepted"}},
		{"steps", `"steps":[{"do":["call"],"to_act":1},{"do":["call"],"to_act":"chance"},{"position":{"cards":["Qs","Kh"]},"outcomes":{"Qs":0,"Js":1}}]}`,
			nil},
		{"a step fails", `"steps":[{"do":["call"],"to_act":0},{"to_act":0}]}`, []string{"step 1: to_act: it is 1, expected 0"}},
		{"view", `"views":{"0":{"to_act":0,"fields":{"cards":["Js","??"]},"text":["Js"],"text_without":["Kh"],"observation":{"cards":1},"same_as":{"position":{"cards":["Js","Qs"]}}}}}`, nil},
		{"wrong view", `"views":{"0":{"to_act":1,"fields":{"cards":["Js","Kh"]},"text":["Kh"],"text_without":["Js"],"observation":{"cards":[1,1]}}}}`,
			[]string{
				"view of seat 0: to_act: it is 0", `fields: cards[1] is "??"`, `it lacks "Kh"`, `it has "Js"`, "cards is [1], expected [1 1]",
			}},
		{"another view", `"views":{"1":{"same_as":{"position":{"cards":["Js","Qs"]}}}}}`,
			[]string{"same_as: the position", "same_as: the text", "different hashes"}},
	} {
		result, err := run(t, prefix+c.rest)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(result.Failures) != len(c.want) || !slices.EqualFunc(result.Failures, c.want, strings.Contains) {
			t.Errorf("%s: failures %q, want %q", c.name, result.Failures, c.want)
		}
	}
}

// A move that is carried out unasked may be written, one without an alternative may
// be left out; a move that is neither is a failure.
func TestForcedMovesMayBeWrittenOrLeftOut(t *testing.T) {
	for _, c := range []struct {
		game, do string
		holds    bool
	}{
		{"jogu(start=first,auto_forced=false)", `"END"`, true},
		{"jogu(start=first,auto_forced=false)", ``, true},
		{"jogu(start=first)", `"END"`, true},
		{"jogu(start=first)", `"SLOT_1"`, false},
	} {
		// Seat 0 has nothing to play and must pass; then seat 1 may play its card.
		text := fmt.Sprintf(`{"game":%q,"position":{"hand":[[],["conjurer"]]},"do":[%s],"steps":[{"do":["CARD_conjurer"],"expect":{"hand":[[],[]]}}]}`,
			c.game, c.do)
		result, err := run(t, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if holds := len(result.Failures) == 0; holds != c.holds {
			t.Errorf("%s: failures %q", text, result.Failures)
		}
	}
}

// What the position leaves out because it is at its default can be expected, units
// by their names, and hands in any order.
func TestExpectationsOfLargePositions(t *testing.T) {
	const domination = `{"game":"domination(players=2)","position":{"turn":2,"active":0,"pool":["Surrender"],"hands":{"0":["Domination","Surrender"],"1":["Domination"]}},`
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a hand in another order", domination + `"expect":{"hands":{"0":["Surrender","Domination"]}}}`, nil},
		{"a hand with another card", domination + `"expect":{"hands":{"0":["Surrender","Surrender"]}}}`, []string{"hands.0"}},
		{"a default", `{"game":"bloc(scenario=beginner_city)","position":{"districts":{"the_plaza":{"blocs":{"workers":1}}}},"expect":{"districts":{"the_plaza":{"cops":0}}}}`, nil},
		{"no default", `{"game":"bloc(scenario=beginner_city)","position":{"districts":{"the_plaza":{"blocs":{"workers":1}}}},"expect":{"districts":{"the_plaza":{"cops":1}}}}`, []string{"the_plaza.cops is 0, expected 1"}},
		{"a unit by its name", `{"game":"minuteman","position":{"units":[{"unit":"network","hex":"0613"},{"unit":"minuteman","hex":"2214"}]},"expect":{"units":[{"unit":"minuteman","hex":"2214"}]}}`, nil},
		{"a unit elsewhere", `{"game":"minuteman","position":{"units":[{"unit":"network","hex":"0613"}]},"expect":{"units":[{"unit":"network","hex":"2214"}]}}`, []string{`expected {"hex":"2214"`}},
		{"two of one unit", `{"game":"minuteman","position":{"units":[{"unit":"network","hex":"0613"}]},"expect":{"units":[{"unit":"network"},{"unit":"network"}]}}`, []string{"units is"}},
		{"units exactly", `{"game":"minuteman","position":{"units":[{"unit":"network","hex":"0613"}]},"expect_exactly":{"units":[]}}`,
			[]string{"units is"}},
	} {
		result, err := run(t, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(result.Failures) != len(c.want) || !slices.EqualFunc(result.Failures, c.want, strings.Contains) {
			t.Errorf("%s: failures %q, want %q", c.name, result.Failures, c.want)
		}
	}
}

func TestScriptsThatMakeNoSense(t *testing.T) {
	for text, want := range map[string]string{
		`{"do":[]}`:                `no "game"`,
		`{"game":"kuhn","doo":[]}`: `unknown field "doo"`,
		`{"game":"kuhn","position":{"cards":["X"]},"do":[]}`:                        "position: bad position",
		`{"game":"kuhn","do":[],"illegal":["fold"]}`:                                `no action or outcome "fold"`,
		`{"game":"kuhn","outcomes":{"fold":1}}`:                                     `no action or outcome "fold"`,
		`{"game":"kuhn","do":[],"expect":{"hand":[]}}`:                              `unknown field "hand"`,
		`{"game":"kuhn","do":[],"expect":[1]}`:                                      "must be an object",
		`{"game":"kuhn","to_act":"nobody or other"}`:                                `"nobody or other" is none of a seat from 0 to 1`,
		`{"game":"kuhn","views":{"2":{}}}`:                                          `"2" is no seat; seats are 0 to 1`,
		`{"game":"kuhn","views":{"0":{"observation":{"hand":1}}}}`:                  `no field "hand"; fields: cards`,
		`{"game":"kuhn","views":{"0":{"same_as":{}}}}`:                              "it is this very situation",
		`{"game":"kuhn","position":{"cards":["X"]},"refused":"\"X\"","to_act":0}`:   "leaves nothing else to expect",
		`{"game":"kuhn","position":{"cards":["X"]},"refused":"\"X\"","steps":[{}]}`: "nothing to go on from",
		`{"game":"kuhn","views":{"0":{"same_as":{"position":{"cards":["X"]}}}}}`:    "same_as: position: bad position",
		`{"game":"kuhn","steps":[{"do":["J"]},{"position":{"cards":["X"]}}]}`:       "step 2: position: bad position",
		`{"game":"kuhn","views":{"0":{"same_as":{"do":["J","Q","bet","fold"]}}}}`:   "same_as: do, move 4",
	} {
		_, err := run(t, text)
		if !errors.Is(err, script.ErrScript) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
