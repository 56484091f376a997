package run

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"powderkeg/train"
)

// told is a writer that several goroutines may use.
type told struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *told) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(b)
}

func (t *told) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// TestWatchersFollowARun watches a run from before its first line to its end, and
// once more when it is over.
func TestWatchersFollowARun(t *testing.T) {
	c := small("kuhn")
	dir := filepath.Join(t.TempDir(), "run")
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if err := Watch(t.Context(), dir, nil); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "holds no run") {
		t.Errorf("watching nothing: error %v", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, configName), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var seen told
	done := make(chan error)
	go func() { done <- watch(t.Context(), dir, &seen, time.Millisecond) }()
	if err := Resume(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	var later told
	if err := Watch(t.Context(), dir, &later); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{seen.String(), later.String()} {
		for _, want := range []string{"update 6/6  ", "% vs random", "against", "scripted", "95% interval", pageName} {
			if !strings.Contains(text, want) {
				t.Errorf("the watcher does not tell %q:\n%s", want, text)
			}
		}
	}
}

// TestWatchersFollowARunThatGoesBack writes the lines of a run that is killed and goes
// on from an earlier update, once with a shorter file and once with one that has
// grown beyond the old length before the watcher looks again.
func TestWatchersFollowARunThatGoesBack(t *testing.T) {
	lines := func(from, to int64, note string) string {
		var b strings.Builder
		for u := from; u <= to; u++ {
			text, err := json.Marshal(train.UpdateMetrics{Kind: train.KindUpdate, Update: u, Loss: float64(u), Seconds: 1, Pool: map[string]float64{note: 1}})
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(text, '\n'))
		}
		return b.String()
	}
	for name, test := range map[string]struct{ before, after, want string }{
		"shorter":        {lines(1, 5, ""), lines(1, 3, ""), "update 3/6"},
		"longer":         {lines(1, 3, ""), lines(1, 3, "longer than before"), "update 3/6"},
		"other lines":    {lines(1, 3, ""), lines(1, 1, "") + lines(2, 6, "x"), "update 6/6"},
		"half a line":    {lines(1, 3, "") + `{"kind":"upd`, lines(1, 3, "") + lines(4, 4, ""), "update 4/6"},
		"nothing at all": {"", lines(1, 2, ""), "update 2/6"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				text, err := small("kuhn").YAML()
				if err != nil {
					t.Fatal(err)
				}
				write := func(name, text string) {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				write(configName, text)
				write(metricsName, test.before)
				var seen told
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- Watch(ctx, dir, &seen) }()
				time.Sleep(time.Minute) // of the bubble: it has looked by now
				write(metricsName, test.after)
				time.Sleep(time.Minute)
				cancel()
				if err := <-done; !errors.Is(err, context.Canceled) {
					t.Errorf("a watcher that is stopped: %v, want context.Canceled", err)
				}
				told := strings.Split(strings.TrimSpace(seen.String()), "\n")
				if last := told[len(told)-1]; !strings.HasPrefix(last, test.want+" ") {
					t.Errorf("the last line is %q, want one about %s:\n%s", last, test.want, seen.String())
				}
			})
		})
	}
}

// TestEventFilesHoldTheMetrics reads the file for TensorBoard of a run that was
// stopped and went on, and compares it with metrics.jsonl: a record per line, in order,
// each with its step and the number that it begins with.
func TestEventFilesHoldTheMetrics(t *testing.T) {
	c := small("kuhn")
	dir := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(t.Context())
	err := Begin(ctx, c, Options{Dir: dir, Progress: writerFunc(func(line string) {
		if strings.Contains(line, "update 1/") {
			cancel()
		}
	})})
	if !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	if err := Resume(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	h, err := readHistory(filepath.Join(dir, metricsName))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(dir, eventsName))
	if err != nil {
		t.Fatal(err)
	}
	var records [][]byte
	for len(file) >= 16 {
		n := binary.LittleEndian.Uint64(file)
		records = append(records, file[12:12+n])
		file = file[16+n:]
	}
	if len(file) != 0 || len(records) != len(h.lines)+1 {
		t.Fatalf("%d records and %d bytes are in the file, want one for each of %d lines and a first", len(records), len(file), len(h.lines))
	}
	for i, line := range h.lines {
		tag, value, step, at := "", 0.0, int64(0), 0.0
		switch m := line.(type) {
		case train.UpdateMetrics:
			tag, value, step, at = "loss/policy", m.PolicyLoss, m.Decisions, m.Time
		case train.EvaluationMetrics:
			tag, value, step, at = "evaluation/win_rate/"+m.Opponent, m.WinRate, m.Decisions, m.Time
		case train.LuckMetrics:
			tag, value, step, at = "luck/explained", m.Explained, m.Decisions, m.Time
		}
		// 09 time 10 step 2a length 0a length 0a length tag 15 value: the fields of
		// package tfevents, whose own test reads them by other means.
		r := records[i+1]
		if got := math.Float64frombits(binary.LittleEndian.Uint64(r[1:])); got != at || at < 1e9 {
			t.Errorf("record %d is of %v, want %v, a time of this century", i+1, got, at)
		}
		gotStep, n := uint64(0), 0
		if r[9] == 0x10 {
			gotStep, n = binary.Uvarint(r[10:])
			n++
		}
		if int64(gotStep) != step {
			t.Errorf("record %d is step %d, want %d", i+1, gotStep, step)
		}
		rest := string(r[9+n:])
		where := strings.Index(rest, tag+"\x15")
		if where < 0 || where > 12 {
			t.Fatalf("record %d does not begin with %s: %q", i+1, tag, rest[:min(len(rest), 60)])
		}
		bits := binary.LittleEndian.Uint32([]byte(rest[where+len(tag)+1:]))
		if got := math.Float32frombits(bits); got != float32(value) {
			t.Errorf("record %d: %s is %v, want %v", i+1, tag, got, value)
		}
	}
}
