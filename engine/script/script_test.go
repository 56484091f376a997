package script_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/games"
	"powderkeg/engine/script"
)

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
	return script.Run(g, s)
}

func TestRun(t *testing.T) {
	const prefix = `{"game":"leduc","position":{"cards":["Js","Kh"]},`
	for _, c := range []struct {
		name, rest string
		want       []string // part of each failure
	}{
		{"all holds", `"do":["call","raise"],"expect":{"round1":["call","raise"]},"legal":["fold","call"],"illegal":["Js"]}`, nil},
		{"chance by name", `"do":["call","call","Qs"],"expect":{"public":["Qs"]},"legal":["call"],"illegal":["fold"]}`, nil},
		{"null keeps", `"do":[],"expect":{"cards":[null,"Kh"]}}`, nil},
		{"wrong expectation", `"do":["call"],"expect":{"round1":["raise"],"cards":["Js","Kh"]}}`, []string{`round1 is ["call"], expected ["raise"]`}},
		{"wrong and impossible expectation", `"do":[],"expect":{"cards":["Js","Js"]}}`, []string{`cards is ["Js","Kh"]`}},
		{"illegal step", `"do":["fold"],"expect":{}}`, []string{`step 1: illegal: "fold" is not possible here; seat 0 has call, raise`}},
		{"legal and illegal", `"do":[],"legal":["fold"],"illegal":["call"]}`, []string{"legal: fold", "illegal: call"}},
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

func TestScriptsThatMakeNoSense(t *testing.T) {
	for text, want := range map[string]string{
		`{"do":[]}`:                `no "game"`,
		`{"game":"kuhn","doo":[]}`: `unknown field "doo"`,
		`{"game":"kuhn","position":{"cards":["X"]},"do":[]}`: "position: bad position",
		`{"game":"kuhn","do":[],"illegal":["fold"]}`:         `no action or outcome "fold"`,
		`{"game":"kuhn","do":[],"expect":{"hand":[]}}`:       `unknown field "hand"`,
		`{"game":"kuhn","do":[],"expect":[1]}`:               "must be an object",
	} {
		_, err := run(t, text)
		if !errors.Is(err, script.ErrScript) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
