package games_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/ruledata"
)

// What opens a part of a game (engine.Event.Opens) is what its README.md tells of as the
// beginning of a round, a night, a turn or what ends one, by a rule of its rulebook. Smaller
// parts, such as the phases of Minuteman and operations, are not what people count by.
func TestWhatOpensAPart(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| (R[0-9.]+)[^|]*\\|[^|]*\\| ([^|]*) \\|$")
	begins := regexp.MustCompile(`\b(round|night|turn|Game Turn|Game-Turn|Sunrise|Administration Phase) begins`)
	found := map[string][]string{}
	for _, f := range games.Families() {
		text, err := os.ReadFile(filepath.Join("..", f.Name, "README.md"))
		if err != nil {
			continue // a reference game tells of no parts
		}
		rules := games.Rules(f.Name)
		for _, m := range row.FindAllStringSubmatch(string(text), -1) {
			kind, rule, about := m[1], m[2], m[3]
			opens := (&engine.Event{Kind: kind}).Opens()
			if opens != begins.MatchString(about) {
				t.Errorf("%s: event %s opens a part: %t; its README.md says %q", f.Name, kind, opens, about)
			}
			if !opens {
				continue
			}
			found[f.Name] = append(found[f.Name], kind)
			if !slices.ContainsFunc(rules, func(r ruledata.Rule) bool { return r.Number == rule }) {
				t.Errorf("%s: event %s opens a part by %s, which is no rule of it", f.Name, kind, rule)
			}
		}
	}
	want := map[string][]string{
		"bloc": {"turn", "sunrise", "night"}, "domination": {"game_turn"}, "goofspiel": {"round"},
		"insurgency": {"round", "administration"}, "jogu": {"round"}, "minuteman": {"turn"},
	}
	if !maps.EqualFunc(found, want, slices.Equal) {
		t.Errorf("what opens a part is %v, want %v", found, want)
	}
}
