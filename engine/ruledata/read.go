package ruledata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Files holds a game's data files; embed.FS does.
type Files interface {
	ReadFile(name string) ([]byte, error)
}

// Read reads data/NAME.json of a game's files into v. It refuses a field that v does
// not declare, and text behind the end. What the records mean is not its business: what
// a game's arrays or rules rely on is checked where they are compiled, and what
// only confirms the data by a test.
func Read(files Files, name string, v any) error {
	data, err := files.ReadFile("data/" + name + ".json")
	if err != nil {
		return err
	}
	if err := Decode(data, v); err != nil {
		return fmt.Errorf("%s.json: %w", name, err)
	}
	return nil
}

// Decode reads a piece of data as Read does a file.
func Decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return plain(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("text behind the end")
	}
	return nil
}

// plain says what is wrong with a piece of data to somebody who does not know the types of
// the program.
func plain(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	want := "an object"
	switch t := wrong.Type; t.Kind() {
	case reflect.Bool:
		want = "true or false"
	case reflect.String:
		want = "a text"
	case reflect.Slice, reflect.Array:
		want = "a list"
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		want = fmt.Sprintf("a whole number from 0 to %d", uint64(1)<<min(t.Bits(), 53)-1)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		want = fmt.Sprintf("a whole number up to %d", uint64(1)<<min(t.Bits()-1, 53)-1)
	case reflect.Float32, reflect.Float64:
		want = "a number"
	}
	field := wrong.Field
	if field == "" {
		field = "it"
	}
	return fmt.Errorf("%s is %s, want %s", field, wrong.Value, want)
}

// Source is the mark of a record that says where its facts come from. Records embed it;
// enginetest.Sources checks all marks of a game's data.
type Source struct {
	// Source is one word, or an object with a word for each part of the record:
	// rulebook, public or reconstructed.
	Source json.RawMessage `json:"source"`
	// Cite says what a fact rests on.
	Cite string `json:"cite"`
	// Why gives the reason of a reconstruction, in words or as a list or object of them.
	Why json.RawMessage `json:"why"`
}
