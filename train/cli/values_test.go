package cli_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	traincli "powderkeg/train/cli"
)

// A command that is stopped says how many games it has kept, and goes on from them.
func TestValuesAreStopped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "v")
	ctx, stop := context.WithCancel(context.Background())
	run := func(ctx context.Context, games string, out *stopper) error {
		c := traincli.Values()
		c.SetArgs([]string{"leduc", "random", "--games", games, "--epochs", "1", "--hidden", "16",
			"--points", "1", "--fresh-games", "0", "--out", dir, "--workers", "1"})
		c.SetOut(out)
		c.SetErr(out)
		c.SilenceUsage, c.SilenceErrors = true, true
		return c.ExecuteContext(ctx)
	}
	err := run(ctx, "1280", &stopper{at: "games: 384 of 1280", stop: stop})
	if err == nil || strings.Contains(err.Error(), " 0 games") ||
		!strings.Contains(err.Error(), "games in "+dir+"; the same command goes on from them") {
		t.Fatalf("a command that was stopped says %v", err)
	}
	out := &stopper{}
	if err := run(context.Background(), "1280", out); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "games: 256 of 1280") || !strings.Contains(out.String(), "1280 games, ") {
		t.Errorf("it does not go on from what was there:\n%s", out)
	}
}

// stopper calls stop when it is told of something.
type stopper struct {
	bytes.Buffer
	at   string
	stop func()
}

func (s *stopper) Write(p []byte) (int, error) {
	if s.stop != nil && strings.Contains(string(p), s.at) {
		s.stop()
	}
	return s.Buffer.Write(p)
}
