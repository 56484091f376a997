package games_test

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/mutants"
	"powderkeg/engine/enginetest/soak"
	"powderkeg/engine/games"
	"powderkeg/engine/ruledata"
)

// What "make mutants" asks for.
var (
	mutantsOf   = flag.String("game", "", "games whose rules TestRulesBroken breaks, separated by commas")
	mutantRules = flag.Int("rules", 10, "how many rules of each game TestRulesBroken breaks")
	mutantSeed  = flag.Uint64("seed", 1, "which rules and places TestRulesBroken draws")
)

// leastHeld is the least share, in percent, of broken rules of which a test must know that
// cites a rule of the place. Some changes make no difference that anybody could see, so that
// it is never all.
const leastHeld = 50

// fewRules is how many broken rules are too few to judge a game by: one more or less decides.
const fewRules = 10

// TestRulesBroken changes the code of some rules of each game, one place at a time, and sees
// whether a test that cites the rule fails. It reports the share and what survives. It takes
// minutes, and runs in "make mutants" and in a soak.
func TestRulesBroken(t *testing.T) {
	n := *mutantRules
	if *mutantsOf == "" {
		if !soak.On() {
			t.Skip("takes minutes: make mutants, or POWDERKEG_SOAK=1")
		}
		n *= max(1, enginetest.Times(1)/20) // a hundred in "make soak"
	}
	asked := strings.Split(*mutantsOf, ",")
	for _, f := range games.Families() {
		if *mutantsOf == "" || slices.Contains(asked, f.Name) {
			asked = slices.DeleteFunc(asked, func(name string) bool { return name == f.Name })
			t.Run(f.Name, func(t *testing.T) { breakRules(t, f.Name, f.Rules, n) })
		}
	}
	if *mutantsOf != "" && len(asked) > 0 {
		t.Errorf("-game names %q, which is no game", asked)
	}
}

func breakRules(t *testing.T, name string, list []byte, n int) {
	rules, err := ruledata.Rules(list)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join("..", name)
	all, err := mutants.Find(folder)
	if err != nil {
		t.Fatal(err)
	}
	byRule := mutants.ByRule(all)
	var numbers []string
	for _, r := range rules {
		if len(byRule[r.Number]) > 0 {
			numbers = append(numbers, r.Number)
		}
	}
	t.Logf("%s: %d of %d rules have code to change, in %d places and ways", name, len(numbers), len(rules), len(all))
	lab, err := mutants.NewLab(t.Context(), folder, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := mutants.Sample(t.Context(), lab, numbers, n, *mutantSeed, func(o *mutants.Outcome) { t.Log(o) })
	if err != nil {
		t.Fatal(err)
	}
	if len(outcomes) == 0 {
		t.Fatalf("%s has %d rules, and none has code to change", name, len(rules))
	}
	count := mutants.Count(outcomes)
	held := count[mutants.KilledByRule] + count[mutants.KilledByPlace]
	t.Logf("%s: %d rules broken: %d fail a test that cites the rule, %d one that cites another rule of the place, %d another test, %d survive",
		name, len(outcomes), count[mutants.KilledByRule], count[mutants.KilledByPlace], count[mutants.KilledByAny], count[mutants.Survived])
	if len(outcomes) >= fewRules && 100*held < leastHeld*len(outcomes) {
		t.Errorf("%s: tests that cite the rules notice %d of %d, want %d%%", name, held, len(outcomes), leastHeld)
	}
}
