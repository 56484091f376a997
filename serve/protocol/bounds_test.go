package protocol_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/serve/protocol"
)

// Every parameter that can be long has a bound, or is one of the runs of numbers that the
// server bounds, and the page says both.
func TestEveryLongParameterHasABoundThatThePageTells(t *testing.T) {
	data, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	page, found := string(data), map[string]bool{}
	for method, m := range methods {
		for f := range reflect.TypeOf(m[0]).Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
			bound := protocol.Bounds[name]
			switch kind := f.Type.Kind(); {
			case f.Type == reflect.TypeFor[protocol.Move](), kind == reflect.String:
				if bound.Bytes == 0 || bound.Items != 0 && name != "agents" {
					t.Errorf("%s: the str %s has the bound %+v, want one of bytes", method, name, bound)
				}
			case strings.HasPrefix(f.Type.Name(), "Array["):
				if !strings.Contains(page, name) || bound != (protocol.Bound{}) {
					t.Errorf("%s: the bin %s has the bound %+v, want that of the server alone", method, name, bound)
				}
			case kind == reflect.Slice:
				if text := f.Type.Elem().Kind() == reflect.String; bound.Items == 0 || text != (bound.Bytes > 0) {
					t.Errorf("%s: the array %s has the bound %+v, want one of elements, and of bytes for those that are str", method, name, bound)
				}
			default:
				continue
			}
			found[name] = true
		}
	}
	for name, bound := range protocol.Bounds {
		if !found[name] {
			t.Errorf("%s has a bound and is no parameter that can be long", name)
		}
		row := fmt.Sprintf("| %s | %s bytes |", name, thousands(bound.Bytes))
		switch {
		case bound.Items > 0 && bound.Bytes > 0:
			row = fmt.Sprintf("| %s | %d elements of %s bytes each |", name, bound.Items, thousands(bound.Bytes))
		case bound.Items > 0:
			row = fmt.Sprintf("| %s | %d elements |", name, bound.Items)
		}
		if !strings.Contains(page, row) {
			t.Errorf("PROTOCOL.md has no row %s", row)
		}
	}
	for _, text := range []string{fmt.Sprintf("at most %d parameters", protocol.MaxEntries),
		fmt.Sprintf("at most %s values", thousands(protocol.MaxValues)),
		fmt.Sprintf("at most %d KiB, and that answer", protocol.MaxHelloBytes>>10)} {
		if !strings.Contains(page, text) {
			t.Errorf("PROTOCOL.md does not say %q", text)
		}
	}
}

// thousands writes a number with commas.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// A decoder asks for room for every bin with the handle that stands last in the message,
// wherever it stands.
func TestRoomIsAskedForBeforeABinIsDecoded(t *testing.T) {
	full := errors.New("full")
	d := protocol.NewDecoder(true)
	var asked []string
	d.Room = func(name string, handle uint64, n int) error {
		asked = append(asked, fmt.Sprintf("%s of %d for %d", name, n, handle))
		if n > 2 {
			return full
		}
		return nil
	}
	var p protocol.VecSend
	err := d.Decode([]byte("\x84\xa3vec\x05\xa5slots\xc4\x08\x01\x00\x00\x00\x02\x00\x00\x00\xa7actions\xc4\x08\x01\x00\x00\x00\x02\x00\x00\x00\xa3vec\xcd\x01\x00"), &p)
	if want := []string{"slots of 2 for 256", "actions of 2 for 256"}; err != nil || !slices.Equal(asked, want) {
		t.Errorf("asked %q, error %v, want %q", asked, err, want)
	}
	p = protocol.VecSend{}
	if err := d.Decode([]byte("\x81\xa5slots\xc4\x0c123412341234"), &p); err == nil || !strings.Contains(err.Error(), "full") || p.Slots != nil {
		t.Errorf("without room: error %v, %d slots were decoded, want none", err, len(p.Slots))
	}
	err = d.Decode([]byte("\x82\xa5slots\xc4\x0c123412341234\xa3vec\xa1x"), &p)
	if err == nil || !strings.Contains(err.Error(), "vec is no whole number") {
		t.Errorf("a handle that is none: error %v", err)
	}
}

// A parameter of another type is refused by its name and in words, whatever it is.
func TestTypesAreRefusedInWords(t *testing.T) {
	for _, c := range []struct {
		into              any
		name, value, want string
	}{
		{&protocol.EnvMake{}, "agents", "\xa6random", "agents is no list"},
		{&protocol.EnvMake{}, "agents", "\xc4\x01a", "agents is no list"},
		{&protocol.EnvMake{}, "agents", "\x92\xa1a\x05", "agents has an element that is no text"},
		{&protocol.EnvMake{}, "agents", "\x80", "agents is no list"},
		{&protocol.EnvMake{}, "game", "\x05", "game is no text"},
		{&protocol.EnvMake{}, "game", "\x91\xa1a", "game is no text"},
		{&protocol.EnvMake{}, "game", "\xc3", "game is no text"},
		{&protocol.EnvMake{}, "seed", "\xa1a", "seed is no whole number"},
		{&protocol.VecMake{}, "envs", "\xc3", "envs is no whole number"},
	} {
		err := protocol.NewDecoder(true).Decode([]byte("\x81"+string([]byte{0xa0 | byte(len(c.name))})+c.name+c.value), c.into)
		if err == nil || !strings.HasPrefix(err.Error(), c.want+"; fields: ") {
			t.Errorf("%s of % x: error %v, want %q", c.name, c.value, err, c.want)
		}
	}
}

func TestARequestHasFewValues(t *testing.T) {
	many := func(n int) []byte {
		return append([]byte("\x94\x00\x01\xa8env.make\x81\xa6agents\xdc"+string([]byte{byte(n >> 8), byte(n)})), slices.Repeat([]byte{0xa0}, n)...)
	}
	const rest = 7 // values around the list
	if _, err := protocol.ParseRequest(many(protocol.MaxValues - rest)); err != nil {
		t.Errorf("as many values as there may be: error %v", err)
	}
	_, err := protocol.ParseRequest(many(protocol.MaxValues - rest + 1))
	if !errors.Is(err, protocol.ErrFrame) || !strings.Contains(err.Error(), "1025 values; a request has at most 1024") {
		t.Errorf("one value more: error %v", err)
	}
}
