// Package option parses strings such as "jogu(first=agents,expansion=true)"
// into a name and typed, validated options. Games and agents are both named
// in this way.
package option

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrUsage is wrapped by every error of this package: the string, not the
// program, is at fault.
var ErrUsage = errors.New("wrong usage")

// Kind is the type of an option's value.
type Kind string

const (
	Bool     Kind = "bool"     // true or false
	Int      Kind = "int"      // a whole number from Min to Max
	Float    Kind = "float"    // a number from Min to Max
	Duration Kind = "duration" // such as 50ms or 2s, from 0 to Max seconds
	Choice   Kind = "choice"   // one of Choices
	Text     Kind = "text"     // any characters but , ( ) =
)

// Option declares one option.
type Option struct {
	Name    string   `json:"name"`
	Kind    Kind     `json:"kind"`
	Default string   `json:"default"`
	Choices []string `json:"choices,omitempty"`
	Min     float64  `json:"min,omitempty"`
	Max     float64  `json:"max,omitempty"`
	Help    string   `json:"help"`
}

// Wants says in words which values the option takes.
func (o Option) Wants() string {
	switch o.Kind {
	case Bool:
		return "true or false"
	case Int:
		return fmt.Sprintf("a whole number from %s to %s", Number(o.Min), Number(o.Max))
	case Float:
		return fmt.Sprintf("a number from %s to %s", Number(o.Min), Number(o.Max))
	case Duration:
		return fmt.Sprintf("a duration such as 50ms, at most %ss", Number(o.Max))
	case Choice:
		return "one of " + strings.Join(o.Choices, ", ")
	default:
		return "a text"
	}
}

// mostValues bounds how many whole numbers Values lists.
const mostValues = 1000

// Values lists what the option can be, nil for one that takes what cannot be listed: a text, a
// duration, a number with a point, or very many whole numbers.
func (o Option) Values() []string {
	switch o.Kind {
	case Bool:
		return []string{"false", "true"}
	case Choice:
		return o.Choices
	case Int:
		if o.Max-o.Min >= mostValues {
			return nil
		}
		var values []string
		for n := int(o.Min); n <= int(o.Max); n++ {
			values = append(values, strconv.Itoa(n))
		}
		return values
	default:
		return nil
	}
}

// Number writes a limit for people: all its digits, never an exponent.
func Number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// canonical checks the value and returns the one spelling that stands for it.
func (o Option) canonical(value string) (string, bool) {
	switch o.Kind {
	case Bool:
		return value, value == "true" || value == "false"
	case Int:
		n, err := strconv.Atoi(value)
		return strconv.Itoa(n), err == nil && float64(n) >= o.Min && float64(n) <= o.Max
	case Float:
		x, err := strconv.ParseFloat(value, 64)
		return strconv.FormatFloat(x, 'g', -1, 64), err == nil && !math.IsNaN(x) && x >= o.Min && x <= o.Max
	case Duration:
		d, err := time.ParseDuration(value)
		return d.String(), err == nil && d >= 0 && d.Seconds() <= o.Max
	case Choice:
		return value, slices.Contains(o.Choices, value)
	default:
		return value, value != ""
	}
}

// Values holds a checked value for every declared option.
type Values struct {
	options []Option
	values  []string
}

// value panics on an undeclared name, which only a programmer can cause.
func (v Values) value(name string, kind Kind) string {
	for i, o := range v.options {
		if o.Name == name && o.Kind == kind {
			return v.values[i]
		}
	}
	panic(fmt.Sprintf("option: %s option %q is not declared", kind, name))
}

// Bool returns the value of a Bool option.
func (v Values) Bool(name string) bool { return v.value(name, Bool) == "true" }

// Int returns the value of an Int option.
func (v Values) Int(name string) int {
	n, _ := strconv.Atoi(v.value(name, Int))
	return n
}

// Float returns the value of a Float option.
func (v Values) Float(name string) float64 {
	x, _ := strconv.ParseFloat(v.value(name, Float), 64)
	return x
}

// Duration returns the value of a Duration option.
func (v Values) Duration(name string) time.Duration {
	d, _ := time.ParseDuration(v.value(name, Duration))
	return d
}

// Choice returns the value of a Choice option.
func (v Values) Choice(name string) string { return v.value(name, Choice) }

// Text returns the value of a Text option.
func (v Values) Text(name string) string { return v.value(name, Text) }

// IsDefault reports whether a declared option has its default value.
func (v Values) IsDefault(name string) bool {
	i := v.index(name)
	return v.values[i] == v.options[i].Default
}

// With returns the values with another one for a declared option, which must be in its
// canonical spelling.
func (v Values) With(name, value string) Values {
	v.values = slices.Clone(v.values)
	v.values[v.index(name)] = value
	return v
}

// Format returns the canonical string: the name and, in brackets, the options
// that differ from their defaults, in the order of their declaration.
func (v Values) Format(name string) string {
	var parts []string
	for i, o := range v.options {
		if v.values[i] != o.Default {
			parts = append(parts, o.Name+"="+v.values[i])
		}
	}
	if parts == nil {
		return name
	}
	return name + "(" + strings.Join(parts, ",") + ")"
}

// Argument is one name=value of a call.
type Argument struct{ Name, Value string }

// Split takes "name" or "name(a=1,b=2)" apart without looking at what the
// names mean. Space around the parts is ignored.
func Split(call string) (name string, arguments []Argument, err error) {
	call = strings.TrimSpace(call)
	name, rest, bracket := strings.Cut(call, "(")
	name = strings.TrimSpace(name)
	if name == "" || strings.ContainsAny(name, "),=") {
		return "", nil, fmt.Errorf("%w: %q is not of the form name or name(option=value,...)", ErrUsage, Shorten(call))
	}
	if !bracket {
		return name, nil, nil
	}
	inner, ok := strings.CutSuffix(rest, ")")
	if !ok || strings.ContainsAny(inner, "()") {
		return "", nil, fmt.Errorf("%w: the brackets of %q do not match", ErrUsage, Shorten(call))
	}
	if strings.TrimSpace(inner) == "" {
		return name, nil, nil
	}
	for part := range strings.SplitSeq(inner, ",") {
		k, v, ok := strings.Cut(part, "=")
		k, v = strings.TrimSpace(k), strings.TrimSpace(v)
		if !ok || k == "" || v == "" {
			return "", nil, fmt.Errorf("%w: in %q, %q is not of the form option=value", ErrUsage, Shorten(call), Shorten(strings.TrimSpace(part)))
		}
		arguments = append(arguments, Argument{k, v})
	}
	return name, arguments, nil
}

// Check gives every declared option its argument's value or its default. Names
// the owner of the options in errors.
func Check(owner string, options []Option, arguments []Argument) (Values, error) {
	v := Values{options: options, values: make([]string, len(options))}
	for i, o := range options {
		v.values[i] = o.Default
	}
	given := map[string]bool{}
	for _, a := range arguments {
		i := slices.IndexFunc(options, func(o Option) bool { return o.Name == a.Name })
		if i < 0 {
			return Values{}, fmt.Errorf("%w: %s has no option %q; its options: %s", ErrUsage, owner, Shorten(a.Name), names(options))
		}
		if given[a.Name] {
			return Values{}, fmt.Errorf("%w: %s: option %s is given twice", ErrUsage, owner, a.Name)
		}
		given[a.Name] = true
		value, ok := options[i].canonical(a.Value)
		if !ok {
			return Values{}, fmt.Errorf("%w: %s: %s=%s is not possible; %s is %s", ErrUsage, owner, a.Name, Shorten(a.Value), a.Name, options[i].Wants())
		}
		v.values[i] = value
	}
	return v, nil
}

// Shorten returns a name that somebody has given as an error may repeat it: cut off after
// 60 characters, so that what would be right can still be read.
func Shorten(name string) string {
	const most = 60
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most]) + "…"
}

func names(options []Option) string {
	if len(options) == 0 {
		return "none"
	}
	list := make([]string, len(options))
	for i, o := range options {
		list[i] = o.Name
	}
	return strings.Join(list, ", ")
}
