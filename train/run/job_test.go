package run

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
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
		h := &jobtest.Hands{Kinds: job.Kinds{SweepKind: DoSweep}, Spoil: spoil}
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

func textOf(t *testing.T, c train.Config) []byte {
	t.Helper()
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	return []byte(text)
}
