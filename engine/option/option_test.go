package option

import (
	"errors"
	"strings"
	"testing"
)

var declared = []Option{
	{Name: "deck", Kind: Choice, Default: "red", Choices: []string{"red", "blue"}},
	{Name: "sims", Kind: Int, Default: "400", Min: 1, Max: 1000},
	{Name: "c", Kind: Float, Default: "1.4", Min: 0, Max: 10},
	{Name: "elite", Kind: Bool, Default: "false"},
	{Name: "time", Kind: Duration, Default: "0s", Max: 60},
	{Name: "from", Kind: Text, Default: ""},
}

func parse(text string) (Values, error) {
	name, arguments, err := Split(text)
	if err != nil {
		return Values{}, err
	}
	return Check(name, declared, arguments)
}

func TestCanonicalForm(t *testing.T) {
	for text, want := range map[string]string{
		"x":                            "x",
		"x()":                          "x",
		"x(sims=400)":                  "x",
		" x ( c = 2.50 , deck=blue ) ": "x(deck=blue,c=2.5)",
		"x(time=1500ms,elite=true)":    "x(elite=true,time=1.5s)",
		"x(from=a/b.c,sims=007)":       "x(sims=7,from=a/b.c)",
	} {
		v, err := parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := v.Format("x"); got != want {
			t.Errorf("%q has the canonical form %q, want %q", text, got, want)
		}
	}
}

func TestValues(t *testing.T) {
	v, err := parse("x(deck=blue,sims=7,c=0.5,elite=true,time=2s,from=here)")
	if err != nil {
		t.Fatal(err)
	}
	if v.Choice("deck") != "blue" || v.Int("sims") != 7 || v.Float("c") != 0.5 || !v.Bool("elite") || v.Duration("time").Seconds() != 2 ||
		v.Text("from") != "here" {
		t.Errorf("values are %+v", v)
	}
}

func TestErrorsNameTheThingAndTheChoices(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "not of the form name",
		"x(":               "brackets",
		"x(sims=1))":       "brackets",
		"x(sims)":          `"sims" is not of the form option=value`,
		"x(colour=red)":    `no option "colour"; its options: deck, sims, c, elite, time, from`,
		"x(deck=green)":    "deck is one of red, blue",
		"x(sims=0)":        "sims is a whole number from 1 to 1000",
		"x(sims=many)":     "sims is a whole number",
		"x(c=NaN)":         "c is a number from 0 to 10",
		"x(elite=yes)":     "elite is true or false",
		"x(time=2h)":       "time is a duration",
		"x(sims=5,sims=6)": "given twice",
		"x(sims=" + strings.Repeat("9", 1000) + ")": "sims=" + strings.Repeat("9", 60) + "… is not possible",
	} {
		_, err := parse(text)
		if err == nil || !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one line with %q", text, err, want)
		}
	}
}
