package train

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"

	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// ParseConfig reads a config file over Default; an empty one is Default. Where a schedule is expected, such as
// ppo.learning_rate, a number stands for one that does not change. Unknown keys and wrong types
// are refused with one line; Validate checks the values.
func ParseConfig(data []byte) (Config, error) {
	c := Default()
	if err := file.CheckYAML(data); err != nil {
		return c, fmt.Errorf("config: %w", err)
	}
	var document any
	if err := yaml.Unmarshal(data, &document); err != nil {
		return c, fmt.Errorf("config: %s", firstLine(err))
	}
	if document == nil { // nothing, or comments
		return c, nil
	}
	keys, ok := document.(map[string]any)
	if !ok {
		return c, fmt.Errorf("config: it is %s, it must be a mapping of keys, such as game: jogu or {game: jogu, seed: 2}", inWords(document))
	}
	if err := known("", keys, reflect.TypeFor[Config]()); err != nil {
		return c, err
	}
	text, err := yaml.Marshal(keys)
	if err != nil {
		return c, fmt.Errorf("config: %s", firstLine(err))
	}
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&c); err != nil {
		return c, fmt.Errorf("config: %s", firstLine(err))
	}
	return c, nil
}

// firstLine drops the drawing of the place that the YAML library adds, and says in words which
// place it is.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	var row, column int
	if n, _ := fmt.Sscanf(line, "[%d:%d]", &row, &column); n == 2 {
		_, what, _ := strings.Cut(line, "] ")
		line = fmt.Sprintf("line %d, column %d: %s", row, column, what)
	}
	return option.Shorten(line)
}

// known checks the keys of a mapping, and of the mappings in it, against the fields of a struct,
// and gives their values the form that they are read from.
func known(path string, keys map[string]any, t reflect.Type) error {
	fields := map[string]reflect.Type{}
	for f := range t.Fields() {
		fields[f.Tag.Get("yaml")] = f.Type
	}
	names := keysOf(t)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		field, ok := fields[key]
		if !ok || key == "" {
			return fmt.Errorf("config: unknown key %q%s; keys here: %s", option.Shorten(path+key), nearest(key, names), strings.Join(names, ", "))
		}
		var err error
		if keys[key], err = fitted(path+key, keys[key], field); err != nil {
			return err
		}
	}
	return nil
}

// YAML returns the config with every key, as it is kept with the run.
func (c Config) YAML() (string, error) {
	text, err := yaml.Marshal(c)
	return string(text), err
}

// With returns the config with one key, such as ppo.epochs, set to a value in
// YAML. Unknown keys and wrong types are refused.
func (c Config) With(key, value string) (Config, error) {
	text, err := c.YAML()
	if err != nil {
		return c, err
	}
	var whole map[string]any
	if err := yaml.Unmarshal([]byte(text), &whole); err != nil {
		return c, err
	}
	if err := file.CheckYAML([]byte(value)); err != nil {
		return c, fmt.Errorf("config: %s: %w", key, err)
	}
	var parsed any
	if err := yaml.Unmarshal([]byte(value), &parsed); err != nil {
		return c, fmt.Errorf("config: %s=%s: %s", option.Shorten(key), option.Shorten(value), firstLine(err))
	}
	at, path := whole, strings.Split(key, ".")
	for i, name := range path[:len(path)-1] {
		inner, ok := at[name].(map[string]any)
		switch _, there := at[name]; {
		case !ok && there:
			return c, fmt.Errorf("config: %s has no keys of its own, there is no %s", strings.Join(path[:i+1], "."), option.Shorten(key))
		case !ok:
			inner = map[string]any{} // ParseConfig says what is wrong with it
			at[name] = inner
		}
		at = inner
	}
	at[path[len(path)-1]] = parsed
	changed, err := yaml.Marshal(whole)
	if err != nil {
		return c, err
	}
	out, err := ParseConfig(changed)
	if err != nil {
		return c, err
	}
	out.own = c.own
	return out, nil
}

// Difference returns the first line in which the config differs from another one, and
// nothing if they are the same.
func (c Config) Difference(there Config) (string, error) {
	old, err := there.YAML()
	if err != nil {
		return "", err
	}
	own, err := c.YAML()
	return FirstDifference(old, own), err
}

// FirstDifference returns the first line in which two YAML texts differ, and nothing if they
// are the same.
func FirstDifference(there, here string) string {
	a, b := strings.Split(there, "\n"), strings.Split(here, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%q there, %q here", option.Shorten(strings.TrimSpace(a[i])), option.Shorten(strings.TrimSpace(b[i])))
		}
	}
	if len(a) == len(b) {
		return ""
	}
	return "one is longer"
}

// SettingsDifference is FirstDifference of two settings, as YAML with the names that they have
// in JSON.
func SettingsDifference(there, here any) (string, error) {
	var texts [2]string
	for i, v := range []any{there, here} {
		data, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		text, err := yaml.JSONToYAML(data)
		if err != nil {
			return "", err
		}
		texts[i] = string(text)
	}
	return FirstDifference(texts[0], texts[1]), nil
}

// Taken is the error of a folder that holds a run with other settings than those asked for:
// what it holds, where the settings differ, and how one goes on with that run. It wraps
// option.ErrUsage.
func Taken(dir, holds, difference, onward string) error {
	return fmt.Errorf("%w: %s holds %s (%s); choose another folder with --run, or go on with that one by %s",
		option.ErrUsage, option.Shorten(dir), holds, difference, onward)
}

// nearest proposes the name that a mistyped one may have meant, as "; did you mean
// X", and nothing where none is near: at most a third of the letters, and two
// at least, may have to change.
func nearest(word string, names []string) string {
	word = option.Shorten(word)
	best, least := "", max(2, len(word)/3)+1
	for _, name := range names {
		if d := levenshtein.ComputeDistance(word, name); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q", best)
}
