package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"powderkeg/checkpoints"
	"powderkeg/train/nn"
)

// childVariable makes the test binary a run in the directory that it names.
const childVariable = "POWDERKEG_TRAIN_TEST_RUN"

// TestMain lets the binary be the process that TestKilledRunsGoOn kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		if err := child(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child starts the run, or goes on with it.
func child(dir string) error {
	return Start(context.Background(), killed(), Options{Dir: dir})
}

// killed is a run that saves after every update.
func killed() Config {
	c := small("leduc")
	c.Updates, c.Evaluation.Every = 25, 0
	c.Checkpoints.Every = 1
	c.Evaluation.Against = nil
	return c
}

// TestKilledRunsGoOn kills a run with SIGKILL again and again, at moments that
// fall anywhere, until it comes to its end, and compares it with one that was left
// alone.
func TestKilledRunsGoOn(t *testing.T) {
	if nn.BLAS != "gonum" {
		t.Skip("OpenBLAS does not promise the same sums in every process")
	}
	straight := trainer(t, killed())
	updates(t, straight, killed().Updates)

	dir := filepath.Join(t.TempDir(), "run")
	deaths := 0
	for patience := 20 * time.Millisecond; ; patience = patience * 4 / 3 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"="+dir)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		alarm := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		alarm.Stop()
		if err == nil {
			break
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Exited() {
			t.Fatalf("after %d deaths the run does not go on: %v", deaths, err)
		}
		if deaths++; deaths > 200 {
			t.Fatal("the run does not come to its end")
		}
	}
	t.Logf("killed %d times", deaths)
	c, err := checkpoints.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(c.Weights), fmt.Sprint(straight.net.Tensors()); got != want {
		t.Error("the run that was killed ended with other weights")
	}
	h, err := readHistory(filepath.Join(dir, metricsName))
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range h.updates {
		if u.Update != int64(i+1) {
			t.Fatalf("line %d of the metrics is about update %d", i+1, u.Update)
		}
	}
	if len(h.updates) != killed().Updates {
		t.Errorf("the metrics have %d updates, want %d", len(h.updates), killed().Updates)
	}
}
