package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"powderkeg/train/fleet"
)

// disturbed runs a command that starts two workers, and kills one when both are there.
func disturbed(t *testing.T, run func() string) string {
	t.Helper()
	done := make(chan string, 1)
	go func() { done <- run() }()
	for killed := false; ; time.Sleep(5 * time.Millisecond) {
		if kids := children(t, os.Getpid()); len(kids) == 2 && !killed {
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

// TestMatchesByOthersAreTheSame: with two processes, one of which is killed, and on a broker.
func TestMatchesByOthersAreTheSame(t *testing.T) {
	play := func(args ...string) string {
		out, progress, code, err := execute(t, Match(), append([]string{"jogu", "scripted", "mcts(sims=4)", "zoo:jogu", "--games", "300", "--json"}, args...)...)
		if code != 0 || len(args) > 0 && !strings.Contains(progress, "0 tasks quarantined") {
			t.Errorf("code %d (%v), progress %q", code, err, progress)
		}
		return out
	}
	want := play()
	if got := disturbed(t, func() string { return play("--processes", "2") }); got != want {
		t.Errorf("two processes say\n%s, one says\n%s", got, want)
	}
	broker, err := fleet.Embed(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	workers := make(chan error, 1)
	go func() {
		_, _, _, err := execute(t, Worker(), broker.URL(), "--processors", "2")
		workers <- err
	}()
	if got := play("--nats", broker.URL()); got != want {
		t.Errorf("a broker says\n%s, one process says\n%s", got, want)
	}
	if out, _, _, _ := execute(t, Cluster(), "status", broker.URL()); out != "no run\n" {
		t.Errorf("the match stays on the broker: %s", out)
	}
}

// TestExportsByOthersAreTheSame, byte for byte.
func TestExportsByOthersAreTheSame(t *testing.T) {
	export := func(name string, args ...string) string {
		dir := filepath.Join(t.TempDir(), name)
		_, progress, code, err := execute(t, Export(), append([]string{"leduc", "--agent", "mcts(sims=100)", "--agent", "random", "--episodes", "1000", "--shard-episodes", "100", "--out", dir}, args...)...)
		if code != 0 {
			t.Errorf("code %d (%v), progress %q", code, err, progress)
		}
		return dir
	}
	want := export("one")
	got := disturbed(t, func() string { return export("two", "--processes", "2") })
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
	for want, args := range map[string][]string{
		"-1 processes":           {"leduc", "random", "scripted", "--processes", "-1"},
		"broker at nats://127.0": {"leduc", "random", "scripted", "--nats", "nats://127.0.0.1:1"},
		"played here":            {"leduc", "random", "--processes", "2"},
	} {
		if _, _, code, err := execute(t, Match(), args...); code == 0 || err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("code %d, error %v, want one line with %q", code, err, want)
		}
	}
}
