package suite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/games"
	"powderkeg/engine/ruledata"
)

// paper is the account of the project that is laid out as a paper.
const paper = "../../experiments/paper.md"

// TestPaper: the table of the evidence is what the program says; that of the baselines is TestSecondPage's.
func TestPaper(t *testing.T) {
	fresh(t, paper, "evidence", evidence(t))
}

// evidence counts what stands in the folders of the games that have rulings.
func evidence(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, "| game | numbered rules, all cited by code and a test | rulings | scripts of rules | vectors | playthroughs "+
		"|\n|---|---|---|---|---|---|")
	for _, f := range games.Families() {
		if f.Rulings == "" {
			continue
		}
		rules, err := ruledata.Rules(f.Rules)
		if err != nil {
			t.Fatal(err)
		}
		count := func(folder, ending string) int {
			files, err := filepath.Glob(filepath.Join("../../engine", f.Name, "testdata", folder, "*"+ending))
			if err != nil {
				t.Fatal(err)
			}
			return len(files)
		}
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d | %d |\n", f.Name, len(rules), len(ruledata.Rulings(f.Rulings)),
			count("rules", ".json"), count("vectors", ".json"), count("playthroughs", ""))
	}
	return b.String()
}
