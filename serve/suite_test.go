package serve_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine/games"
	"powderkeg/env"
	servecli "powderkeg/serve/cli"
	"powderkeg/train/suite"
)

// outside is a suite of moments, of two games with tables of two kinds.
const outside = `{"suite": "test", "seed": 7, "runs": 2, "tasks": [
 {"task": "leduc", "tier": "reference", "game": "leduc", "rules": 1, "layout": 1, "tables": ["scripted", "random"], "units": 4,
  "anchors": {"zero": -1, "one": 1, "zero_agent": "random", "one_agent": "scripted"}},
 {"task": "dice", "tier": "reference", "game": "liars_dice", "rules": 1, "layout": 1, "tables": ["random"], "units": 4,
  "anchors": {"zero": -1, "one": 1, "zero_agent": "random", "one_agent": "scripted"}}
]}`

// decided writes a network for a game whose odds are all but certain, so that what it plays
// does not depend on who draws.
func decided(t *testing.T, game, path string, seed uint64) {
	t.Helper()
	g, err := games.New(game)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	c := network.Config{Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: g.Spec().Seats, Hidden: []int{8}, Activation: network.ReLU}
	net, err := network.New(c, rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range net.Weights() {
		net.Weights()[i] *= 1000
	}
	config, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	bot := checkpoints.Checkpoint{Manifest: checkpoints.Manifest{Identity: checkpoints.IdentityOf(g, encoder.Layout()), Network: config},
		Weights: net.Tensors()}
	if err := bot.Write(path); err != nil {
		t.Fatal(err)
	}
}

// TestSuiteAsksOtherPrograms: networks behind a socket, another for each task and run, get
// the row that they get in this process; with them at hand it holds when they play again,
// and one of them that has changed is found out.
func TestSuiteAsksOtherPrograms(t *testing.T) {
	d, err := suite.Read(fstest.MapFS{"suite.json": {Data: []byte(outside)}})
	if err != nil {
		t.Fatal(err)
	}
	nets := t.TempDir()
	for seed, task := range d.Tasks {
		for run := range d.Runs {
			decided(t, task.Game, filepath.Join(nets, fmt.Sprintf("%s-%d", task.Name, run)), uint64(10*seed+run))
		}
	}
	agent := "checkpoint:" + nets + "/{task}-{run}"
	own, dir := t.TempDir(), t.TempDir()
	here, err := suite.Run(t.Context(), d, suite.Config{Agent: agent, Name: "nets", Dir: own, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	source, err := servecli.Agents(t.Context(), running(t, config()))
	if err != nil {
		t.Fatal(err)
	}
	there, err := suite.Run(t.Context(), d, suite.Config{Agent: agent, Name: "nets", Dir: dir, Workers: 2, Source: source})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(here.Tasks, there.Tasks) || here.ArchiveHash != there.ArchiveHash || len(here.Tasks) != 2 {
		t.Errorf("behind a socket the row has\n%+v\nin this process\n%+v", there.Tasks, here.Tasks)
	}
	if here.Source != "" || !strings.HasPrefix(there.Source, "powderkeg ") || len(here.Networks) != 4 || len(there.Networks) != 0 {
		t.Errorf("sources are %q and %q, networks %v", here.Source, there.Source, here.Networks)
	}
	for name, c := range map[string]struct {
		config suite.CheckConfig
		rerun  int
		away   []string
	}{
		"away":    {suite.CheckConfig{Rerun: -1}, 0, []string{"nets"}},
		"at hand": {suite.CheckConfig{Rerun: -1, Source: source, Workers: 2}, there.Games, nil},
	} {
		r, err := suite.Check(t.Context(), d, []string{dir}, c.config)
		if err != nil || len(r.Faults) > 0 || r.Rerun != c.rerun || !reflect.DeepEqual(r.Away, c.away) {
			t.Errorf("%s: %+v, error %v", name, r, err)
		}
	}
	if err := os.RemoveAll(filepath.Join(nets, "leduc-1")); err != nil {
		t.Fatal(err)
	}
	decided(t, "leduc", filepath.Join(nets, "leduc-1"), 99)
	for folder, want := range map[string]string{own: "the row is of the network", dir: "the agents play"} {
		r, err := suite.Check(t.Context(), d, []string{folder}, suite.CheckConfig{Rerun: -1, Source: source})
		if err != nil || len(r.Faults) == 0 || !strings.Contains(r.Faults[0].Problem, want) {
			t.Errorf("with another network: %+v, error %v, want %q", r, err, want)
		}
	}
	if _, err := suite.Run(t.Context(), d, suite.Config{Agent: "scripted", Dir: dir, Source: source}); err == nil ||
		!strings.Contains(err.Error(), "scripted") {
		t.Errorf("an agent that does not act on observations: error %v", err)
	}
}

// TestSuiteAsksPython: a policy of Python is an agent of the suite, and what it plays can be
// played again.
func TestSuiteAsksPython(t *testing.T) {
	self := filepath.Join(t.TempDir(), "agent")
	c := command(t, python(t), "-c", `
import sys
import powderkeg
from powderkeg import weights
def make(spec, name):
    policy, task, run = name.split()
    assert policy == "mine", name
    return powderkeg.Model(weights.new(spec, [8], seed=int(run)))
with powderkeg.connect(sys.argv[1]) as client, powderkeg.AgentServer(make, "unix:" + sys.argv[2], client=client).start():
    print("ready", flush=True)
    sys.stdin.read()
`, running(t, config()), self)
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var fault strings.Builder
	c.Stderr = &fault
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		stdin.Close()
		if err := c.Wait(); err != nil {
			t.Errorf("%v\n%s", err, &fault)
		}
	}()
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("it says %q, error %v\n%s", line, err, &fault)
	}
	d, err := suite.Read(fstest.MapFS{"suite.json": {Data: []byte(outside)}})
	if err != nil {
		t.Fatal(err)
	}
	source, err := servecli.Agents(t.Context(), "unix:"+self)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	row, err := suite.Run(t.Context(), d, suite.Config{Agent: "mine {task} {run}", Name: "mine", Dir: dir, Workers: 2, Source: source})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(row.Source, "powderkeg-python ") || len(row.Tasks) != 2 {
		t.Errorf("the row is %+v", row)
	}
	r, err := suite.Check(t.Context(), d, []string{dir}, suite.CheckConfig{Rerun: -1, Source: source, Workers: 2})
	if err != nil || len(r.Faults) > 0 || r.Rerun != row.Games {
		t.Errorf("played again: %+v, error %v", r, err)
	}
}
