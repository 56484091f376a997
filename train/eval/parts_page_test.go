package eval_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/train/eval"
)

// TestPartsPage: the zoo's page shows the committed records, each of which is of the weights that
// ship and of today's rules, and every bot has one.
func TestPartsPage(t *testing.T) {
	paths, err := filepath.Glob("../../experiments/parts/*.json")
	if err != nil {
		t.Fatal(err)
	}
	bots := checkpoints.Zoo()
	var results []eval.PartsResult
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var r eval.PartsResult
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(path, err)
		}
		weights, err := roster.Weights(r.Agent)
		if err != nil || weights != r.Weights || weights == "" {
			t.Errorf("%s is of the weights %q of %s, which has %q (%v)", path, r.Weights, r.Agent, weights, err)
		}
		if g, err := games.New(r.Game); err != nil || g.Spec().Version != r.Rules {
			t.Errorf("%s is by rules %d of %s, which has others (%v)", path, r.Rules, r.Game, err)
		}
		bots = slices.DeleteFunc(bots, func(name string) bool { return "zoo:"+name == r.Agent })
		results = append(results, r)
	}
	if len(bots) > 0 {
		t.Errorf("no record of %v; powderkeg parts GAME zoo:NAME --json > experiments/parts/NAME.json", bots)
	}
	enginetest.Section(t, "../../checkpoints/zoo/README.md", "parts", "go test ./train/eval -run TestPartsPage -update", eval.PartsTable(results))
}
