package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Figures returns the figures of a result, by what its JSON says: every number, named by the path to
// it, such as agents.random.win_rate. An element of a list is named by what it is of (its name, task,
// opponent and so on), or by its place.
//
// The interval of a number stands beside it, as in return, return_low and return_high, or in place of
// it, as in mean, low and high. Left out are what was set rather than found, and long lists, such as
// curves, that no page quotes.
func Figures(result any) (map[string]Figure, error) {
	text, err := json.Marshal(result)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return FiguresOf(text)
}

// FiguresOf is Figures of a result's JSON.
func FiguresOf(text []byte) (map[string]Figure, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	figures := map[string]Figure{}
	collect(figures, "", v)
	return figures, nil
}

// settings are keys of what was set, and of what is too long or too special to be quoted.
var settings = []string{
	"config", "position", "history", "curve", "candidates", "adviser", "network", "hidden", "seed", "each", "rules", "winners",
	"update", "time", "seats_of", "envs", "rows", "workers", "runs", "batch", "batches", "processors", "outcomes", "asks", "even",
}

// mostElements is the length of a list of numbers that is not left out.
const mostElements = 12

// collect adds the figures of a value at a path.
func collect(to map[string]Figure, path string, v any) {
	switch v := v.(type) {
	case float64:
		to[path] = Figure{Value: v, Unit: unitOf(path)}
	case []any:
		for i, e := range v {
			switch e := e.(type) {
			case map[string]any:
				collect(to, join(path, nameOf(e, i)), e)
			case float64:
				if len(v) <= mostElements {
					collect(to, join(path, fmt.Sprint(i)), e)
				}
			}
		}
	case map[string]any:
		if f, ok := estimate(v); ok {
			f.Unit = unitOf(path)
			to[path] = f
			return
		}
		for key, e := range v {
			if slices.Contains(settings, key) || isEnd(v, key) {
				continue
			}
			collect(to, join(path, key), e)
			if f, ok := to[join(path, key)]; ok {
				if low, high, ok := ends(v, key); ok {
					f.Low, f.High = &low, &high
					to[join(path, key)] = f
				}
			}
		}
	}
}

// join joins a path and a name.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// nameOf names an element of a list.
func nameOf(e map[string]any, place int) string {
	if a, ok := e["a"].(string); ok {
		if b, ok := e["b"].(string); ok {
			return a + " against " + b
		}
	}
	for _, key := range []string{"name", "task", "tier", "opponent", "policy", "way", "game"} {
		if name, ok := e[key].(string); ok && name != "" {
			return name
		}
	}
	return fmt.Sprint(place)
}

// estimate reads a mean with its interval.
func estimate(v map[string]any) (Figure, bool) {
	mean, ok := v["mean"].(float64)
	low, below := v["low"].(float64)
	high, above := v["high"].(float64)
	return Figure{Value: mean, Low: &low, High: &high}, ok && below && above && len(v) == 3
}

// shares have their interval under names of their own.
var shares = []string{"win_rate", "score", "iqm"}

// ends returns the interval of the number under a key.
func ends(v map[string]any, key string) (low, high float64, ok bool) {
	if pair, is := v[key+"_interval"].([]any); is && len(pair) == 2 {
		low, _ := pair[0].(float64)
		high, _ := pair[1].(float64)
		return low, high, true
	}
	for _, names := range endings(key) {
		low, below := v[names[0]].(float64)
		high, above := v[names[1]].(float64)
		if below && above {
			return low, high, true
		}
	}
	x, found := v[key].(float64)
	half, ok := v[key+"_error"].(float64) // of an interval
	return x - half, x + half, found && ok
}

// endings are the pairs of keys that the ends of a number's interval may have.
func endings(key string) [][2]string {
	list := [][2]string{{key + "_low", key + "_high"}, {key + "_min", key + "_max"}}
	if short, ok := strings.CutPrefix(key, "mean_"); ok {
		list = append(list, [2]string{short + "_low", short + "_high"})
	}
	if slices.Contains(shares, key) {
		list = append(list, [2]string{"ci_low", "ci_high"}, [2]string{"low", "high"})
	}
	return list
}

// isEnd reports whether a key is an end of the interval of another one.
func isEnd(v map[string]any, key string) bool {
	for other := range v {
		if other == key {
			continue
		}
		if key == other+"_interval" || key == other+"_error" {
			return true
		}
		for _, names := range endings(other) {
			if key == names[0] || key == names[1] {
				return true
			}
		}
	}
	return false
}

// units of numbers, by how their names end.
var units = []struct{ ending, unit string }{
	{"per_second", "/s"}, {"_seconds", "s"}, {"_p50", "s"}, {"_p99", "s"}, {"seconds", "s"}, {"win_rate", "share"}, {"score", ""},
	{"gained", "share"}, {"held", "share"}, {"explained", "share"}, {"share", "share"}, {"return", "return"}, {"returns", "return"}, {"elo", "elo"},
}

// unitOf is the unit of the figure at a path, by its last words.
func unitOf(path string) string {
	for words := strings.Split(path, "."); len(words) > 0; words = words[:len(words)-1] {
		last := words[len(words)-1]
		for _, u := range units {
			if strings.HasSuffix(last, u.ending) {
				return u.unit
			}
		}
		if strings.Trim(last, "0123456789") != "" { // a place in a list says nothing
			break
		}
	}
	return ""
}
