package durable_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"powderkeg/checkpoints/durable"
	"powderkeg/env/file"
)

func holds(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q (error %v), want %q", filepath.Base(path), got, err, want)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v (error %v), want the file alone", entries, err)
	}
}

// TestFilesAreReplacedWhole writes a file, replaces it, and fails half-way through
// the next try.
func TestFilesAreReplacedWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"the first and longer one", "the second"} {
		if err := durable.WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		holds(t, path, text)
	}
	full := errors.New("disk full")
	err := durable.Replace(path, func(w io.Writer) error {
		if _, err := w.Write([]byte("half")); err != nil {
			return err
		}
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
	holds(t, path, "the second")
}

// TestLeftoversAreOverwritten: a file that a killed process left half written is in
// nobody's way.
func TestLeftoversAreOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), ".file"+durable.Suffix), []byte("much that is half written"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := durable.WriteFile(path, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "whole")
}

func TestFoldersMustExist(t *testing.T) {
	if err := durable.WriteFile(filepath.Join(t.TempDir(), "none", "file"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
}

// TestOnlyFilesAreReplaced: a folder in the place of a file, or of the temporary one, is said and stays.
func TestOnlyFilesAreReplaced(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"file", ".file" + durable.Suffix} {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := durable.WriteFile(filepath.Join(dir, "file"), nil); !errors.Is(err, file.ErrIrregular) {
			t.Errorf("%s is a folder: error %v, want %v", name, err, file.ErrIrregular)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
