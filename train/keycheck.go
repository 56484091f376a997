package train

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"powderkeg/engine/option"
	"powderkeg/train/ppo"
)

// scheduleType is that of numbers that may change over a run; a plain number stands for one that
// does not.
var scheduleType = reflect.TypeFor[ppo.Schedule]()

// fitted returns a value of a config file in the form that its type is read from, a plain number
// in the place of a schedule among them, or says what it must be.
func fitted(path string, value any, t reflect.Type) (any, error) {
	number, isNumber := numeric(value)
	refuse := func(what string) error {
		return fmt.Errorf("config: %s is %s, it must be %s", path, inWords(value), what)
	}
	switch {
	case value == nil:
		return nil, fmt.Errorf("config: %s has no value, it must be %s; leave the key out for its default", path, wants(path, t))
	case t == scheduleType && isNumber:
		// Every key is there, since those that a file leaves out would keep their defaults.
		return map[string]any{"start": number, "end": number, "until": 0.0, "power": 0.0, "most": 0.0}, nil
	}
	switch kind := t.Kind(); kind {
	case reflect.Struct, reflect.Map:
		keys, ok := value.(map[string]any)
		if !ok {
			return nil, refuse(wants(path, t))
		}
		if kind == reflect.Struct {
			return value, known(path+".", keys, t)
		}
		return value, eachOf(keys, func(key string) string { return path + "." + key }, t.Elem())
	case reflect.Slice:
		list, ok := value.([]any)
		if !ok {
			return nil, refuse(wants(path, t))
		}
		for i := range list {
			var err error
			if list[i], err = fitted(fmt.Sprintf("%s[%d]", path, i), list[i], t.Elem()); err != nil {
				return nil, err
			}
		}
		return value, nil
	case reflect.Bool:
		if _, ok := value.(bool); !ok {
			return nil, refuse(wants(path, t))
		}
	case reflect.String:
		if list, mapping := reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](); reflect.TypeOf(value) == list || reflect.TypeOf(value) == mapping {
			return nil, refuse(wants(path, t))
		}
	case reflect.Float64, reflect.Float32:
		if !isNumber {
			return nil, refuse(wants(path, t))
		}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		if isNumber && (math.Abs(number) > 1<<64 || math.Abs(number) >= 1<<63 && kind != reflect.Uint64) {
			return nil, refuse("nearer to 0")
		}
		if !isNumber || number != math.Trunc(number) || number < 0 && kind == reflect.Uint64 {
			return nil, refuse(wants(path, t))
		}
		if v := reflect.ValueOf(value); !v.CanInt() && !v.CanUint() { // 1e6
			return int64(number), nil
		}
	}
	return value, nil
}

// eachOf fits all values of a mapping.
func eachOf(keys map[string]any, path func(key string) string, t reflect.Type) error {
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		var err error
		if keys[key], err = fitted(path(key), keys[key], t); err != nil {
			return err
		}
	}
	return nil
}

// numeric returns a number of a YAML file.
func numeric(value any) (float64, bool) {
	if text, ok := value.(string); ok { // the YAML library reads 1e-4 as a text
		x, err := strconv.ParseFloat(text, 64)
		return x, err == nil
	}
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// inWords is a value as an error repeats it.
func inWords(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("%q", option.Shorten(v))
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	}
	return fmt.Sprint(value)
}

// keysOf lists the keys of a struct, in their order.
func keysOf(t reflect.Type) []string {
	if t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for f := range t.Fields() {
		if name := f.Tag.Get("yaml"); name != "" { // otherwise no part of the file
			names = append(names, name)
		}
	}
	return names
}
