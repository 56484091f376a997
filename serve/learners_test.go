package serve_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	traincli "powderkeg/train/cli"
)

// learner returns a Python that has a library which examples learn with: the one of
// POWDERKEG_LEARNERS, which make learners sets up and where none may be missing, or that of
// the other tests.
func learner(t *testing.T, library string) string {
	t.Helper()
	named := os.Getenv("POWDERKEG_LEARNERS")
	name := named
	if name == "" {
		name = python(t)
	}
	out, err := exec.CommandContext(t.Context(), name, "-c", "import msgpack, numpy, "+library).CombinedOutput()
	if err == nil {
		return name
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if named != "" {
		t.Fatalf("POWDERKEG_LEARNERS=%s has no %s: %s", named, library, lines[len(lines)-1])
	}
	t.Skipf("no %s (make learners sets it up and runs this; or %s -m pip install -r serve/python/examples/requirements.txt): %s", library, name,
		lines[len(lines)-1])
	return ""
}

// learners are the examples that learn, and what each is to reach: the share of games that
// it wins against the random player, by the lower end of the interval, after so many
// decisions. An untrained network wins half of them, as the first seat of tic-tac-toe two
// thirds.
var learners = []struct {
	file, library string
	arguments     []string
	agent         string // whose play is exported to learn from
	want          float64
	saves         string // the game of the player that it leaves with --save, if it does
}{
	{"ppo_torch.py", "torch", []string{"--game", "tictactoe", "--decisions", "120000"}, "", 0.75, "tictactoe"},
	{"ppo_gpu.py", "torch", []string{"--game", "leduc", "--decisions", "65536"}, "", 0.62, "leduc"},
	{"league_torch.py", "torch", []string{"--game", "leduc", "--decisions", "240000"}, "", 0.62, ""},
	{"clone_torch.py", "torch", []string{"--decisions", "600000"}, "scripted(slips=0.3)", 0.72, ""},
	{"offline_torch.py", "torch", []string{"--decisions", "400000"}, "scripted(slips=0.5)", 0.85, ""},
	{"selfplay_pettingzoo.py", "torch, pettingzoo", []string{"--game", "tictactoe", "--decisions", "15000"}, "", 0.58, ""},
	{"ppo_sb3.py", "sb3_contrib", []string{"--game", "tictactoe", "--decisions", "80000"}, "", 0.82, ""},
	{"ppo_torchrl.py", "torchrl", []string{"--game", "tictactoe", "--decisions", "80000"}, "", 0.8, ""},
	{"ppo_rllib.py", "ray.rllib", []string{"--game", "tictactoe", "--decisions", "60000"}, "", 0.8, ""},
	{"ppo_tianshou.py", "tianshou", []string{"--game", "tictactoe", "--decisions", "40000"}, "", 0.8, ""},
}

// Every learner among the examples gets far better than it began, without one illegal
// action, which would end it, and leaves its curve. The player that it saves is the one that
// it measured.
func TestPythonLearners(t *testing.T) {
	for _, c := range learners {
		t.Run(c.file, func(t *testing.T) {
			python := learner(t, c.library)
			curve := filepath.Join(t.TempDir(), "curve.csv")
			arguments := append([]string{"examples/" + c.file, roomy(t), "--seconds", "150", "--points", "2", "--out", curve}, c.arguments...)
			if c.agent != "" {
				arguments = append(arguments, "--data", exported(t, c.agent))
			}
			player := filepath.Join(t.TempDir(), "player")
			if c.saves != "" {
				arguments = append(arguments, "--save", player)
			}
			out, err := command(t, python, arguments...).CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", strings.Join(arguments, " "), err, out)
			}
			t.Logf("%s", out)
			points := against(t, curve, "random")
			first, last := points[0], points[len(points)-1]
			if first.high >= c.want || last.low < c.want {
				t.Errorf("against random it goes from %+v to %+v, want it to cross %v; it prints\n%s", first, last, c.want, out)
			}
			if c.saves == "" {
				return
			}
			if rate := inMatch(t, c.saves, player, 2000); rate < last.low-0.04 || rate > last.high+0.04 {
				t.Errorf("in powderkeg match the player that it leaves wins %.3f of the games, in Python %+v", rate, last)
			}
		})
	}
}

// roomy serves on a Unix socket until the test ends, with as many agents for a connection
// as a server that start() starts has: environments that are not vectorised have one each.
func roomy(t *testing.T) string {
	c := config()
	c.AgentsPerConnection = 16384
	return running(t, c)
}

// exported returns a folder with 10,000 games of tic-tac-toe that an agent has played.
func exported(t *testing.T, agent string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "games")
	export := traincli.Export()
	export.SetOut(io.Discard)
	export.SetErr(io.Discard)
	export.SetArgs([]string{"tictactoe", "--agent", agent, "--episodes", "10000", "--format", "npz", "--out", folder})
	if err := export.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	return folder
}

// A DataLoader reads the transitions of a dataset.
func TestPythonTorchReadsDatasets(t *testing.T) {
	out, err := command(t, learner(t, "torch"), "tests/torch_dataset.py", roomy(t)).CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "transitions agree\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The advantages of ppo_gpu.py are those of its definition, seat by seat.
func TestPythonTorchAdvantages(t *testing.T) {
	out, err := command(t, learner(t, "torch"), "tests/torch_advantages.py").CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "advantages agree\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Ctrl-C ends a learner as the clock does: without an error, with the curve so far, and with
// the player where it was to be saved.
func TestPythonLearnersAreInterrupted(t *testing.T) {
	for _, c := range learners {
		t.Run(c.file, func(t *testing.T) {
			python := learner(t, c.library)
			curve := filepath.Join(t.TempDir(), "curve.csv")
			player, arguments := filepath.Join(t.TempDir(), "player"), []string{"-u", "examples/" + c.file, roomy(t), "--game", "tictactoe", "--seconds",
				"600", "--games", "50", "--out", curve}
			if c.saves != "" {
				arguments = append(arguments, "--save", player)
			}
			command := command(t, python, arguments...)
			var errs bytes.Buffer
			command.Stderr = &errs
			out, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			lines, printed := bufio.NewScanner(out), ""
			for lines.Scan() {
				printed += lines.Text() + "\n"
				if strings.Contains(lines.Text(), "decisions: wins against") {
					break
				}
			}
			err = command.Process.Signal(os.Interrupt)
			for lines.Scan() {
				printed += lines.Text() + "\n"
			}
			if err := errors.Join(err, command.Wait()); err != nil {
				t.Fatalf("%v\n%s%s", err, printed, errs.Bytes())
			}
			against(t, curve, "random")
			if c.saves != "" {
				inMatch(t, "tictactoe", player, 20)
			}
		})
	}
}

// point is a measurement: how often a learner won, with its 95% interval.
type point struct{ rate, low, high float64 }

// against returns the measurements against an opponent that a curve has, at least one.
func against(t *testing.T, path, opponent string) []point {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) == 0 || strings.Join(rows[0], ",") != "seconds,decisions,opponent,games,win_rate,low,high,mean_return" {
		t.Fatalf("the curve is %q, %v", rows, err)
	}
	var points []point
	for _, row := range rows[1:] {
		if row[2] != opponent {
			continue
		}
		var p point
		for i, x := range []*float64{&p.rate, &p.low, &p.high} {
			if *x, err = strconv.ParseFloat(row[4+i], 64); err != nil {
				t.Fatal(err)
			}
		}
		if p.low > p.rate || p.rate > p.high {
			t.Errorf("the curve has %+v", p)
		}
		points = append(points, p)
	}
	if len(points) == 0 {
		t.Fatalf("no measurement against %s in %q", opponent, rows)
	}
	return points
}
