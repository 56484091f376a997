package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestOutputsAreTried: a file that cannot be made is refused, and of one that can nothing stays.
func TestOutputsAreTried(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there")
	if err := os.WriteFile(there, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	bad := []string{there, dir, filepath.Join(dir, "none", "a.json"), filepath.Join(there, "a.json"), dir + "/\x00"}
	if runtime.GOOS == "linux" {
		bad = append(bad, "/proc/a.json") // in a folder that is there, and takes no files from anybody
	}
	for _, path := range bad {
		if err := Output("--out", path); !errors.Is(err, ErrUsage) {
			t.Errorf("%q: %v, want wrong usage", path, err)
		}
	}
	for _, path := range []string{"", filepath.Join(dir, "new.json")} {
		if err := Output("--out", path); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("the folder has %v (error %v), want what was there alone", list, err)
	}
}
