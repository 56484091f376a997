package position

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"

	"powderkeg/engine/option"
)

// Plainly says in one line what encoding/json has found wrong in a text that somebody wrote: the
// field, what it is and what it must be, in the words of JSON and not in those of Go. v is what
// the text was read into, whose fields are named where an unknown one was given; nil names none.
func Plainly(err error, v any) string {
	var wrongType *json.UnmarshalTypeError
	unknown, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case errors.Is(err, io.EOF):
		return "there is nothing in it"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends in the middle"
	case errors.As(err, &wrongType):
		name := "it"
		if field := written(wrongType.Field); field != "" {
			name = fmt.Sprintf("field %q", field)
		}
		return fmt.Sprintf("%s is %s, it must be %s", name, plainValue(wrongType.Value), plainType(wrongType.Type))
	case isUnknown:
		text := fmt.Sprintf("unknown field %q", option.Shorten(strings.Trim(unknown, `"`)))
		if v == nil {
			return text
		}
		return text + "; fields: " + strings.Join(fields(reflect.TypeOf(v).Elem()), ", ")
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// written is the path of a field without the names of Go's types that encoding/json puts into it
// for embedded structs: no field of a document begins with a capital.
func written(path string) string {
	var names []string
	for name := range strings.SplitSeq(path, ".") {
		if name != "" && !unicode.IsUpper(rune(name[0])) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ".")
}

// plainValue names the type of a value as encoding/json has it, such as "array" or
// "number 1.5", in the words of plainType.
func plainValue(v string) string {
	switch word, _, _ := strings.Cut(v, " "); word {
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	default:
		return "a " + option.Shorten(v)
	}
}

// plainType names a Go type in the words of JSON.
func plainType(t reflect.Type) string {
	switch kind := t.Kind(); kind {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Pointer:
		return plainType(t.Elem())
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint64:
		return "a whole number from 0 on"
	case reflect.Int8, reflect.Int16, reflect.Int32:
		return fmt.Sprintf("a whole number from %d to %d", -1<<(t.Bits()-1), 1<<(t.Bits()-1)-1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return fmt.Sprintf("a whole number from 0 to %d", 1<<t.Bits()-1)
	default:
		return "something else"
	}
}

// fields lists the names of a struct, or of the structs in a list or map.
func fields(t reflect.Type) []string {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var list []string
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			list = append(list, name)
		}
	}
	return list
}
