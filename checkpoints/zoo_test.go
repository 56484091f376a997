package checkpoints

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The networks that ship can lie in a folder, and one that is missing or empty is an empty zoo.
func TestTheZooMayBeAFolder(t *testing.T) {
	shipped := Zoo()
	if !slices.Contains(shipped, "jogu") {
		t.Fatalf("the zoo has %v, want jogu among them", shipped)
	}
	before, err := Open("zoo:jogu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { zooFolder.Store(nil) })
	folder := filepath.Join(t.TempDir(), "zoo")
	for range 2 { // missing, then empty
		UseZoo(folder)
		if names := Zoo(); len(names) > 0 {
			t.Errorf("a folder without checkpoints has %v", names)
		}
		if _, err := Open("zoo:jogu"); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "it is empty") {
			t.Errorf("a network of it: %v, want that the zoo is empty", err)
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(folder, "mine"), os.DirFS("zoo/jogu")); err != nil {
		t.Fatal(err)
	}
	if names := Zoo(); !slices.Equal(names, []string{"mine"}) {
		t.Errorf("a folder with a checkpoint has %v", names)
	}
	after, err := Open("zoo:mine")
	if err != nil || after.Manifest.Game != before.Manifest.Game {
		t.Errorf("the checkpoint in it: %+v, %v", after, err)
	}
}
