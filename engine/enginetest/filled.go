package enginetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mark stands where powderkeg newgame has left something to be filled in.
var mark = regexp.MustCompile(`FILL IN, (step \d+): ([^"\n]*)`)

// Filled stops the test at the first line of the given files, or of the files of a folder,
// in which powderkeg newgame has left something to be filled in. The message names the file
// as from the folder of the module, the line, the step of .github/CONTRIBUTING.md, and what.
func Filled(t testing.TB, paths ...string) {
	t.Helper()
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if at := mark.FindSubmatchIndex(text); at != nil {
				line := 1 + strings.Count(string(text[:at[0]]), "\n")
				t.Fatalf("%s:%d: fill in %s of .github/CONTRIBUTING.md: %s", fromModule(t, path), line, text[at[2]:at[3]], text[at[4]:at[5]])
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// fromModule returns a path as from the nearest folder upwards that has a go.mod.
func fromModule(t testing.TB, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			rest, _ := filepath.Rel(dir, path) // dir is above path
			return filepath.ToSlash(rest)
		}
	}
	return path
}
