package bank_test

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/roster"
	"powderkeg/engine/enginetest"
	"powderkeg/train/bank"
)

const folder = "../../experiments/bank/"

// TestBanksStand poses some positions of each committed bank again: its deals are as they were, and random
// play loses what it did.
func TestBanksStand(t *testing.T) {
	paths, err := filepath.Glob(folder + "*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d banks, error %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b, g, err := bank.Read(text)
		if err != nil {
			t.Fatal(path, err)
		}
		for i, p := range b.Positions {
			var fields map[string]any
			if err := json.Unmarshal(p.Position, &fields); err != nil {
				t.Fatal(path, err)
			}
			if fields["rest"] != nil && len(fields) != 2 {
				t.Errorf("%s: position %d, in the middle of a procedure, has %d fields beside rest and since", path, i+1, len(fields)-2)
			}
		}
		// The small ones take no time.
		slices.SortFunc(b.Positions, func(p, q bank.Position) int { return cmp.Compare(p.Nodes, q.Nodes) })
		b.Positions = b.Positions[:min(10, len(b.Positions))]
		s, err := b.Score(context.Background(), g, func() (bank.Player, error) { return bank.Uniform{}, nil }, bank.Options{Workers: 2})
		if err != nil {
			t.Fatal(path, err)
		}
		if math.Abs(s.Lost.Mean-s.Uniform.Mean) > 1e-9 {
			t.Errorf("%s: random play loses %g, the bank says %g", path, s.Lost.Mean, s.Uniform.Mean)
		}
	}
}

// TestBankPage: the banks' page shows the committed scores, each of which is of the bank beside it and of the
// weights that ship.
func TestBankPage(t *testing.T) {
	paths, err := filepath.Glob(folder + "scores/*.json")
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]string{}
	var scores []bank.Score
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var s bank.Score
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(path, err)
		}
		name, _, _ := strings.Cut(s.Game, "(")
		if digests[name] == "" {
			text, err := os.ReadFile(folder + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			b, _, err := bank.Read(text)
			if err != nil {
				t.Fatal(err)
			}
			digests[name] = b.Digest()
		}
		if s.Bank != digests[name] {
			t.Errorf("%s is of another bank", path)
		}
		if weights, err := roster.Weights(s.Agent); err != nil || weights != s.Weights {
			t.Errorf("%s is of the weights %q of %s, which has %q (%v)", path, s.Weights, s.Agent, weights, err)
		}
		scores = append(scores, s)
	}
	enginetest.Section(t, folder+"README.md", "scores", "go test ./train/bank -run TestBankPage -update", bank.Table(scores))
}
