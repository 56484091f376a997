package protocol_test

import (
	"bytes"
	"errors"
	"testing"

	"powderkeg/serve/protocol"
)

// What PROTOCOL.md says of the forms of msgpack: the array around a message and its kind
// have one form, ids an unsigned one, and all else may be written in longer forms.
func TestForms(t *testing.T) {
	for what, c := range map[string]struct {
		body string
		good bool
	}{
		"the shortest forms":          {"\x94\x00\x01\xabenv.observe\x82\xa3env\x07\xa4seat\x01", true},
		"a method of str 8":           {"\x94\x00\x01\xd9\x0benv.observe\x82\xa3env\x07\xa4seat\x01", true},
		"a method of str 32":          {"\x94\x00\x01\xdb\x00\x00\x00\x0benv.observe\x82\xa3env\x07\xa4seat\x01", true},
		"parameters of map 16":        {"\x94\x00\x01\xabenv.observe\xde\x00\x02\xa3env\x07\xa4seat\x01", true},
		"a name of str 16":            {"\x94\x00\x01\xabenv.observe\x82\xda\x00\x03env\x07\xa4seat\x01", true},
		"numbers of 64 bits":          {"\x94\x00\x01\xabenv.observe\x82\xa3env\xcf\x00\x00\x00\x00\x00\x00\x00\x07\xa4seat\xd3\x00\x00\x00\x00\x00\x00\x00\x01", true},
		"a uint as an int":            {"\x94\x00\x01\xabenv.observe\x82\xa3env\xd1\x00\x07\xa4seat\xcc\x01", true},
		"an id of 64 bits":            {"\x94\x00\xcf\x00\x00\x00\x00\x00\x00\x00\x01\xabenv.observe\x82\xa3env\x07\xa4seat\x01", true},
		"an id as an int":             {"\x94\x00\xd0\x01\xabenv.observe\x82\xa3env\x07\xa4seat\x01", false},
		"an array 16 around it":       {"\xdc\x00\x04\x00\x01\xabenv.observe\x82\xa3env\x07\xa4seat\x01", false},
		"a kind of two bytes":         {"\x94\xcc\x00\x01\xabenv.observe\x82\xa3env\x07\xa4seat\x01", false},
		"the id 0":                    {"\x94\x00\x00\xabenv.observe\x82\xa3env\x07\xa4seat\x01", false},
		"the kind of a notification":  {"\x94\x02\x01\xabenv.observe\x82\xa3env\x07\xa4seat\x01", false},
		"parameters that are a list":  {"\x94\x00\x01\xabenv.observe\x92\x07\x01", false},
		"a method that is bin":        {"\x94\x00\x01\xc4\x0benv.observe\x82\xa3env\x07\xa4seat\x01", false},
		"something behind the values": {"\x94\x00\x01\xabenv.observe\x82\xa3env\x07\xa4seat\x01\xc0", false},
	} {
		r, err := protocol.ParseRequest([]byte(c.body))
		if (err == nil) != c.good || err != nil && !errors.Is(err, protocol.ErrFrame) {
			t.Errorf("%s: parsed with error %v, want a request: %t", what, err, c.good)
		}
		if err != nil {
			continue
		}
		var p protocol.EnvObserve
		if err := protocol.NewDecoder(true).Decode(r.Params, &p); err != nil || p != (protocol.EnvObserve{Env: 7, Seat: 1}) || r.ID != 1 {
			t.Errorf("%s: read as request %d of %+v, %v", what, r.ID, p, err)
		}
	}
	var frame bytes.Buffer
	w := protocol.NewWriter()
	if err := errors.Join(w.Response(1, nil, &protocol.View{Seat: 300, View: "{}"}), w.Flush(&frame, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if want := "\x00\x00\x00\x15\x94\x01\x01\xc0\x82\xa4seat\xcd\x01\x2c\xa4view\xa2{}"; frame.String() != want {
		t.Errorf("the server writes %q, want the shortest forms, %q", frame.String(), want)
	}
}
