package run

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

// TestRunsLeaveNoGoroutines ends runs in both ways, with workers and the
// metrics endpoint, and counts the goroutines.
func TestRunsLeaveNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	c := small("kuhn")
	c.Workers = 4
	if err := Begin(t.Context(), c, Options{Dir: filepath.Join(t.TempDir(), "whole"), MetricsAddress: "localhost:0"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Begin(ctx, c, Options{Dir: filepath.Join(t.TempDir(), "stopped"), MetricsAddress: "localhost:0"}); !errors.Is(err, ErrStopped) {
		t.Fatalf("a run that is stopped at once: %v, want one that wraps ErrStopped", err)
	}
	// A goroutine that has been waited for may still be on its way out.
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	var dump strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&dump, 1); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), dump.String())
}
