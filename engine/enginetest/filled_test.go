package enginetest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/trial"
)

// TestFilled looks through files and folders for the first mark.
func TestFilled(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		"go.mod": "module x\n", "engine/x/table.go": "package x\n\n// FILL IN, step 3: the rows.\n",
		"engine/x/data/rules.json": `["FILL IN, step 1: the rules", ""]`,
		"engine/x/game.go":         "package x\n",
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(root, "engine", "x"))
	for paths, want := range map[string]string{
		"game.go":          "",
		"game.go table.go": "engine/x/table.go:3: fill in step 3 of .github/CONTRIBUTING.md: the rows.",
		"data table.go":    "engine/x/data/rules.json:1: fill in step 1 of .github/CONTRIBUTING.md: the rules",
		"nowhere.go":       "nowhere.go: no such file",
	} {
		test := func(t testing.TB) { enginetest.Filled(t, strings.Fields(paths)...) }
		if want != "" {
			trial.Finds(t, test, want)
		} else if v := trial.Of(t, test); v.Failed() {
			t.Errorf("%s: it fails with %q", paths, v.Lines)
		}
	}
}
