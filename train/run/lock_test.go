package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
)

// contents are the names and sizes of what is in a folder.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			b.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Two trainers in one folder would each write into the metrics of the other.
func TestARunInUseIsLeftAlone(t *testing.T) {
	dir := stoppedRun(t, damageable())
	release, err := durable.Lock(dir, "run folder")
	if err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	for name, try := range map[string]func(Options) error{
		"Begin":  func(o Options) error { return Begin(t.Context(), damageable(), o) },
		"Start":  func(o Options) error { return Start(t.Context(), damageable(), o) },
		"Resume": func(o Options) error { return Resume(t.Context(), o) },
		"Alone":  func(o Options) error { return Alone(t.Context(), o, func(Options) error { return nil }) },
	} {
		if err := try(Options{Dir: dir}); !errors.Is(err, durable.ErrInUse) || !strings.HasPrefix(err.Error(), "run folder "+dir+" is in use by process ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if after := contents(t, dir); after != before {
		t.Errorf("the folder has\n%s, had\n%s", after, before)
	}
	// A spare learner waits, and says for whom.
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var told strings.Builder
	if err := Resume(ctx, Options{Dir: dir, Waits: true, Progress: &told}); !errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(told.String(), "is in use by process") {
		t.Errorf("one that waits: %v, having said %q", err, told.String())
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if err := Resume(t.Context(), Options{Dir: dir, Waits: true}); err != nil {
		t.Errorf("once it is free: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, durable.LockName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a run that is over leaves its lock: %v", err)
	}
}

func TestAFolderOfSomethingElseIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.tex"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() error{
		"Begin": func() error { return Begin(t.Context(), damageable(), Options{Dir: dir}) },
		"Start": func() error { return Start(t.Context(), damageable(), Options{Dir: dir}) },
		"Sweep": func() error { return Sweep{Base: damageable(), Seeds: 1}.Run(t.Context(), dir, nil) },
	} {
		if err := try(); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), dir+" is not empty and holds no ") ||
			!strings.Contains(err.Error(), "(thesis.tex is in it); choose another folder") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
