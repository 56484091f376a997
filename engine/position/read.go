package position

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
)

// Reader reads the values of a document and keeps the first fault. Fields with a form of
// their own read through it too.
type Reader struct {
	lists map[string][]string
	path  *trail // of the field that is read
	err   error
}

// Fail notes a fault, unless there is one already.
func (r *Reader) Fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
	}
}

// Err returns the first fault, nil for none.
func (r *Reader) Err() error { return r.err }

// Failed reports whether there is a fault. Values read since then mean nothing.
func (r *Reader) Failed() bool { return r.err != nil }

// at names a part of the field that is read.
func (r *Reader) at(part string) string {
	if part == "" {
		return r.path.String()
	}
	return r.path.String() + "." + part
}

// trail names a part of a document. It is put into words where there is a fault.
type trail struct {
	above *trail // nil for a whole field
	key   string // of an object's value, or empty for a list's element
	index int    // of the element
	seats bool   // there is an element for each seat
}

func (t *trail) String() string {
	switch {
	case t.above == nil:
		return t.key
	case t.key != "":
		return t.above.String() + "." + t.key
	case t.seats:
		return fmt.Sprintf("%s of seat %d", t.above, t.index)
	}
	return fmt.Sprintf("%s[%d]", t.above, t.index)
}

// enter names the parts of what is read, one after another, until leave is called.
func (r *Reader) enter(seats bool) *trail {
	r.path = &trail{above: r.path, seats: seats}
	return r.path
}

func (r *Reader) leave() { r.path = r.path.above }

// each returns the entries of a list of n, one for each seat or of something else.
func (r *Reader) each(v any, n int, seats bool) []any {
	if entries, ok := v.([]any); ok && seats && len(entries) != n {
		r.Fail("%s has %d entries, it has one for each of the %d seats", r.path, len(entries), n)
		return nil
	}
	return r.List("", v, n)
}

// wrongType notes that a value is of another type.
func (r *Reader) wrongType(v any, want string) {
	r.Fail("field %q is %s, it must be %s", r.path, kindOf(v), want)
}

// kindOf names the type of a value in the words of JSON.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "a list"
	}
	return "an object"
}

// Number returns a whole number within a range; part names it below the field that is
// read, here and below.
func (r *Reader) Number(part string, v any, low, high int) int {
	digits, ok := v.(json.Number)
	if !ok {
		r.wrongType(v, "a number")
		return low
	}
	n, err := strconv.Atoi(digits.String())
	switch {
	case err != nil && strings.ContainsAny(digits.String(), ".eE"):
		r.Fail("%s is %s, it must be a whole number", r.at(part), digits)
	case err != nil || n < low || n > high:
		r.Fail("%s is %s, it must be %d to %d", r.at(part), digits, low, high)
	default:
		return n
	}
	return low
}

// Seat returns a seat.
func (r *Reader) Seat(part string, v any) uint8 {
	return uint8(r.Number(part, v, 0, len(r.lists["seat"])-1))
}

// Word returns the index of a word in a list.
func (r *Reader) Word(part string, v any, list string) int { return r.word(part, v, r.lists[list]) }

func (r *Reader) word(part string, v any, words []string) int {
	text, ok := v.(string)
	if !ok {
		r.wrongType(v, "a string")
		return 0
	}
	i := slices.Index(words, text)
	if i < 0 || text == "" {
		known := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
		if most := 100; len(known) > most {
			r.Fail("%s %q is unknown; it is one of %d, such as %s", r.at(part), text, len(known), strings.Join(known[:3], ", "))
			return 0
		}
		r.Fail("%s %q is unknown; it is one of %s", r.at(part), text, strings.Join(known, ", "))
		return 0
	}
	return i
}

// List returns the entries of a list, of which there are n, or any number for -1.
func (r *Reader) List(part string, v any, n int) []any {
	entries, ok := v.([]any)
	switch {
	case !ok:
		r.wrongType(v, "a list")
	case n >= 0 && len(entries) != n:
		r.Fail("%s has %d entries, it has %d", r.at(part), len(entries), n)
		return nil
	}
	return entries
}

// Object returns the values of an object, which has no other keys than these, in the
// order of the keys; nil stands for one that is left out or null.
func (r *Reader) Object(part string, v any, keys ...string) []any {
	o, ok := v.(map[string]any)
	values := make([]any, len(keys))
	if !ok {
		r.wrongType(v, "an object")
		return values
	}
	o = maps.Clone(o)
	for i, key := range keys {
		values[i] = o[key]
		delete(o, key)
	}
	r.unknown(o, keys)
	return values
}

// Entry is a value of an object, with its key.
type Entry struct {
	Key   string
	Value any
}

// Entries returns the values of an object in the order of its keys.
func (r *Reader) Entries(part string, v any) []Entry {
	o, ok := v.(map[string]any)
	if !ok {
		r.wrongType(v, "an object")
		return nil
	}
	list := make([]Entry, 0, len(o))
	for _, key := range slices.Sorted(maps.Keys(o)) {
		list = append(list, Entry{key, o[key]})
	}
	return list
}

// unknown refuses the first of the fields that are left.
func (r *Reader) unknown(left map[string]any, names []string) {
	for _, key := range slices.Sorted(maps.Keys(left)) {
		r.Fail("%s: unknown field %q; fields: %s", r.path, key, strings.Join(names, ", "))
		return
	}
}

// take removes the value at a path from a document.
func take(r *Reader, doc map[string]any, keys []string) (v any, found bool) {
	for i, key := range keys[:len(keys)-1] {
		next, ok := doc[key]
		if !ok || next == nil {
			return nil, false
		}
		if doc, ok = next.(map[string]any); !ok {
			r.path = &trail{key: strings.Join(keys[:i+1], ".")}
			r.wrongType(next, "an object")
			return nil, false
		}
	}
	last := keys[len(keys)-1]
	v, found = doc[last]
	delete(doc, last)
	return v, found
}

// rest returns the path of a field that nothing has taken, "" if there is none. above
// reports whether fields stand below a path.
func rest(doc map[string]any, path string, above func(path string) bool) string {
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		at := path + key
		if !above(at) {
			return at
		}
		if inner, ok := doc[key].(map[string]any); ok {
			if below := rest(inner, at+".", above); below != "" {
				return below
			}
		}
	}
	return ""
}
