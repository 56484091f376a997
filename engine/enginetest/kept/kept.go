// Package kept holds files that released versions have written, or lists of what they had, against
// today's program. Its files lie in testdata/released, a folder a version, and are never changed.
package kept

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Update is -update: the tests write the files that they otherwise compare with. It is registered
// here alone, since a test program that registers a flag twice does not start.
var Update = flag.Bool("update", false, "rewrite the files that the tests compare with")

// Files returns what versions have under a name in testdata/released, by their paths: at least one.
// Where the tests run with -update, the version to be released gets what now returns, if it has
// nothing yet.
func Files(t testing.TB, released, name string, now func() string) map[string]string {
	t.Helper()
	if *Update {
		write(t, filepath.Join(released, version(t), name), now)
	}
	paths, err := filepath.Glob(filepath.Join(released, "*", name))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Errorf("no version has %s in %s; go test -update writes that of this one", name, released)
	}
	files := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(text)
	}
	return files
}

// Lines fails the test where a line that a version had under a name is missing now: lists may grow,
// and lose nothing.
func Lines(t testing.TB, released, name string, now []string) {
	t.Helper()
	for path, text := range Files(t, released, name, func() string { return strings.Join(now, "\n") }) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); !slices.Contains(now, line) {
				t.Errorf("%s has %q, which is no more", path, line)
			}
		}
	}
}

// write writes a file that is not there yet.
func write(t testing.TB, path string, now func() string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.TrimSpace(now())+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// version is that of the project, which stands in the Python client.
func version(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		text, err := os.ReadFile(filepath.Join(folder, "serve", "python", "powderkeg", "_version.py"))
		if err == nil {
			_, quoted, _ := strings.Cut(string(text), `"`)
			number, _, _ := strings.Cut(quoted, `"`)
			return number
		}
	}
	t.Fatal("no folder above has serve/python/powderkeg/_version.py")
	return ""
}
