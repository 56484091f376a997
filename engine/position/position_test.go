package position

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
)

func TestOverlay(t *testing.T) {
	for _, c := range []struct{ name, base, patch, want string }{
		{"fields are replaced", `{"a":1,"b":2}`, `{"b":3}`, `{"a":1,"b":3}`},
		{"objects are merged", `{"a":{"x":1,"y":2}}`, `{"a":{"y":3}}`, `{"a":{"x":1,"y":3}}`},
		{"lists are replaced", `{"a":[1,2,3]}`, `{"a":[4]}`, `{"a":[4]}`},
		{"null in a list keeps", `{"a":[[1],[2]]}`, `{"a":[null,[3]]}`, `{"a":[[1],[3]]}`},
		{"null as a field stays null", `{"a":1}`, `{"a":null}`, `{"a":null}`},
		{"large numbers survive", `{"a":9007199254740993}`, `{}`, `{"a":9007199254740993}`},
	} {
		got, err := Overlay([]byte(c.base), []byte(c.patch))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s over %s gives %s (error %v), want %s", c.name, c.patch, c.base, got, err, c.want)
		}
	}
	for _, patch := range []string{`[1]`, `3`, `{`} {
		if _, err := Overlay([]byte(`{}`), []byte(patch)); !errors.Is(err, engine.ErrPosition) {
			t.Errorf("overlay %s: error %v, want ErrPosition", patch, err)
		}
	}
}

func TestDecode(t *testing.T) {
	type document struct {
		Round int      `json:"round"`
		Hand  []string `json:"hand"`
	}
	d := document{Round: 7}
	if err := Decode([]byte(`{"hand":["a"]}`), &d); err != nil || d.Round != 7 || !slices.Equal(d.Hand, []string{"a"}) {
		t.Errorf("decoded %+v, error %v; want round 7 kept and a hand of a", d, err)
	}
	for text, want := range map[string]string{
		`{"rond":1}`:      `unknown field "rond"; fields: round, hand`,
		`{"round":"one"}`: `field "round" is a string, it must be a whole number`,
		`{"round":1} x`:   "text after the end",
		`{"round":`:       "it ends in the middle",
	} {
		err := Decode([]byte(text), &d)
		if !errors.Is(err, engine.ErrPosition) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// TestUnknownFieldsInListsAreNamed: the value may be a list of structs, which has the
// names of its elements.
func TestUnknownFieldsInListsAreNamed(t *testing.T) {
	var list []*struct {
		Tile string `json:"tile"`
	}
	err := Decode([]byte(`[{"tile": "a"}, {"title": "b"}]`), &list)
	if err == nil || !errors.Is(err, engine.ErrPosition) || !strings.Contains(err.Error(), `unknown field "title"; fields: tile`) {
		t.Errorf("a list with an unknown field: %v", err)
	}
}

// A field that is null in a document and in what came of it agrees, whatever the other fields
// would make of it, and one that is null here and a value there does not.
func TestNullsAgree(t *testing.T) {
	print := func([]byte) ([]byte, error) { return []byte(`{"seat":1,"card":7}`), nil }
	for doc, want := range map[string]string{
		`{"seat":null,"card":null}`: "",
		`{"card":7}`:                "card is 7, but it follows from rest and since that it is <nil>",
	} {
		err := Agrees([]byte(doc), []byte(`{"seat":null,"card":null}`), print, "rest", "since")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: the error is %v, want %q", doc, err, want)
		}
	}
}
