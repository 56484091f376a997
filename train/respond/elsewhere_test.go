package respond_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"powderkeg/train"
	"powderkeg/train/eval"
	"powderkeg/train/job"
	"powderkeg/train/job/jobtest"
	"powderkeg/train/respond"
	trainrun "powderkeg/train/run"
)

var kinds = job.Kinds{eval.DeviationKind: eval.DoDeviation(train.Roster), trainrun.Kind: trainrun.Do}

// quick is small with candidates every four updates.
func quick() respond.Config {
	c := small()
	c.Decisions, c.Units, c.FreshUnits = 40_000, 400, 800
	return c
}

// fewer changes a result: a run without one of its candidates, with a journal that cannot be
// read, or with a candidate that plays another game; games without a byte.
func fewer(t *testing.T, way int, data []byte) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	runs := false
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if err != nil {
			break
		}
		runs = true
		text, err := io.ReadAll(r)
		if err != nil {
			t.Error(err)
		}
		switch {
		case way == 0 && strings.HasPrefix(h.Name, "checkpoints/000000004"):
			continue
		case way == 1 && h.Name == "metrics.jsonl":
			text = []byte("{")
		case way == 2 && strings.HasPrefix(h.Name, "checkpoints/000000004/weights"):
			text = text[:len(text)/2]
		}
		h.Size = int64(len(text))
		if err := errors.Join(w.WriteHeader(h), func() error { _, err := w.Write(text); return err }()); err != nil {
			t.Error(err)
		}
	}
	if !runs {
		return data[1:]
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	return b.Bytes()
}

// TestOthersFindTheSameResponse: bit for bit, also where results were refused on the way.
func TestOthersFindTheSameResponse(t *testing.T) {
	c := quick()
	c.Agent = "mcts(sims=3)" // which draws from other seeds as an agent than as a policy
	want := lasting(t, run(t, c, t.TempDir()))
	for way := range 4 {
		h := &jobtest.Hands{Kinds: kinds}
		if way < 3 {
			h.Spoil = func(r []byte) []byte { return fewer(t, way, r) }
		}
		dir := t.TempDir()
		var told strings.Builder
		got, err := respond.Run(t.Context(), c, respond.Options{Dir: dir, Hands: h, Progress: &told})
		if err != nil {
			t.Fatal(err)
		}
		if text := lasting(t, got); text != want {
			t.Errorf("by others:\n%s\nin one process:\n%s", text, want)
		}
		for _, line := range []string{"by a worker\n", "scratch: trained\n", ": gains "} {
			if !strings.Contains(told.String(), line) {
				t.Errorf("the progress lacks %q:\n%s", line, told.String())
			}
		}
		for _, name := range []string{"result.json", "curve.png", "scratch/report.html", "candidates/search.json"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
	}
}

// leaving are hands that somebody stops before so many calls.
type leaving struct {
	jobtest.Hands
	calls atomic.Int32
}

func (l *leaving) Do(ctx context.Context, jobs []*job.Job, blobs map[job.Digest][]byte, take func(int, []byte) error) error {
	if l.calls.Add(-1) < 0 {
		return context.Canceled
	}
	return l.Hands.Do(ctx, jobs, blobs, take)
}

// TestResponsesByOthersGoOn: one that is stopped before its learner is trained, and before it is
// measured, and a learner that was begun here.
func TestResponsesByOthersGoOn(t *testing.T) {
	c := quick()
	c.Ways = []respond.Way{respond.Scratch}
	want := lasting(t, run(t, c, t.TempDir()))
	for name, steps := range map[string][]int{"elsewhere": {0, 2, 100}, "begun here": {-1, 100}} {
		dir := t.TempDir()
		var got *respond.Result
		for i, calls := range steps {
			o := respond.Options{Dir: dir}
			ctx, cancel := context.WithCancel(t.Context())
			if calls < 0 {
				o.Progress = &trigger{word: "update", pull: cancel}
			} else {
				h := &leaving{Hands: jobtest.Hands{Kinds: kinds}}
				h.calls.Store(int32(calls))
				o.Hands = h
			}
			var err error
			got, err = respond.Run(ctx, c, o)
			cancel()
			if i < len(steps)-1 && !errors.Is(err, respond.ErrStopped) || i == len(steps)-1 && err != nil {
				t.Fatalf("%s, step %d: error %v", name, i, err)
			}
		}
		if text := lasting(t, got); text != want {
			t.Errorf("%s, stopped and resumed:\n%s\nin one process:\n%s", name, text, want)
		}
	}
}
