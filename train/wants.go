package train

import (
	"fmt"
	"reflect"
	"strings"
)

// wants says what the key at a path must be, with two forms that would do.
func wants(path string, t reflect.Type) string {
	one, other := forms(path, t)
	if t.Kind() == reflect.Bool {
		return one + " or " + other
	}
	return kindOf(t) + ", such as " + one + " or " + other
}

// kindOf says in words what a type is in a file.
func kindOf(t reflect.Type) string {
	if t == scheduleType {
		return "a number or a mapping with the keys " + strings.Join(keysOf(t), ", ")
	}
	switch t.Kind() {
	case reflect.Struct:
		return "a mapping with the keys " + strings.Join(keysOf(t), ", ")
	case reflect.Map:
		return "a mapping of names to numbers"
	case reflect.Slice:
		if keys := keysOf(t.Elem()); keys != nil {
			return "a list of mappings with the keys " + strings.Join(keys, ", ")
		}
		return "a list"
	case reflect.String:
		return "a text"
	case reflect.Float64, reflect.Float32:
		return "a number"
	case reflect.Uint64:
		return "a whole number from 0 on"
	}
	return "a whole number"
}

// examples are two values of keys that are texts, or that not every number would do for.
var examples = map[string][2]string{
	"game": {"jogu", "kuhn"}, "position": {`""`, `'{"hands": ...}'`}, "activation": {"relu", "tanh"}, "from": {"zoo:jogu", "runs/first"},
	"teacher": {"scripted", "random"}, "name": {"random", "scripted"}, "priority": {"uniform", "hard"},
	"fields": {"areas", "cards"}, "actions": {`"BUILD_AT "`, `"MOVE "`}, "hidden": {"64", "32"}, "bins": {"0", "51"}, "sharpen": {"0", "2.5"},
}

// forms are two values of the key at a path, in YAML: for numbers its default and another one.
func forms(path string, t reflect.Type) (one, other string) {
	key := path[strings.LastIndexByte(path, '.')+1:]
	if t == scheduleType {
		return "0.01", "{start: 0.01, end: 0}"
	}
	if pair, ok := examples[key]; ok && t.Kind() != reflect.Slice {
		return pair[0], pair[1]
	}
	switch t.Kind() {
	case reflect.Struct:
		name := keysOf(t)[0]
		one, other = forms(path+"."+name, t.Field(0).Type)
		return fmt.Sprintf("{%s: %s}", name, one), fmt.Sprintf("{%s: %s}", name, other)
	case reflect.Map:
		return "{NAME: 0.5}", "{}"
	case reflect.Slice:
		one, other = forms(path, t.Elem())
		return "[" + one + "]", "[" + one + ", " + other + "]"
	case reflect.Bool:
		return "true", "false"
	case reflect.String:
		return "random", "scripted" // players
	case reflect.Float64, reflect.Float32:
		if x := defaultOf(path); x.IsValid() && x.CanFloat() && x.Float() != 0 {
			return fmt.Sprint(x.Float()), fmt.Sprint(x.Float() / 2)
		}
		return "0", "0.1"
	}
	if x := defaultOf(path); x.IsValid() && x.CanInt() && x.Int() != 0 {
		return fmt.Sprint(x.Int()), fmt.Sprint(2 * x.Int())
	}
	return "0", "1"
}

// defaultOf is the value of Default at a path, invalid for what is in a list.
func defaultOf(path string) reflect.Value {
	v := reflect.ValueOf(Default())
	for name := range strings.SplitSeq(path, ".") {
		if v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		next := reflect.Value{}
		for f := range v.Type().Fields() {
			if f.Tag.Get("yaml") == name && f.IsExported() {
				next = v.FieldByIndex(f.Index)
			}
		}
		if v = next; !v.IsValid() {
			return v
		}
	}
	return v
}
