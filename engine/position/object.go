package position

import (
	"maps"
	"slices"
	"strconv"
)

// Object is a JSON object that keeps the order of its keys.
type Object struct {
	keys   []string
	values []any
	places map[string]int // of the keys, once there are many
}

// few is how many keys are looked through rather than looked up.
const few = 16

// place returns the place of a key, -1 if it is missing.
func (o *Object) place(key string) int {
	if o.places == nil {
		return slices.Index(o.keys, key)
	}
	if i, ok := o.places[key]; ok {
		return i
	}
	return -1
}

// Set adds a value, or replaces it.
func (o *Object) Set(key string, v any) {
	if i := o.place(key); i >= 0 {
		o.values[i] = v
		return
	}
	o.keys, o.values = append(o.keys, key), append(o.values, v)
	switch {
	case o.places != nil:
		o.places[key] = len(o.keys) - 1
	case len(o.keys) > few:
		o.places = map[string]int{}
		for i, k := range o.keys {
			o.places[k] = i
		}
	}
}

// at returns the object at the end of a path, made where it is missing.
func (o *Object) at(path []string) *Object {
	for _, key := range path {
		var next *Object
		if i := o.place(key); i >= 0 {
			next, _ = o.values[i].(*Object)
		}
		if next == nil {
			next = &Object{}
			o.Set(key, next)
		}
		o = next
	}
	return o
}

// MarshalJSON implements json.Marshaler. It writes what positions are made of by itself:
// package json would read each object again that one within it has written.
func (o *Object) MarshalJSON() ([]byte, error) { return appendValue(nil, o) }

// appendValue writes a value behind b, without escaping what HTML would need.
func appendValue(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case int:
		return strconv.AppendInt(b, int64(v), 10), nil
	case string:
		if plain(v) {
			return append(append(append(b, '"'), v...), '"'), nil
		}
	case []any:
		return appendList(b, v)
	case []string:
		return appendList(b, v)
	case []int:
		return appendList(b, v)
	case *Object:
		return appendPairs(b, v.keys, func(i int) any { return v.values[i] })
	case map[string]int:
		return appendMap(b, v)
	case map[string]any:
		return appendMap(b, v)
	}
	text, err := Encode(v)
	return append(b, text...), err
}

func appendList[T any](b []byte, list []T) ([]byte, error) {
	if list == nil {
		return append(b, "null"...), nil
	}
	b = append(b, '[')
	var err error
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, list[i]); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendMap[T any](b []byte, m map[string]T) ([]byte, error) {
	if m == nil {
		return append(b, "null"...), nil
	}
	keys := slices.Sorted(maps.Keys(m))
	return appendPairs(b, keys, func(i int) any { return m[keys[i]] })
}

func appendPairs(b []byte, keys []string, value func(i int) any) ([]byte, error) {
	b = append(b, '{')
	var err error
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, key); err != nil {
			return nil, err
		}
		if b, err = appendValue(append(b, ':'), value(i)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// plain reports whether a string stands in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
