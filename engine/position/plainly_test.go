package position

import (
	"encoding/json"
	"strings"
	"testing"
)

type outer struct {
	Inner
	Name   string           `json:"name"`
	Small  int8             `json:"small"`
	Number float64          `json:"number"`
	Deep   map[string]Inner `json:"deep"`
}

// Inner is embedded under a name that Go exports.
type Inner struct {
	Count uint64   `json:"count"`
	Do    []string `json:"do"`
}

// What is wrong with a document is said in the words of documents.
func TestJSONErrorsArePlain(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": 5}`:                     `field "name" is a number, it must be a string`,
		`{"do": "bet"}`:                   `field "do" is a string, it must be a list`,
		`{"count": -1}`:                   `field "count" is a number -1, it must be a whole number from 0 on`,
		`{"small": 300}`:                  `field "small" is a number 300, it must be a whole number from -128 to 127`,
		`{"number": "x"}`:                 `field "number" is a string, it must be a number`,
		`{"number": {}}`:                  `field "number" is an object, it must be a number`,
		`{"deep": {"a": {"count": "x"}}}`: `field "deep.count" is a string, it must be a whole number from 0 on`,
		`[1]`:                             `it is a list, it must be an object`,
		``:                                `there is nothing in it`,
		`{"name":`:                        `it ends in the middle`,
		`{"count": ` + strings.Repeat("9", 100_000) + `}`: `field "count" is a number ` + strings.Repeat("9", 53) +
			`…, it must be a whole number from 0 on`,
		`{"` + strings.Repeat("x", 100_000) + `": 1}`: `unknown field "` + strings.Repeat("x", 60) + `…"`,
	} {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		var v outer
		err := d.Decode(&v)
		if err == nil {
			t.Errorf("%.40s is read", text)
			continue
		}
		if got := Plainly(err, nil); got != want {
			t.Errorf("%.40s: %q, want %q", text, got, want)
		}
	}
}
