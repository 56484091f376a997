package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"powderkeg/engine/enginetest"
	"powderkeg/train/fleet"
)

// disturbed runs a command that starts two workers, and kills one when both are there and it has
// had so much time of a processor.
func disturbed(t *testing.T, worked time.Duration, run func() string) string {
	t.Helper()
	done := make(chan string, 1)
	go func() { done <- run() }()
	for killed := false; ; time.Sleep(5 * time.Millisecond) {
		if kids := children(t, os.Getpid()); len(kids) == 2 && !killed && processor(kids[0]) >= worked {
			time.Sleep(50 * time.Millisecond) // it may be at work by then; the rest takes much longer
			kill(t, kids[0])
			killed = true
		}
		select {
		case out := <-done:
			if !killed {
				t.Error("nobody was killed")
			}
			return out
		default:
		}
	}
}

// processor is the time of a processor that a process has had.
func processor(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // of one that may have ended
	var user, system time.Duration                            // in hundredths of a second
	_, after, _ := strings.Cut(string(text), ") ")
	_, _ = fmt.Sscanf(after, "%1s %d %d %d %d %d %d %d %d %d %d %d %d", new(string), new(int), new(int), new(int), new(int), new(int), new(int),
		new(int), new(int), new(int), new(int), &user, &system)
	return (user + system) * 10 * time.Millisecond
}

// byOthers compares what a command says or makes in one process with what it does with two
// others, one of which is killed (disturbed), and with the worker of a broker, on which nothing stays.
func byOthers(t *testing.T, worked time.Duration, command func(args ...string) (out, progress string, code int, err error)) {
	t.Helper()
	do := func(args ...string) string {
		out, progress, code, err := command(args...)
		if code != 0 || len(args) > 0 && !strings.Contains(progress, "0 tasks quarantined") {
			t.Errorf("code %d (%v), progress %q", code, err, progress)
		}
		return out
	}
	want := do()
	if got := disturbed(t, worked, func() string { return do("--processes", "2") }); got != want {
		t.Errorf("two processes say\n%s, one says\n%s", got, want)
	}
	broker, err := fleet.Embed(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	go execute(t, Worker(), broker.URL(), "--processors", "2") // until the test is over
	if got := do("--nats", broker.URL()); got != want {
		t.Errorf("a broker says\n%s, one process says\n%s", got, want)
	}
	if out, _, _, _ := execute(t, Cluster(), "status", broker.URL()); out != "no run\n" {
		t.Errorf("the command stays on the broker: %s", out)
	}
}

// TestMatchesByOthersAreTheSame: of 300 games, and fewer under the race detector, which takes ten
// times as long over the players.
func TestMatchesByOthersAreTheSame(t *testing.T) {
	games := "300"
	if enginetest.Race {
		games = "60"
	}
	for name, line := range map[string][]string{
		"several": {"jogu", "scripted", "mcts(sims=4)", "zoo:jogu", "--games", games, "--json"},
		"solo":    {"jogu", "mcts(sims=4)", "scripted", "random", "--solo", "--games", games, "--matrix"},
		"alone":   {"bloc(mode=semi_cooperative)", "scripted", "--games", games, "--json"},
	} {
		t.Run(name, func(t *testing.T) {
			byOthers(t, 0, func(args ...string) (string, string, int, error) {
				return execute(t, Match(), append(line, args...)...)
			})
		})
	}
}

// seconds are what clocks say in JSON.
var seconds = regexp.MustCompile(`"(seconds|measuring_seconds|processor_seconds)": [-+.e0-9]+`)

// TestResponsesByOthersAreTheSame: to a network, by a search and two learners, one of whose workers
// is killed while it trains.
func TestResponsesByOthersAreTheSame(t *testing.T) {
	dir := t.TempDir()
	respond := func(agent, name string, args ...string) (out, progress string, code int, err error) {
		out, progress, code, err = execute(t, Respond(), append([]string{
			"kuhn", agent, "--decisions", "200000", "--candidates", "2", "--units", "400", "--fresh-units", "800", "--search-units", "20", "--sims", "20",
			"--set", "envs=64", "--set", "ppo.minibatch=512", "--json", "--run", filepath.Join(dir, name),
		}, args...)...)
		return seconds.ReplaceAllString(out, ""), progress, code, err
	}
	if _, progress, code, err := respond("random", "agent", "--by", "scratch"); code != 0 {
		t.Fatalf("code %d (%v), progress %q", code, err, progress)
	}
	runs := 0
	byOthers(t, 500*time.Millisecond, func(args ...string) (out, progress string, code int, err error) {
		runs++
		out, progress, code, err = respond("checkpoint:"+filepath.Join(dir, "agent", "scratch"), fmt.Sprint("run", runs), args...)
		if again := strings.Contains(progress, " 1 were given to another"); again != (runs == 2) {
			t.Errorf("run %d: %s", runs, progress)
		}
		return out, progress, code, err
	})
}

// TestRowsByOthersAreTheSame: figures and archive.
func TestRowsByOthersAreTheSame(t *testing.T) {
	byOthers(t, 0, func(args ...string) (string, string, int, error) {
		dir := t.TempDir()
		_, progress, code, err := execute(t, Suite(nil), append([]string{"run", "mcts(sims=2)", "--tasks", "leduc,jogu-mini", "--dir", dir}, args...)...)
		var files []string
		for _, name := range []string{"mcts-sims-2.json", "mcts-sims-2.replays.jsonl.gz"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Error(err)
			}
			files = append(files, seconds.ReplaceAllString(string(text), ""))
		}
		return strings.Join(files, ""), progress, code, err
	})
}

// TestExportsByOthersAreTheSame, byte for byte.
func TestExportsByOthersAreTheSame(t *testing.T) {
	export := func(name string, args ...string) string {
		dir := filepath.Join(t.TempDir(), name)
		_, progress, code, err := execute(t, Export(),
			append([]string{"leduc", "--agent", "mcts(sims=100)", "--agent", "random", "--episodes", "1000", "--shard-episodes", "100", "--out", dir},
				args...)...)
		if code != 0 {
			t.Errorf("code %d (%v), progress %q", code, err, progress)
		}
		return dir
	}
	want := export("one")
	got := disturbed(t, 0, func() string { return export("two", "--processes", "2") })
	files, err := os.ReadDir(want)
	if err != nil || len(files) < 11 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, f := range files {
		a, err1 := os.ReadFile(filepath.Join(want, f.Name()))
		b, err2 := os.ReadFile(filepath.Join(got, f.Name()))
		if err1 != nil || err2 != nil || string(a) != string(b) {
			t.Errorf("%s differs, errors %v and %v", f.Name(), err1, err2)
		}
	}
	if more, err := os.ReadDir(got); err != nil || len(more) != len(files) {
		t.Errorf("%d files, not %d, error %v", len(more), len(files), err)
	}
}

func TestJobFlagsAreChecked(t *testing.T) {
	for _, c := range []struct {
		want    string
		command *cobra.Command
		args    []string
	}{
		{"--processes is -1", Match(), []string{"leduc", "random", "scripted", "--processes", "-1"}},
		{"--processes is -1", Match(), []string{"leduc", "random", "--processes", "-1"}},
		{"broker at nats://127.0", Match(), []string{"leduc", "random", "scripted", "--nats", "nats://127.0.0.1:1"}},
		{"--processes is -1", Respond(), []string{"kuhn", "random", "--processes", "-1"}},
		{"--processes is -1", Suite(nil), []string{"run", "random", "--processes", "-1"}},
		{"leave --processes and --nats out", Suite(nil), []string{"run", "mine", "--socket", "unix:none", "--processes", "2"}},
		{"leave --processes and --nats out", Suite(nil), []string{"run", "mine", "--socket", "unix:none", "--nats", "nats://127.0.0.1:1"}},
	} {
		if _, _, code, err := execute(t, c.command, c.args...); code == 0 || err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: code %d, error %v, want one line with %q", c.args, code, err, c.want)
		}
	}
}
