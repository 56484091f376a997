package file_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// TestFoldersThatCannotBe puts everything but a folder in the place of one, and of the folder
// above it: what stands there is said, and nothing is made.
func TestFoldersThatCannotBe(t *testing.T) {
	dir, kinds := odd(t)
	for name, target := range map[string]string{"dangling": filepath.Join(dir, "nowhere"), "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	kinds["dangling"] = "a symbolic link to " + filepath.Join(dir, "nowhere") + ", which does not exist"
	kinds["loop"] = "a symbolic link to loop, which leads to no folder"
	kinds["file"] = "a file, not a folder"
	for name, kind := range kinds {
		if kind == "a directory" {
			continue
		}
		path := filepath.Join(dir, name)
		for _, folder := range []string{path, path + "/", filepath.Join(path, "in"), filepath.Join(path, "in", "it")} {
			for what, try := range map[string]func(string) error{"CheckFolder": file.CheckFolder, "MakeFolder": file.MakeFolder} {
				if err := try(folder); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), path+" is "+kind) {
					t.Errorf("%s(%s): %v, want that %s is %s", what, folder, err, path, kind)
				}
			}
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("the target of the dangling link was made")
	}
}

func TestFoldersAreMade(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	if err := errors.Join(os.Mkdir(real, 0o777), os.Symlink(real, filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{real, filepath.Join(dir, "link"), filepath.Join(dir, "link", "a", "b"), filepath.Join(dir, "new", "er")} {
		if err := errors.Join(file.CheckFolder(path), file.MakeFolder(path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			t.Errorf("%s was not made: %v", path, err)
		}
	}
	if err := file.MakeFolder(filepath.Join(dir, strings.Repeat("n", 300))); !errors.Is(err, option.ErrUsage) {
		t.Errorf("a name that is too long: %v, want wrong usage", err)
	}
}

// A pipe without a reader would make the test hang.
func TestOnlyRegularFilesAreWritten(t *testing.T) {
	dir, kinds := odd(t)
	for name, kind := range kinds {
		path := filepath.Join(dir, name)
		_, err := file.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o666)
		if !errors.Is(err, file.ErrIrregular) || !strings.Contains(err.Error(), path+" is "+kind) {
			t.Errorf("OpenFile(%s): %v", name, err)
		}
	}
	path := filepath.Join(dir, "new")
	f, err := file.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), file.CheckFile(path), file.CheckFile(filepath.Join(dir, "nothing"))); err != nil {
		t.Error(err)
	}
}
