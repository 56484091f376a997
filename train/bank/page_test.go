package bank_test

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/bank"
)

const folder = "../../experiments/bank/"

// bankFiles are the files of the committed banks.
func bankFiles(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(folder + "*.json" + bank.Packed)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d banks, error %v", len(paths), err)
	}
	return paths
}

// readBank reads a committed bank.
func readBank(t *testing.T, path string) (*bank.Bank, engine.Game) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, g, err := bank.Read(text)
	if err != nil {
		t.Fatal(path, err)
	}
	return b, g
}

// TestBanksStand poses some positions of each committed bank again: its deals are as they were, and random
// play loses what it did.
func TestBanksStand(t *testing.T) {
	for _, path := range bankFiles(t) {
		b, g := readBank(t, path)
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
	banks := map[string]map[string]bool{} // who must be judged, by digest
	for _, path := range bankFiles(t) {
		b, g := readBank(t, path)
		banks[b.Digest()] = map[string]bool{"scripted": true}
		for _, name := range roster.Networks(g) {
			banks[b.Digest()]["zoo:"+name] = true
		}
	}
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
		if banks[s.Bank] == nil {
			t.Errorf("%s is of another bank than stands here", path)
		}
		delete(banks[s.Bank], s.Agent)
		if weights, err := roster.Weights(s.Agent); err != nil || weights != s.Weights {
			t.Errorf("%s is of the weights %q of %s, which has %q (%v)", path, s.Weights, s.Agent, weights, err)
		}
		scores = append(scores, s)
	}
	for _, missing := range banks {
		for agent := range missing {
			t.Errorf("no score of %s in a bank of its game", agent)
		}
	}
	enginetest.Section(t, folder+"README.md", "scores", "go test ./train/bank -run TestBankPage -update", bank.Table(scores))
}
