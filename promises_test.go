package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"powderkeg/env"

	"github.com/goccy/go-yaml"
)

var (
	declared = regexp.MustCompile(`(?m)^(?:func |    def )([Tt]est\w+)\(`)
	named    = regexp.MustCompile("`([Tt]est\\w+)`")
)

// unkept lists the promises of a page, rows of its table, that name no test, or one that there is not.
func unkept(page string, tests []string) (list []string) {
	rows := 0
	for line := range strings.Lines(page) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.HasPrefix(cells[1], "-") || strings.HasSuffix(strings.TrimSpace(cells[4]), "kept by") {
			continue
		}
		rows++
		names := named.FindAllStringSubmatch(cells[4], -1)
		if len(names) == 0 {
			list = append(list, cells[1]+"names no test")
		}
		for _, name := range names {
			if !slices.Contains(tests, name[1]) {
				list = append(list, cells[1]+"names "+name[1]+", which is no test")
			}
		}
	}
	if rows == 0 {
		list = append(list, "there is no promise")
	}
	return list
}

// TestPromisesAreKept: each promise of STABILITY.md names a test that there is, and so does SECURITY.md.
func TestPromisesAreKept(t *testing.T) {
	page, err := os.ReadFile(".github/STABILITY.md")
	if err != nil {
		t.Fatal(err)
	}
	var tests []string
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "bin" || entry.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, filepath.Join("serve", "python", "tests")):
			return nil
		case entry.IsDir():
			return nil
		}
		text, err := os.ReadFile(path)
		for _, name := range declared.FindAllStringSubmatch(string(text), -1) {
			tests = append(tests, name[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, promise := range unkept(string(page), tests) {
		t.Error(promise)
	}
	security, err := os.ReadFile(".github/SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	names := named.FindAllStringSubmatch(string(security), -1)
	if len(names) == 0 {
		t.Error("SECURITY.md names no test")
	}
	for _, name := range names {
		if !slices.Contains(tests, name[1]) {
			t.Errorf("SECURITY.md names %s, which is no test", name[1])
		}
	}
}

func TestEmptyPromisesAreFound(t *testing.T) {
	const head = "| what | the promise | how long | kept by |\n|---|---|---|---|\n"
	for page, want := range map[string]string{
		head + "| a | b | c | `TestA`, `test_b` |\n": "",
		head + "| a | b | c | `TestB` |\n":           " a names TestB, which is no test",
		head + "| a | b | c | trust |\n":             " a names no test",
		head:                                         "there is no promise",
	} {
		if got := strings.Join(unkept(page, []string{"TestA", "test_b"}), "; "); got != want {
			t.Errorf("%s\n%q, want %q", page, got, want)
		}
	}
}

// TestIssueFormsAreWhole: the forms by which people report have what a forge demands of them, and name every game.
func TestIssueFormsAreWhole(t *testing.T) {
	forms, err := filepath.Glob(".github/ISSUE_TEMPLATE/[^c]*.yml")
	if err != nil || len(forms) < 3 {
		t.Fatalf("forms %q, error %v", forms, err)
	}
	var listed []string
	for _, path := range forms {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var form struct {
			Name, Description string
			Body              []struct {
				Type, ID   string
				Attributes struct {
					Label, Value string
					Options      []string
				}
			}
		}
		if err := yaml.Unmarshal(text, &form); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if form.Name == "" || form.Description == "" || len(form.Body) == 0 {
			t.Errorf("%s has no name, description or body", path)
		}
		for i, e := range form.Body {
			whole := e.ID != "" && e.Attributes.Label != ""
			if e.Type == "markdown" {
				whole = e.Attributes.Value != ""
			}
			if !whole || !slices.Contains([]string{"markdown", "textarea", "input", "dropdown"}, e.Type) {
				t.Errorf("%s: element %d, %q, is not whole", path, i+1, e.ID)
			}
			listed = append(listed, e.Attributes.Options...)
		}
	}
	for _, f := range env.Families() {
		if !slices.Contains(listed, f.Name) {
			t.Errorf("no form offers %s", f.Name)
		}
	}
}
