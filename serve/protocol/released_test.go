package protocol_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/kept"
)

// shape is what a JSON schema of the protocol says of a value, without its words.
type shape struct {
	Type       any               `json:"type,omitempty"`
	Array      string            `json:"x-bin,omitempty"`
	Items      *shape            `json:"items,omitempty"`
	Properties map[string]*shape `json:"properties,omitempty"`
	Required   []string          `json:"required,omitempty"`
}

// offered are the parameters and results of every method.
type offered struct {
	Version int `json:"version"`
	Methods map[string]struct {
		Params *shape `json:"params"`
		Result *shape `json:"result"`
	} `json:"methods"`
}

func readMethods(t *testing.T, text string) offered {
	t.Helper()
	var m offered
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// lost lists what a client of the methods before cannot do by those of now: a method, a parameter or a field that is gone or of
// another type, a parameter that is needed now, or a field that may be left out now.
func (now offered) lost(before offered) (list []string) {
	if now.Version != before.Version {
		return nil // hello keeps them apart
	}
	for _, name := range slices.Sorted(maps.Keys(before.Methods)) {
		is, ok := now.Methods[name]
		if !ok {
			list = append(list, name+" is gone")
			continue
		}
		was := before.Methods[name]
		list = append(list, lostFields(name+" params", was.Params, is.Params, true)...)
		list = append(list, lostFields(name+" result", was.Result, is.Result, false)...)
	}
	return list
}

// lostFields compares two values, of which one is sent to the server or comes from it.
func lostFields(place string, was, is *shape, sent bool) (list []string) {
	switch {
	case was == nil:
		return nil
	case is == nil:
		return []string{place + " is gone"}
	case fmt.Sprint(was.Type, was.Array) != fmt.Sprint(is.Type, is.Array):
		return []string{fmt.Sprintf("%s was %v %s and is %v %s", place, was.Type, was.Array, is.Type, is.Array)}
	}
	more, fewer := is.Required, was.Required
	if !sent {
		more, fewer = fewer, more
	}
	for _, name := range more {
		if !slices.Contains(fewer, name) {
			list = append(list, fmt.Sprintf("%s.%s is needed by one side and not by the other", place, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was.Properties)) {
		list = append(list, lostFields(place+"."+name, was.Properties[name], is.Properties[name], sent)...)
	}
	return append(list, lostFields(place+"[]", was.Items, is.Items, sent)...)
}

// TestReleasedMethods: a client of a released version is understood, and understands the answers. Methods, parameters that may be
// left out and fields of results may be added.
func TestReleasedMethods(t *testing.T) {
	text, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	now := readMethods(t, string(text))
	written := func() string {
		compact, err := json.Marshal(now)
		if err != nil {
			t.Fatal(err)
		}
		return string(compact)
	}
	for path, text := range kept.Files(t, "testdata/released", "methods.json", written) {
		for _, lost := range now.lost(readMethods(t, text)) {
			t.Errorf("%s: %s", path, lost)
		}
	}
}

func TestLostMethodsAreFound(t *testing.T) {
	const method = `{"version": 1, "methods": {"m": {"params": {"type": "object", "properties": {"a": {"type": "string"}}}, ` +
		`"result": {"type": "object", "properties": ` +
		`{"b": {"type": "string", "x-bin": "f4"}, "c": {"type": "array", "items": {"type": "integer"}}}, "required": ["b"]}}}}`
	before := readMethods(t, method)
	for _, c := range []struct{ from, to, want string }{
		{`"m"`, `"n"`, "m is gone"},
		{`"a": {"type": "string"}`, `"a": {"type": "integer"}`, "m params.a was string"},
		{`"a": {"type": "string"}}`, `"a": {"type": "string"}, "new": {"type": "string"}}`, ""},
		{`{"a": {"type": "string"}}`, `{"a": {"type": "string"}}, "required": ["a"]`, "m params.a is needed"},
		{`{"b": {"type": "string", "x-bin": "f4"}, `, `{`, "m result.b is gone"},
		{`"f4"`, `"f8"`, "m result.b was string f4 and is string f8"},
		{`"items": {"type": "integer"}`, `"items": {"type": "string"}`, "m result.c[] was integer"},
		{`"required": ["b"]`, `"required": []`, "m result.b is needed"},
		{`"required": ["b"]`, `"required": ["b", "c"]`, ""},
		{`"version": 1`, `"version": 2`, ""},
	} {
		changed := strings.Replace(method, c.from, c.to, 1)
		if changed == method {
			t.Fatalf("nothing to change: %s", c.from)
		}
		lost := readMethods(t, changed).lost(before)
		if (c.want == "") != (len(lost) == 0) || c.want != "" && !strings.HasPrefix(lost[0], c.want) {
			t.Errorf("%s in the place of %s: %q, want %q", c.to, c.from, lost, c.want)
		}
	}
}
