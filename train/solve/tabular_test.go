package solve_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/agents/tabular"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// TestPoliciesAreWrittenAndRead demands the same evaluation of a policy that has
// been through a file, and equal bytes of equal policies.
func TestPoliciesAreWrittenAndRead(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc"} {
		tree := build(t, name)
		p := randomPolicy(t, tree, 9)
		var files [2]bytes.Buffer
		for i := range files {
			written, err := p.Tabular()
			if err != nil {
				t.Fatal(err)
			}
			if err := written.Write(&files[i]); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("%s: the same policy is written in two ways", name)
		}
		read, err := tabular.Read(tree.Game(), files[0].Bytes())
		if err != nil {
			t.Fatal(err)
		}
		again, err := tree.FromTabular(read)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+": exploitability of what was read", tree.Evaluate(again).Exploitability, tree.Evaluate(p).Exploitability)
	}
}

func TestTabularPoliciesNeedKeysThatRemember(t *testing.T) {
	if _, err := buildGame(t, forgetful()).Uniform().Tabular(); err == nil || !strings.Contains(err.Error(), "the keys of forgetful forget") {
		t.Errorf("error is %v, want that the keys forget", err)
	}
}

func TestTabularPoliciesAreCompletedAndChecked(t *testing.T) {
	tree := build(t, "leduc")
	empty, err := tabular.New(tree.Game(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := tree.FromTabular(empty)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "exploitability of an empty policy", tree.Evaluate(p).Exploitability, tree.Evaluate(tree.Uniform()).Exploitability)
	// Nobody can fold before anybody has raised.
	first := tree.InfoStates(0)[0]
	folding, err := tabular.New(tree.Game(), []tabular.Row{{Seat: 0, Key: first.Key, Actions: []engine.Action{0}, Probabilities: []float64{1}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.FromTabular(folding); err == nil || !strings.Contains(err.Error(), "the policy plays action 0, legal are [1 2]") {
		t.Errorf("error is %v, want that a fold is not legal", err)
	}
}

// TestPlayedPoliciesGainWhatIsComputed seats tabular agents at a table and compares
// the mean of their returns with the exact value.
func TestPlayedPoliciesGainWhatIsComputed(t *testing.T) {
	tree := build(t, "leduc")
	p := randomPolicy(t, tree, 4)
	written, err := p.Tabular()
	if err != nil {
		t.Fatal(err)
	}
	want := tree.Values(p)[0]
	players := []agents.Agent{written.NewAgent(), written.NewAgent()}
	board := table.New(enginetest.Game(t, "leduc"))
	const n = 20000
	sum, squares := 0.0, 0.0
	for seed := range uint64(n) {
		returns, err := board.Play(context.Background(), players, table.Seeds{Chance: seed, Agents: seed}, table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum += float64(returns[0])
		squares += float64(returns[0]) * float64(returns[0])
	}
	mean := sum / n
	if wrong := math.Sqrt((squares/n - mean*mean) / n); math.Abs(mean-want) > 4*wrong {
		t.Errorf("%d games gain %.4f with an error of %.4f, want %.4f", n, mean, wrong, want)
	}
}
