package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"powderkeg/checkpoints"
	"powderkeg/serve"
	"powderkeg/serve/inprocess/built"
	"powderkeg/serve/server"
	traincli "powderkeg/train/cli"
)

// python returns a Python that has what serve/python/requirements.txt names: the one of
// POWDERKEG_PYTHON, which make test sets up, or one on the PATH.
func python(t *testing.T) string {
	t.Helper()
	if os.Getenv("POWDERKEG_NO_PYTHON") == "1" {
		t.Skip("POWDERKEG_NO_PYTHON=1")
	}
	var tried []string
	for _, name := range []string{os.Getenv("POWDERKEG_PYTHON"), "../bin/venv/bin/python", "python3"} {
		if name == "" {
			continue
		}
		out, err := exec.Command(name, "-c", "import sys, numpy, msgpack, gymnasium, pettingzoo, mypy; assert sys.version_info >= (3, 10), sys.version").CombinedOutput()
		if err == nil {
			return name
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		tried = append(tried, name+": "+err.Error()+": "+lines[len(lines)-1])
	}
	t.Fatalf("no Python 3.10 with the packages of serve/python/requirements.txt (%s); make test sets one up; name one in POWDERKEG_PYTHON, or set "+
		"POWDERKEG_NO_PYTHON=1 to leave the Python client untested", strings.Join(tried, "; "))
	return ""
}

// inPython runs a command of the Python client in its folder and returns what
// it prints.
func inPython(t *testing.T, environment []string, arguments ...string) string {
	t.Helper()
	command := command(t, python(t), arguments...)
	command.Env = append(command.Env, environment...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("python %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// command returns a command of the Python client in its folder.
func command(t *testing.T, python string, arguments ...string) *exec.Cmd {
	c := exec.CommandContext(t.Context(), python, arguments...)
	c.Dir = "python"
	c.Env = append(os.Environ(), "PYTHONPATH=.", "PYTHONDONTWRITEBYTECODE=1")
	return c
}

// running serves on a Unix socket until the test or benchmark ends and returns
// its address.
func running(t testing.TB, c server.Config) string {
	t.Helper()
	address := "unix:" + filepath.Join(t.TempDir(), "s")
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- serve.Run(ctx, serve.Config{Listen: []string{address}, Server: c, Ready: func([]net.Addr, net.Addr) { close(ready) }})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run returned %v, want nil", err)
		}
	})
	select {
	case <-ready:
	case err := <-done:
		done <- nil
		t.Fatal(err)
	}
	return address
}

// The tests of the Python client pass against a server in this process, and
// with servers that the client starts.
func TestPythonClient(t *testing.T) {
	c := config()
	c.MemoryBytes = 4 << 30 // a dataset of Bloc may take more than a gigabyte, by its longest games
	testPython(t, running(t, c), "discover", "-s", "tests", "-t", ".")
}

// Those about what a client is for pass in the process of Python too.
func TestPythonClientInItsProcess(t *testing.T) {
	testPython(t, "process", "tests.test_client", "tests.test_gymnasium", "tests.test_gymnasium_vector", "tests.test_pettingzoo", "tests.test_states",
		"tests.test_transitions")
}

// testPython runs tests of the Python client with an address. This test binary stands in for
// the powderkeg command (TestMain).
func testPython(t *testing.T, address string, arguments ...string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	environment := []string{"POWDERKEG_ADDRESS=" + address, "POWDERKEG_BIN=" + self, "POWDERKEG_LIBRARY=" + built.Library(t)}
	out := inPython(t, environment, append([]string{"-W", "error", "-m", "unittest"}, arguments...)...)
	if !strings.Contains(out, "OK") || strings.Contains(out, "skipped") {
		t.Errorf("the Python tests say\n%s\nwant OK and none skipped", out)
	}
}

// The searches of the examples, on copies of games in progress, are worth what they cost: they
// gain more than who plays against them or in their place.
func TestPythonSearches(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	environment := []string{"POWDERKEG_BIN=" + self, "POWDERKEG_LIBRARY=" + built.Library(t)}
	served := running(t, config())
	for _, c := range []struct {
		arguments []string
		gains     string // the numbers that are printed, as a pattern
	}{
		{[]string{"examples/ismcts.py", "--game", "connect4", "--games", "10", "--sims", "60"}, `gains \+(1\.00|0\.[6-9]\d) ± .* in 10 games`},
		{[]string{"examples/ismcts.py", served, "--game", "leduc", "--games", "2", "--sims", "20"}, `gains [+-]\d+\.\d\d ± .* in 2 games`},
		{[]string{"examples/planner.py", "--game", "kuhn", "--agent", "random", "--games", "200"},
			`random play gains [+-]0\.0\d .*\n.* gains \+0\.[3-6]\d per game in 200 games`},
		{[]string{"examples/go_explore.py", "--decisions", "1000"},
			`random play gains -1 .*\nGo-Explore gains \+1 at best, after \d+ decisions of 1000, .*\nplayed again: column_4 .* -> \+1\n`},
	} {
		if out := inPython(t, environment, c.arguments...); !regexp.MustCompile(c.gains).MatchString(out) {
			t.Errorf("%s prints\n%s\nwant it to match %s", strings.Join(c.arguments, " "), out, c.gains)
		}
	}
}

// The package is what it says it is to a type checker. The examples for PyTorch
// are left out: what they are checked against changes with its version.
func TestPythonTypes(t *testing.T) {
	command := exec.CommandContext(t.Context(), python(t), "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", t.TempDir(), "powderkeg",
		"examples/random_rollout.py", "examples/vec_rollout.py", "examples/play_against_zoo.py", "examples/policy_gradient_numpy.py",
		"examples/curve.py", "examples/figure.py", "examples/ismcts.py", "examples/go_explore.py", "examples/planner.py", "bench.py", "tests/typed.py")
	command.Dir = "python"
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("mypy: %v\n%s", err, out)
	}
}

// Every bot of the zoo can be played against by name.
func TestPythonPlaysAgainstTheZoo(t *testing.T) {
	names := checkpoints.Zoo()
	if len(names) == 0 {
		t.Fatal("the zoo is empty")
	}
	address := running(t, config())
	for _, name := range names {
		bot, err := checkpoints.Open("zoo:" + name)
		if err != nil {
			t.Fatal(err)
		}
		out := inPython(t, nil, "examples/play_against_zoo.py", address, "--game", bot.Manifest.Game, "--agent", "zoo:"+name)
		if !strings.Contains(out, "you gain") {
			t.Errorf("against zoo:%s the example prints\n%s", name, out)
		}
	}
}

// returned finds the mean returns that the learners print.
var returned = regexp.MustCompile(`mean return[^+-]*([+-]\d\.\d+)`)

// gain returns the first and the last mean return of what a learner has printed.
func gain(t *testing.T, out string) (first, last float64) {
	t.Helper()
	found := returned.FindAllStringSubmatch(out, -1)
	if len(found) < 2 {
		t.Fatalf("a learner prints\n%s\nwithout mean returns", out)
	}
	for i, text := range []string{found[0][1], found[len(found)-1][1]} {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = x
		}
		last = x
	}
	return first, last
}

// The learner in NumPy gets better, and the checkpoint that it leaves plays in
// powderkeg match and beats the random player there.
func TestPythonLearnerBeatsRandom(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "learnt")
	out := inPython(t, nil, "examples/policy_gradient_numpy.py", running(t, config()), "--updates", "120", "--save", folder)
	if first, last := gain(t, out); first > 0.5 || last < 0.7 {
		t.Errorf("the mean return goes from %.3f to %.3f, want about 0.3 and more than 0.7; it prints\n%s", first, last, out)
	}
	// It has learnt one seat of two; random play wins half of its games.
	if rate := inMatch(t, "tictactoe", folder, 200); rate < 0.6 {
		t.Errorf("in powderkeg match it wins %.3f of the games, want above 0.6", rate)
	}
}

// inMatch returns how often the checkpoint in a folder wins against the random player in
// powderkeg match, over all seats.
func inMatch(t *testing.T, game, folder string, games int) float64 {
	t.Helper()
	match := traincli.Match()
	var table bytes.Buffer
	match.SetOut(&table)
	match.SetErr(io.Discard)
	match.SetArgs([]string{game, "checkpoint:" + folder, "random", "--games", strconv.Itoa(games), "--json"})
	if err := match.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	var result struct {
		Agents []struct {
			WinRate float64 `json:"win_rate"`
		} `json:"agents"`
	}
	if err := json.Unmarshal(table.Bytes(), &result); err != nil || len(result.Agents) != 2 {
		t.Fatalf("%v in %s", err, table.Bytes())
	}
	return result.Agents[0].WinRate
}

// With PyTorch the logits are the server's, before and after a checkpoint went there and
// back.
func TestPythonTorchWeights(t *testing.T) {
	out, err := command(t, learner(t, "torch"), "examples/weights_torch.py", running(t, config()), "--game", "connect4").CombinedOutput()
	if err != nil {
		t.Fatalf("weights_torch.py: %v\n%s", err, out)
	}
	differences := regexp.MustCompile(`differ by ([0-9.e-]+) at most`).FindAllStringSubmatch(string(out), -1)
	if len(differences) != 2 {
		t.Fatalf("weights_torch.py prints\n%s", out)
	}
	for _, d := range differences {
		if x, err := strconv.ParseFloat(d[1], 64); err != nil || x > 1e-5 {
			t.Errorf("logits differ by %s, want at most 1e-5", d[1])
		}
	}
}

// The examples run as the README shows them and print what they promise.
func TestPythonExamples(t *testing.T) {
	address := running(t, config())
	for _, c := range []struct {
		arguments []string
		want      []string
	}{
		{[]string{"examples/random_rollout.py", address, "--game", "kuhn"}, []string{"episode 2:", "returns ["}},
		{[]string{"examples/play_against_zoo.py", address, "--game", "tictactoe", "--agent", "scripted"},
			[]string{"seat 0 plays", "over after", "you gain"}},
		{[]string{"examples/play_against_zoo.py", address, "--game", "leduc", "--agent", "random", "--seat", "1"}, []string{"seat 1 plays", "you gain"}},
		{[]string{"examples/vec_rollout.py", address, "--envs", "8", "--steps", "50"}, []string{"400 decisions", "observations (50, 8, ", "episodes"}},
		{[]string{"bench.py", address, "--seconds", "0.1", "--envs", "8", "--agent", "random", "--json"},
			[]string{`"act_p99_seconds": `, `"vec_decisions_per_second": `, `"gymnasium_decisions_per_second": `}},
	} {
		out := inPython(t, nil, c.arguments...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s prints\n%s\nwant it to contain %q", strings.Join(c.arguments, " "), out, want)
			}
		}
	}
}
