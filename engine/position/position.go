// Package position reads and writes JSON positions: Codec by the tags of a position's fields,
// Decode and Encode for games whose position is their history or a board.
package position

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"powderkeg/engine"
)

// Decode reads JSON into the struct that v points to, or into a list or map of
// structs, and refuses unknown fields, wrong types and trailing text. Fields that data leaves out keep their values.
// Errors wrap engine.ErrPosition, name the field and are one line.
func Decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			return fmt.Errorf("%w: text after the end of the position", engine.ErrPosition)
		}
		return nil
	}
	return fmt.Errorf("%w: %s", engine.ErrPosition, Plainly(err, v))
}

// Overlay returns base with the fields of patch put over it. Objects are
// merged field by field. A list replaces a list, except that null as one of its
// elements keeps what base has in that place: [null, ["medic"]] speaks of the
// second seat only. Other values replace what was there.
func Overlay(base, patch []byte) ([]byte, error) {
	var b, p any
	if err := number(base, &b); err != nil {
		return nil, err
	}
	if err := number(patch, &p); err != nil {
		return nil, err
	}
	if _, ok := p.(map[string]any); !ok {
		return nil, fmt.Errorf("%w: it must be an object", engine.ErrPosition)
	}
	return json.Marshal(merge(b, p))
}

func merge(base, patch any) any {
	switch p := patch.(type) {
	case map[string]any:
		b, ok := base.(map[string]any)
		if !ok {
			return p
		}
		out := maps.Clone(b)
		for k, v := range p {
			out[k] = merge(b[k], v)
		}
		return out
	case []any:
		b, _ := base.([]any)
		out := slices.Clone(p)
		for i := range out {
			if out[i] == nil && i < len(b) {
				out[i] = b[i]
			}
		}
		return out
	default:
		return patch
	}
}

// number decodes without turning numbers into floats.
func number(data []byte, v *any) error {
	if t, ok := tree(string(data)); ok {
		*v = t
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%w: %s", engine.ErrPosition, strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, more := d.Token(); more != io.EOF {
		return fmt.Errorf("%w: text after the end of the position", engine.ErrPosition)
	}
	return nil
}

// plainly returns what a value reads as once it is written.
func plainly(v any) (is any, err error) {
	text, err := appendValue(nil, v)
	if err == nil {
		err = number(text, &is)
	}
	return is, err
}

// Agrees demands that the fields of a document, but for those named, are as they stand in
// another: as they are, or as print writes what it has read of them, since a value can be
// written in more than one way. Errors wrap engine.ErrPosition.
func Agrees(document, other []byte, print func(fields []byte) ([]byte, error), but ...string) error {
	var doc, want map[string]any
	for data, fields := range map[*map[string]any][]byte{&doc: document, &want: other} {
		var v any
		if err := number(fields, &v); err != nil {
			return err
		}
		*data, _ = v.(map[string]any)
	}
	for _, key := range but {
		delete(doc, key)
	}
	maps.DeleteFunc(doc, func(key string, v any) bool {
		is, ok := want[key]
		return ok && reflect.DeepEqual(v, is)
	})
	if len(doc) == 0 {
		return nil
	}
	text, err := json.Marshal(doc)
	if err == nil {
		text, err = print(text)
	}
	var read any
	if err == nil {
		err = number(text, &read)
	}
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		if is := read.(map[string]any)[key]; !reflect.DeepEqual(is, want[key]) {
			return fmt.Errorf("%w: %s is %v, but it follows from %s that it is %v", engine.ErrPosition, key, doc[key], strings.Join(but, " and "), want[key])
		}
	}
	return nil
}

// Encode writes a position as JSON without escaping what HTML would need.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// Play applies moves by name to s, for games whose position is their history.
// Errors wrap engine.ErrPosition.
func Play(g engine.Game, s engine.State, moves ...[]string) error {
	for _, name := range slices.Concat(moves...) {
		a, err := engine.FindMove(g, s, name)
		if err == nil {
			err = s.Apply(a)
		}
		if err != nil {
			return fmt.Errorf("%w: %v", engine.ErrPosition, err)
		}
	}
	return nil
}
