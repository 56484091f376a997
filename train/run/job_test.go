package run

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"powderkeg/checkpoints"
	"powderkeg/train"
	"powderkeg/train/job"
	"powderkeg/train/job/jobtest"
)

// weights are those of a run's bot.
func weights(t *testing.T, dir string) []byte {
	t.Helper()
	c, err := checkpoints.Open(filepath.Join(dir, botName))
	if err != nil {
		t.Fatal(err)
	}
	data, err := checkpoints.EncodeTensors(c.Weights)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestOthersMakeTheSameSweep: tables and weights are those of one process, also where results
// were refused, and a run that was begun here goes on here.
func TestOthersMakeTheSameSweep(t *testing.T) {
	base := small("kuhn")
	base.Updates, base.Evaluation.Every, base.Evaluation.Against = 2, 1, []string{"random"}
	s := Sweep{Base: base, Settings: []Setting{{"ppo.epochs", []string{"1", "2"}}}, Seeds: 2}
	straight := t.TempDir()
	if err := s.Run(t.Context(), straight, nil); err != nil {
		t.Fatal(err)
	}
	variants, err := s.Variants()
	if err != nil {
		t.Fatal(err)
	}
	for _, spoil := range []func([]byte) []byte{
		nil,
		func(r []byte) []byte { return r[:len(r)/2] },
		func([]byte) []byte { return nil },
		func([]byte) []byte {
			var b bytes.Buffer
			w := tar.NewWriter(&b)
			if err := errors.Join(w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "../../outside", Mode: 0o666}), w.Close()); err != nil {
				t.Error(err)
			}
			return b.Bytes()
		},
	} {
		dir := t.TempDir()
		begun := variants[1].Runs[1]
		if spoil == nil {
			begun.Updates = 1
			if err := Begin(t.Context(), begun, Options{Dir: runFolder(dir, variants[1], begun)}); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(runFolder(dir, variants[1], begun), configName), textOf(t, variants[1].Runs[1]), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		h := &jobtest.Hands{Kinds: job.Kinds{Kind: Do}, Spoil: spoil}
		s.Hands = h
		if err := s.Run(t.Context(), dir, nil); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{sweepRunsName, "summary.md"} {
			a, err1 := os.ReadFile(filepath.Join(straight, name))
			b, err2 := os.ReadFile(filepath.Join(dir, name))
			if err1 != nil || err2 != nil || spoil != nil && !bytes.Equal(a, b) {
				t.Errorf("%s differs, errors %v and %v", name, err1, err2)
			}
		}
		for _, v := range variants {
			for _, c := range v.Runs {
				if !bytes.Equal(weights(t, runFolder(dir, v, c)), weights(t, runFolder(straight, v, c))) {
					t.Errorf("%s, seed %d: other weights", v.Name, c.Seed)
				}
			}
		}
		if want := 4; spoil == nil && h.Jobs != want-1 || spoil != nil && h.Jobs != want {
			t.Errorf("%d jobs", h.Jobs)
		}
		if list, err := filepath.Glob(filepath.Join(dir, "*", ".tmp-*")); err != nil || len(list) > 0 {
			t.Errorf("left behind: %v, error %v", list, err)
		}
	}
}

// TestOrdersAreForPlayAndChecked: what is asked for as playable keeps nothing else and plays the
// same, what the caller refuses comes again, and a run against other weights is not made.
func TestOrdersAreForPlayAndChecked(t *testing.T) {
	c := small("kuhn")
	c.Updates, c.Checkpoints.Every, c.Checkpoints.Keep = 4, 2, 2
	straight := filepath.Join(t.TempDir(), "straight")
	if err := Begin(t.Context(), c, Options{Dir: straight}); err != nil {
		t.Fatal(err)
	}
	dir, asked, told := filepath.Join(t.TempDir(), "run"), 0, 0
	refuse := errors.New("not this one")
	h := &jobtest.Hands{Kinds: job.Kinds{Kind: Do}, Spoil: func(r []byte) []byte { return r }}
	err := Elsewhere(t.Context(), h, []Order{{Config: c, Dir: dir, ForPlay: true, Check: func(string) error {
		if asked++; asked == 1 {
			return refuse
		}
		return nil
	}}}, func(int) error { told++; return nil })
	if err != nil || asked != 2 || told != 1 {
		t.Fatalf("asked %d times, told %d times, error %v", asked, told, err)
	}
	for _, name := range []string{"000000002", "000000004"} {
		want, err := checkpoints.Open(filepath.Join(straight, checkpointsName, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := checkpoints.Open(filepath.Join(dir, checkpointsName, name))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Weights, want.Weights) || got.State != nil || got.Optimiser != nil || want.Optimiser == nil {
			t.Errorf("%s: it has an optimiser (%v), a state (%v), or other weights", name, got.Optimiser != nil, got.State != nil)
		}
	}
	c.Evaluation.Against = []string{"checkpoint:" + straight}
	var list []*job.Job
	if err := Elsewhere(t.Context(), collects{&list}, []Order{{Config: c, Dir: dir + "2"}}, nil); !errors.Is(err, errLeft) {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(straight, checkpointsName, "000000004")); err != nil {
		t.Fatal(err)
	}
	if _, err := Do(t.Context(), list[0], nil); err == nil || !strings.Contains(err.Error(), "here, ") {
		t.Errorf("with other weights: error %v", err)
	}
}

var errLeft = errors.New("everybody has left")

// collects are hands that look at jobs and leave.
type collects struct{ list *[]*job.Job }

func (c collects) Do(_ context.Context, jobs []*job.Job, _ map[job.Digest][]byte, _ func(int, []byte) error) error {
	*c.list = jobs
	return errLeft
}

func textOf(t *testing.T, c train.Config) []byte {
	t.Helper()
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	return []byte(text)
}
