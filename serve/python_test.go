package serve_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/serve"
	"powderkeg/serve/server"
)

// python returns a Python that has numpy and msgpack.
func python(t *testing.T) string {
	t.Helper()
	if os.Getenv("POWDERKEG_NO_PYTHON") == "1" {
		t.Skip("POWDERKEG_NO_PYTHON=1")
	}
	var tried []string
	for _, name := range []string{os.Getenv("POWDERKEG_PYTHON"), "python3", "/usr/bin/python3"} {
		if name == "" {
			continue
		}
		out, err := exec.Command(name, "-c", "import sys, numpy, msgpack; assert sys.version_info >= (3, 9), sys.version").CombinedOutput()
		if err == nil {
			return name
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		tried = append(tried, name+": "+err.Error()+": "+lines[len(lines)-1])
	}
	t.Fatalf("no Python 3.9 with numpy and msgpack (%s); type\n\tapt-get install -y python3-numpy python3-msgpack\nor name one in POWDERKEG_PYTHON, or set POWDERKEG_NO_PYTHON=1 to leave the Python client untested", strings.Join(tried, "; "))
	return ""
}

// inPython runs a command of the Python client in its folder and returns what
// it prints.
func inPython(t *testing.T, environment []string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), python(t), arguments...)
	command.Dir = "python"
	command.Env = append(os.Environ(), "PYTHONPATH=.", "PYTHONDONTWRITEBYTECODE=1")
	command.Env = append(command.Env, environment...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("python %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return string(out)
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
// with servers that the client starts: this test binary stands in for the
// powderkeg command (TestMain).
func TestPythonClient(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := inPython(t, []string{"POWDERKEG_ADDRESS=" + running(t, config()), "POWDERKEG_BIN=" + self}, "-W", "error", "-m", "unittest", "discover", "-s", "tests", "-t", ".")
	if !strings.Contains(out, "OK") || strings.Contains(out, "skipped") {
		t.Errorf("the Python tests say\n%s\nwant OK and none skipped", out)
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
		{[]string{"examples/play_against_bot.py", address, "--game", "tictactoe"}, []string{"seat 0 plays", "over after", "you gain"}},
		{[]string{"examples/play_against_bot.py", address, "--game", "leduc", "--seat", "1"}, []string{"seat 1 plays", "you gain"}},
		{[]string{"examples/vec_rollout.py", address, "--envs", "8", "--steps", "50"}, []string{"400 decisions", "observations (50, 8, ", "episodes"}},
		{[]string{"bench.py", address, "--seconds", "0.1", "--envs", "8", "--agent", "random", "--json"}, []string{`"act_p99_seconds": `, `"vec_decisions_per_second": `}},
	} {
		out := inPython(t, nil, c.arguments...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s prints\n%s\nwant it to contain %q", strings.Join(c.arguments, " "), out, want)
			}
		}
	}
}
