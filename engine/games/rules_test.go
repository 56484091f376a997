package games_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/cited"
	"powderkeg/engine/games"
	"powderkeg/engine/ruledata"
)

// Every rule number of a game's list (data/rules.json) must be cited where it is
// carried out and in a test that asserts something. "make rules" runs this alone.
func TestEveryRuleHasCodeAndTest(t *testing.T) {
	for _, f := range games.Families() {
		folder := filepath.Join("..", f.Name)
		data, err := os.ReadFile(filepath.Join(folder, "data", "rules.json"))
		if os.IsNotExist(err) {
			continue // a reference game without a numbered rulebook
		}
		if err != nil {
			t.Fatal(err)
		}
		var rules []struct{ Rule, Title string }
		if err := json.Unmarshal(data, &rules); err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		if len(rules) == 0 {
			t.Errorf("%s: the list of rules is empty", f.Name)
		}
		code := inCode(t, folder)
		list, err := cited.Tests(folder)
		if err != nil {
			t.Fatal(err)
		}
		tests := cited.Rules(list)
		for _, r := range rules {
			if !code[r.Rule] {
				t.Errorf("%s: no code cites %s (%s)", f.Name, r.Rule, r.Title)
			}
			if !tests[r.Rule] {
				t.Errorf("%s: no test cites %s (%s)", f.Name, r.Rule, r.Title)
			}
		}
		t.Logf("%s: %d rules looked up", f.Name, len(rules))
	}
}

// TestRulesCanBeRead reads what people are shown of every game's rules: each has a
// section and a sentence, the rulings have texts, and a title does not do for a text.
func TestRulesCanBeRead(t *testing.T) {
	for _, f := range games.Families() {
		rules, err := ruledata.Rules(f.Rules)
		if err != nil || len(rules) == 0 {
			t.Errorf("%s: %d rules, error %v", f.Name, len(rules), err)
		}
		for _, r := range rules {
			if len(r.Text) <= len(r.Title) || !strings.HasSuffix(r.Text, ".") || strings.Contains(r.Text, "\n") {
				t.Errorf("%s: %s says %q, which is no sentence", f.Name, r.Number, r.Text)
			}
		}
		if _, err := os.Stat(filepath.Join("..", f.Name, "RULINGS.md")); err == nil != (f.Rulings != "") {
			t.Errorf("%s: RULINGS.md is there, or not, and the family has %d bytes of it", f.Name, len(f.Rulings))
		}
		for _, r := range ruledata.Rulings(f.Rulings) {
			if r.Title == "" || r.Text == "" {
				t.Errorf("%s: ruling %s has the title %q and the text %q", f.Name, r.Number, r.Title, r.Text)
			}
		}
	}
}

// TestRuleListsHaveNoGaps keeps a list from losing rules: the numbers of a
// chapter count up without gaps.
func TestRuleListsHaveNoGaps(t *testing.T) {
	for _, f := range games.Families() {
		list, err := os.ReadFile(filepath.Join("..", f.Name, "data", "rules.json"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]bool{}
		for _, number := range cited.Number.FindAllString(string(list), -1) {
			have[number] = true
		}
		for n := range have {
			i := strings.LastIndex(n, ".")
			if i < 0 {
				continue // a chapter that is one rule, or is named in a text
			}
			if last := n[i+1:]; last != "1" && !have[n[:i+1]+before(last)] {
				t.Errorf("%s: the list has %s and not %s.%s", f.Name, n, n[:i], before(last))
			}
		}
	}
}

// before returns the decimal number that comes before n.
func before(n string) string {
	b := []byte(n)
	i := len(b) - 1
	for b[i] == '0' {
		b[i] = '9'
		i--
	}
	b[i]--
	return strings.TrimPrefix(string(b), "0")
}

// inCode returns the rule numbers that a game's code and data cite.
func inCode(t *testing.T, folder string) map[string]bool {
	t.Helper()
	code := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := d.Name()
		if name == "rules.json" || filepath.Ext(name) != ".go" && filepath.Ext(name) != ".json" ||
			strings.HasSuffix(name, "_test.go") || strings.Contains(path, "testdata") {
			return nil
		}
		data, err := os.ReadFile(path)
		for _, n := range cited.Number.FindAllString(string(data), -1) {
			code[n] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return code
}
