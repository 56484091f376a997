package eval_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine/games"
	"powderkeg/train/eval"
)

// TestPartsPage: the zoo's page shows the committed records, each of which is of the weights that
// ship and of today's rules, and every bot has one.
func TestPartsPage(t *testing.T) {
	const page = "../../checkpoints/zoo/README.md"
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
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const from, to = "<!-- parts: written by go test ./train/eval -run TestPartsPage -update -->\n", "<!-- end of parts -->"
	head, rest, ok := strings.Cut(string(old), from)
	_, tail, end := strings.Cut(rest, to)
	if !ok || !end {
		t.Fatalf("%s has no place for the parts", page)
	}
	switch want := head + from + eval.PartsTable(results) + to + tail; {
	case want == string(old):
	case flag.Lookup("update").Value.String() != "true": // the flag is enginetest's
		t.Errorf("%s does not show the committed records; go test ./train/eval -run TestPartsPage -update", page)
	default:
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
