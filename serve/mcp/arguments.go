package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"powderkeg/engine/option"
	"powderkeg/env"

	"github.com/google/jsonschema-go/jsonschema"
)

// The arguments of the tools.
type (
	idArgs struct {
		ID string `json:"id" jsonschema:"the id that new_game has answered with"`
	}
	lookArgs struct {
		ID   string `json:"id" jsonschema:"the id that new_game has answered with"`
		JSON *bool  `json:"json,omitempty" jsonschema:"whether to tell the situation as JSON too; true if left out"`
	}
	actArgs struct {
		ID     string          `json:"id" jsonschema:"the id that new_game has answered with"`
		Action json.RawMessage `json:"action" jsonschema:"number or name of a legal action, or a list of several that are to be played one after another"`
	}
	rulesArgs struct {
		Game string `json:"game" jsonschema:"name of the game, such as jogu"`
		Find string `json:"find,omitempty" jsonschema:"a rule's number, such as R7.3 or R7 for all of its chapter, or a word to look for"`
	}
	newGameArgs struct {
		Game      string         `json:"game" jsonschema:"name of the game, such as jogu, or a game string with options"`
		Options   map[string]any `json:"options,omitempty" jsonschema:"options of the game; those left out have their defaults"`
		Seat      int            `json:"seat,omitempty" jsonschema:"the seat that you play, from 0; 0 if left out"`
		Opponents []string       `json:"opponents,omitempty" jsonschema:"bots by name: one for all other seats, or one for each in their order; scripted if left out"`
		Seed      *uint64        `json:"seed,omitempty" jsonschema:"all chance and all bots follow from it; drawn if left out"`
	}
)

// schemaOf returns the schema of a type.
func schemaOf[T any]() (*jsonschema.Schema, error) {
	return jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},
	}})
}

// read reads the arguments of a call. Errors name the argument and what it must be.
func read(data json.RawMessage, into any, schema *jsonschema.Schema) error {
	if len(data) == 0 {
		data = json.RawMessage("{}")
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	d.UseNumber()
	err := d.Decode(into)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("the arguments are %s, they must be an object with %s", article(wrong.Value), arguments(schema))
	case errors.As(err, &wrong):
		return fmt.Errorf("%s is %s, it must be %s", wrong.Field, article(wrong.Value), wants(wrong.Type))
	}
	return fmt.Errorf("%s; arguments: %s", shorten(strings.TrimPrefix(err.Error(), "json: ")), arguments(schema))
}

// arguments lists the names of the arguments.
func arguments(schema *jsonschema.Schema) string {
	if len(schema.Properties) == 0 {
		return "nothing in it"
	}
	return strings.Join(schema.PropertyOrder, ", ")
}

// article names a kind of JSON value, such as "number 1.5".
func article(value string) string {
	if strings.HasPrefix(value, "number") {
		return "the " + shorten(value)
	}
	if strings.ContainsAny(value[:1], "aeiou") {
		return "an " + value
	}
	return "a " + value
}

// wants says in words what a Go type takes.
func wants(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number from 0 on"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list of strings"
	}
	return "an object of names and values"
}

func shorten(text string) string { return option.Shorten(strings.ReplaceAll(text, "\n", " ")) }

// mostActions is how many actions one call plays.
const mostActions = 100

// actions are those of a call: one, or those of a list.
func (a *actArgs) actions() ([]json.RawMessage, error) {
	if text := strings.TrimSpace(string(a.Action)); !strings.HasPrefix(text, "[") {
		return []json.RawMessage{a.Action}, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(a.Action, &list); err != nil {
		return nil, err
	}
	if len(list) < 1 || len(list) > mostActions {
		return nil, fmt.Errorf("action is a list of %d, it must be of 1 to %d", len(list), mostActions)
	}
	return list, nil
}

// numbersOrNames says what an action is: one of the two, or a list.
func numbersOrNames(s *jsonschema.Schema) {
	one := []string{"integer", "string"}
	s.Properties["action"].Types = append(one, "array")
	s.Properties["action"].Items = &jsonschema.Schema{Types: one}
	s.Properties["action"].MinItems, s.Properties["action"].MaxItems = new(1), new(mostActions)
}

// typedOptions declares the options of all games, each with its type. Which belong to which
// game is in the descriptions, and checked when a game is made.
func typedOptions(s *jsonschema.Schema) {
	o := s.Properties["options"]
	o.AdditionalProperties, o.Properties = &jsonschema.Schema{Not: &jsonschema.Schema{}}, map[string]*jsonschema.Schema{}
	for _, f := range env.Families() {
		for _, declared := range f.Options {
			own := typeOf(declared)
			own.Description = fmt.Sprintf("%s: %s, default %s", f.Name, declared.Help, declared.Default)
			if other := o.Properties[declared.Name]; other != nil {
				own = merged(other, own)
			}
			o.Properties[declared.Name] = own
		}
	}
	for _, p := range []struct {
		name string
		low  float64
	}{{"seat", 0}, {"seed", 0}} {
		s.Properties[p.name].Minimum = &p.low
	}
	const highest = 1 << 53
	s.Properties["seed"].Maximum = new(float64(highest))
}

// typeOf is the type of an option's value.
func typeOf(o option.Option) *jsonschema.Schema {
	switch o.Kind {
	case option.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case option.Int:
		return &jsonschema.Schema{Type: "integer", Minimum: &o.Min, Maximum: &o.Max}
	case option.Float:
		return &jsonschema.Schema{Type: "number", Minimum: &o.Min, Maximum: &o.Max}
	case option.Choice:
		s := &jsonschema.Schema{Type: "string"}
		for _, c := range o.Choices {
			s.Enum = append(s.Enum, c)
		}
		return s
	}
	return &jsonschema.Schema{Type: "string"}
}

// merged is the type of an option that several games have: what one of them takes.
func merged(a, b *jsonschema.Schema) *jsonschema.Schema {
	m := &jsonschema.Schema{Type: a.Type, Description: a.Description + "; " + b.Description}
	if a.Type != b.Type {
		m.Type, m.Types = "", []string{a.Type, b.Type}
		return m
	}
	if a.Minimum != nil && b.Minimum != nil {
		m.Minimum, m.Maximum = new(min(*a.Minimum, *b.Minimum)), new(max(*a.Maximum, *b.Maximum))
	}
	for _, c := range slices.Concat(a.Enum, b.Enum) {
		if a.Enum != nil && b.Enum != nil && !slices.Contains(m.Enum, c) {
			m.Enum = append(m.Enum, c)
		}
	}
	return m
}
