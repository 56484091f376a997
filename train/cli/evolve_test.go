package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/env/cli"
	"powderkeg/train"
	"powderkeg/train/evolve"
)

// TestEvolvedWeightsGoIntoAConfig: what the command leaves is what a training run takes.
func TestEvolvedWeightsGoIntoAConfig(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	var out, progress bytes.Buffer
	c := Evolve()
	c.SetArgs([]string{"bloc(ops_difficulty=easy)", "--generations", "1", "--population", "4", "--games", "2", "--closing-games", "4", "--run", dir,
		"--json"})
	c.SetOut(&out)
	c.SetErr(&progress)
	if err := c.Execute(); err != nil {
		t.Fatal(err)
	}
	var r evolve.Result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || len(r.History) != 1 || len(r.Adviser.Weights) == 0 {
		t.Fatalf("output %s, error %v", out.String(), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "advisers.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := evolve.ReadFound(filepath.Join(dir, "advisers.yaml"))
	if err != nil || found["stake"] != r.Adviser.Weights["stake"] || len(found) != len(r.Adviser.Weights) {
		t.Errorf("another search would begin with %v (error %v), want %v", found, err, r.Adviser.Weights)
	}
	config, err := train.ParseConfig([]byte("game: bloc(ops_difficulty=easy)\nnetwork:\n  advice: 10\n  " + strings.ReplaceAll(string(text), "\n",
		"\n  ")))
	if err != nil {
		t.Fatal(err)
	}
	if err := config.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := config.Network.Advisers; len(got) != 1 || len(got[0].Weights) != len(r.Adviser.Weights) ||
		got[0].Weights["stake"] != r.Adviser.Weights["stake"] {
		t.Errorf("the config has %+v, want %+v", got, r.Adviser)
	}
}

func TestEvolveIsRefusedInALine(t *testing.T) {
	for want, args := range map[string][]string{
		"the player of jogu has no weights that can be changed; games whose player has: bloc, insurgency, minuteman": {"jogu"},
		"population is 3, it must be from 4 to 10000":                                                                {"bloc", "--population", "3"},
		"go.mod has not the weights of one search":                                                                   {"bloc", "--start", "../../go.mod"},
		"no such file":     {"bloc", "--start", "/no/such/advisers.yaml"},
		"accepts 1 arg(s)": {},
	} {
		var out bytes.Buffer
		c := Evolve()
		c.SetArgs(args)
		c.SetOut(&out)
		c.SetErr(&out)
		c.SilenceErrors, c.SilenceUsage = true, true
		if err := c.Execute(); err == nil || !strings.Contains(err.Error(), want) || cli.Code(err) != 2 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: error %v with code %d, want a line of usage with %q", args, err, cli.Code(err), want)
		}
	}
}
