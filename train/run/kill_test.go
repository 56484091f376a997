package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine/enginetest/soak"
	"powderkeg/train"
	"powderkeg/train/league"
)

// childVariable makes the test binary a run in the directory that it names.
const childVariable = "POWDERKEG_TRAIN_TEST_RUN"

// TestMain lets the binary be the process that TestKilledRunsGoOn kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		if err := Start(context.Background(), killed(), Options{Dir: dir, Progress: os.Stderr}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// killed is a run that saves after every update and has something of everything:
// opponents of all kinds, a gate, evaluations. It is long enough for its kills.
func killed() train.Config {
	c := small("leduc")
	c.Updates = 60
	if soak.On() {
		c.Updates = 400
	}
	c.League = league.Config{
		Share: 0.5, SnapshotEvery: 3, Capacity: 3,
		Agents:      []league.Named{{Name: "random", Share: 0.1}, {Name: "scripted"}, {Name: "mcts(sims=5)"}},
		Matchmaking: league.Matchmaking{Priority: league.Hard, Power: 1, Forget: 0.01},
		Gate:        league.Gate{Games: 20, Above: 0.3},
	}
	c.Evaluation = train.Evaluation{Every: 10, Games: 20, ClosingGames: 20, Against: []string{"random"}, Temperature: 1}
	c.Checkpoints = train.Checkpoints{Every: 1, Keep: 3}
	return c
}

// straight runs without a disturbance in a directory of its own.
func straight(t *testing.T, c train.Config) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "straight")
	if err := Begin(t.Context(), c, Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sameRuns demands that two runs ended alike: the last checkpoints in every bit but
// the config's text, the metrics in every number but times.
func sameRuns(t *testing.T, got, want string) {
	t.Helper()
	a, err := checkpoints.Open(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := checkpoints.Open(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name string
		a, b any
	}{{"weights", a.Weights, b.Weights}, {"optimiser", a.Optimiser, b.Optimiser}, {"pool", a.Pool, b.Pool}, {"state", string(a.State),
		string(b.State)}, {"updates", a.Manifest.Updates, b.Manifest.Updates}} {
		if !reflect.DeepEqual(part.a, part.b) {
			t.Errorf("the last checkpoint of %s has another part: %s", got, part.name)
		}
	}
	if x, y := timeless(t, got), timeless(t, want); !slices.Equal(x, y) {
		t.Errorf("the metrics have %d lines, want %d, alike but for times", len(x), len(y))
		for i := range min(len(x), len(y)) {
			if x[i] != y[i] {
				t.Fatalf("line %d is\n%s\nwant\n%s", i+1, x[i], y[i])
			}
		}
	}
}

// timeless returns the metrics of a run without the times in them.
func timeless(t *testing.T, dir string) []string {
	t.Helper()
	h, err := readHistory(filepath.Join(dir, metricsName))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, line := range h.lines {
		switch m := line.(type) {
		case train.UpdateMetrics:
			if s := m.Spent; s == nil || s.Learning <= 0 || s.Play+s.Network+s.Waiting <= 0 {
				t.Errorf("update %d spent %+v of its time on what it did", m.Update, s)
			}
			m.Time, m.Seconds, m.Spent = 0, 0, nil
			line = m
			if m.Gate != nil {
				list = append(list, fmt.Sprintf("%+v", *m.Gate))
				m.Gate = nil
				line = m
			}
		case train.EvaluationMetrics:
			m.Time = 0
			line = m
		}
		list = append(list, fmt.Sprintf("%+v", line))
	}
	return list
}

// powderkeg returns the command that makes the run in a directory: in the long
// form the program itself, from a config file, otherwise this binary.
func powderkeg(t *testing.T, dir string) func() *exec.Cmd {
	t.Helper()
	if !soak.On() {
		return func() *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childVariable+"="+dir)
			return cmd
		}
	}
	program := filepath.Join(t.TempDir(), "powderkeg")
	build := exec.Command("go", "build", "-o", program, "../..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	text, err := killed().YAML()
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "killed.yaml")
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return func() *exec.Cmd { return exec.Command(program, "train", config, "--run", dir) }
}

// skipOpenBLAS leaves out what only holds for the pure Go build.
func skipOpenBLAS(t *testing.T) {
	t.Helper()
	if network.ForeignBLAS {
		t.Skip("OpenBLAS does not promise the same sums in every process")
	}
}

// awaited keeps what is written to it and closes seen once that has the word.
type awaited struct {
	text strings.Builder
	word string
	seen chan struct{}
}

func (a *awaited) Write(b []byte) (int, error) {
	before := strings.Contains(a.text.String(), a.word)
	a.text.Write(b)
	if !before && strings.Contains(a.text.String(), a.word) {
		close(a.seen)
	}
	return len(b), nil
}

// TestKilledRunsGoOn kills a run with SIGKILL at random moments, 50 times in the long
// form, goes on with it each time, and compares its end with that of one that was left
// alone. Every third time it may die before it has gone on, otherwise a moment after
// its first update, so that it comes to its end on a slow machine too.
func TestKilledRunsGoOn(t *testing.T) {
	skipOpenBLAS(t)
	kills := 6
	if soak.On() {
		kills = 50
	}
	want := straight(t, killed())
	dir := filepath.Join(t.TempDir(), "run")
	start := powderkeg(t, dir)
	rng := rand.New(rand.NewPCG(20, 26))
	for death := 0; ; death++ {
		said := &awaited{word: "update ", seen: make(chan struct{})}
		cmd := start()
		cmd.Stderr = said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var err error
		if death < kills {
			delay := time.Duration(rng.Int64N(int64(25 * time.Millisecond)))
			if death%3 == 2 {
				time.Sleep(4 * delay)
			} else {
				select {
				case <-said.seen:
				case err = <-ended:
					t.Fatalf("death %d came too late, the run has ended (%v):\n%s", death, err, said.text.String())
				}
				time.Sleep(delay)
			}
			_ = cmd.Process.Kill()
		}
		err = <-ended
		var exit *exec.ExitError
		switch {
		case death == kills && err == nil:
			sameRuns(t, dir, want)
			return
		case errors.As(err, &exit) && !exit.Exited():
		default:
			t.Fatalf("after %d deaths the run does not go on, or had its end before (%v):\n%s", death, err, said.text.String())
		}
	}
}

// damages are ways to damage a file.
var damages = map[string]func([]byte) []byte{
	"bit flipped": func(b []byte) []byte { b[len(b)/2] ^= 4; return b },
	"cut in half": func(b []byte) []byte { return b[:len(b)/2] },
	"emptied":     func([]byte) []byte { return nil },
}

// edit changes a file.
func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, change(data), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stoppedRun makes a run that was stopped after its update 4 of 6, with checkpoints
// of the updates 2, 3 and 4.
func stoppedRun(t *testing.T, c train.Config) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	short := c
	short.Updates = 4
	if err := Begin(t.Context(), short, Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, configName), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// damageable is a run of 6 updates whose rates do not depend on its length, so that it
// may be begun as a shorter one.
func damageable() train.Config {
	c := killed()
	c.Updates = 6
	c.PPO.LearningRate.End, c.PPO.Entropy.End = c.PPO.LearningRate.Start, c.PPO.Entropy.Start
	return c
}

// TestDamagedCheckpointsAreSetAside damages each file of the newest checkpoint in
// each way: the run says so in a line, goes on from the one before, and ends as if
// nothing had happened.
func TestDamagedCheckpointsAreSetAside(t *testing.T) {
	skipRaces(t)
	skipOpenBLAS(t)
	c := damageable()
	want := straight(t, c)
	whole := stoppedRun(t, c)
	for _, file := range []string{"manifest.json", "weights.safetensors", "optimiser.safetensors", "pool.safetensors", "state.json"} {
		for how, change := range damages {
			t.Run(file+" "+how, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "run")
				if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
					t.Fatal(err)
				}
				edit(t, filepath.Join(dir, checkpointsName, checkpoints.Name(4), file), change)
				var told strings.Builder
				if err := Resume(t.Context(), Options{Dir: dir, Progress: &told}); err != nil {
					t.Fatal(err)
				}
				first, _, _ := strings.Cut(told.String(), "\n")
				if !strings.Contains(first, checkpoints.Name(4)) || !strings.Contains(first, "the run goes on from update 3") {
					t.Errorf("the user is told %q, want a line about checkpoint 4 and update 3", first)
				}
				if _, err := os.Stat(filepath.Join(dir, checkpointsName, ".damaged-"+checkpoints.Name(4))); err != nil {
					t.Errorf("the damaged checkpoint is gone: %v", err)
				}
				sameRuns(t, dir, want)
			})
		}
	}
}

// TestRunsWithoutASoundCheckpointAreRefused: with a line that says what to do, and
// as often as it is tried.
func TestRunsWithoutASoundCheckpointAreRefused(t *testing.T) {
	dir := stoppedRun(t, damageable())
	for _, update := range []int64{2, 3, 4} {
		edit(t, filepath.Join(dir, checkpointsName, checkpoints.Name(update), "weights.safetensors"), damages["bit flipped"])
	}
	for range 2 {
		err := Resume(t.Context(), Options{Dir: dir})
		if !errors.Is(err, checkpoints.ErrCorrupt) || !strings.Contains(err.Error(), "none of its 3 checkpoints is sound") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("error is %v, want one line that none of 3 is sound", err)
		}
	}
}

// TestChangedConfigsAreRefused: a config that is not that of the checkpoint would
// learn something else without a word, whether it was edited or a bit has flipped.
func TestChangedConfigsAreRefused(t *testing.T) {
	dir := stoppedRun(t, damageable())
	path := filepath.Join(dir, configName)
	edit(t, path, func(b []byte) []byte { return bytes.Replace(b, []byte("seed: 1\n"), []byte("seed: 3\n"), 1) })
	err := Resume(t.Context(), Options{Dir: dir})
	if !errors.Is(err, checkpoints.ErrMismatch) || !strings.Contains(err.Error(), `"seed: 1" there, "seed: 3" here`) {
		t.Errorf("another seed: error %v", err)
	}
	edit(t, path, func([]byte) []byte { return []byte("seed: {\n") })
	if err := Resume(t.Context(), Options{Dir: dir}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a broken config: error %v, want one line", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := Resume(t.Context(), Options{Dir: dir}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a config that is gone: error %v", err)
	}
}

// TestDamagedMetricsAreHealed: the run goes on, says what is lost, and ends with the
// same weights.
func TestDamagedMetricsAreHealed(t *testing.T) {
	skipRaces(t)
	skipOpenBLAS(t)
	c := damageable()
	want := straight(t, c)
	whole := stoppedRun(t, c)
	for how, change := range damages {
		t.Run(how, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			edit(t, filepath.Join(dir, metricsName), func(b []byte) []byte {
				if how == "bit flipped" {
					b[bytes.IndexByte(b, '\n')+1] ^= 4 // the brace of the second line
					return b
				}
				return change(b)
			})
			var told strings.Builder
			if err := Resume(t.Context(), Options{Dir: dir, Progress: &told}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(told.String(), metricsName+": ") {
				t.Errorf("the user is not told of the damage:\n%s", told.String())
			}
			a, err := checkpoints.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			b, err := checkpoints.Open(want)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(a.Weights, b.Weights) {
				t.Error("the run ended with other weights")
			}
			if _, err := readHistory(filepath.Join(dir, metricsName)); err != nil {
				t.Errorf("the metrics cannot be read: %v", err)
			}
		})
	}
}

// TestFullDisksCorruptNothing makes the run with less room for each of its files than they
// need, more room each time: writes fail in the middle, of the metrics, of checkpoints,
// of pictures. It must end with an error of one line, every checkpoint that is listed
// must be sound, and with enough room it ends as if nothing had happened.
func TestFullDisksCorruptNothing(t *testing.T) {
	skipRaces(t)
	skipOpenBLAS(t)
	if runtime.GOOS == "windows" {
		t.Skip("no ulimit")
	}
	if soak.On() {
		t.Skip("the short form has tried it, and the long run would add nothing")
	}
	want := straight(t, killed())
	dir := filepath.Join(t.TempDir(), "run")
	failures, saved := 0, 0
	limited := func(blocks string) error {
		cmd := exec.Command("sh", "-c", "ulimit -f "+blocks+" && exec \"$0\"", os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"="+dir)
		var said bytes.Buffer
		cmd.Stderr = &said
		err := cmd.Run()
		if err != nil {
			failures++
			lines := strings.Split(strings.TrimSpace(said.String()), "\n")
			if last := lines[len(lines)-1]; !strings.Contains(last, "file too large") {
				t.Errorf("with %s blocks a file the last line is %q, want one about a file that is too large", blocks, last)
			}
		}
		names, listed := (checkpoints.Store{Dir: filepath.Join(dir, checkpointsName)}).List()
		if listed != nil {
			t.Fatal(listed)
		}
		saved = max(saved, len(names))
		for _, name := range names {
			if _, err := checkpoints.Open(filepath.Join(dir, checkpointsName, name)); err != nil {
				t.Errorf("with %s blocks a file: %v", blocks, err)
			}
		}
		return err
	}
	for _, blocks := range []string{"1", "2", "4", "8", "12", "16", "24", "32", "64"} {
		_ = limited(blocks)
	}
	if failures < 4 || saved == 0 {
		t.Errorf("%d of the tight runs failed and %d checkpoints were saved, want at least 4 and some", failures, saved)
	}
	if err := limited("unlimited"); err != nil {
		t.Fatal(err)
	}
	sameRuns(t, dir, want)
}
