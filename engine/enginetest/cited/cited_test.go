package cited_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"powderkeg/engine/enginetest/cited"
)

// What cites R1.2 in each of these files, and whether that counts.
var files = []struct {
	what, source string
	counts       bool
}{
	{"an empty test with a comment on it", "// R1.2\nfunc TestX(t *testing.T) {}", false},
	{"an empty test with a comment in it", "func TestX(t *testing.T) {\n\t// R1.2\n}", false},
	{"a test that asserts", "// R1.2\nfunc TestX(t *testing.T) { t.Error(1) }", true},
	{"a comment in a test that asserts", "func TestX(t *testing.T) {\n\tt.Error(1) // R1.2\n}", true},
	{"a row of a table", "var rows = []string{\"R1.2\"}\n\nfunc TestX(t *testing.T) {\n\tfor _, r := range rows {\n\t\tt.Fatal(r)\n\t}\n}", true},
	{"a table without a test", "var rows = []string{\"R1.2\"}\n\nfunc TestX(t *testing.T) { t.Fatal(1) }", false},
	{"a comment beside the tests", "// Here is R1.2.\n\nfunc TestX(t *testing.T) { t.Fatal(1) }", false},
	{"a log", "func TestX(t *testing.T) { t.Log(\"R1.2\") }", false},
	{"an error that is read", "// R1.2\nfunc TestX(t *testing.T) { _ = fmt.Errorf(\"x\").Error() }", false},
	{"a test that skips itself", "// R1.2\nfunc TestX(t *testing.T) {\n\tt.Skip(\"later\")\n\tt.Fatal(1)\n}", false},
	{"a test that is skipped at times", "// R1.2\nfunc TestX(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip(\"long\")\n\t}\n\tt.Fatal(1)\n}", true},
	{"a helper that asserts", "// R1.2\nfunc TestX(t *testing.T) { check(t) }\n\nfunc check(t *testing.T) { t.Fatal(1) }", true},
	{"a helper's comment", "func TestX(t *testing.T) { check(t) }\n\n// R1.2\nfunc check(t *testing.T) { t.Fatal(1) }", true},
	{"a helper that nobody uses", "func TestX(t *testing.T) {}\n\n// R1.2\nfunc check(t *testing.T) { t.Fatal(1) }", false},
	{"a method", "func TestX(t *testing.T) { (&c{t}).check() }\n\ntype c struct{ t *testing.T }\n\n// R1.2\nfunc (c *c) check() { c.t.Fatal(1) }", true},
	{"another package that is handed the test", "// R1.2\nfunc TestX(t *testing.T) { enginetest.Allocs(t, nil) }", true},
	{"a game that is made", "// R1.2\nfunc TestX(t *testing.T) { _ = enginetest.Game(t, \"kuhn\") }", false},
	{"a longer number", "// R1.2.3 and R1.20\nfunc TestX(t *testing.T) { t.Fatal(1) }", false},
	{"a script that is run", "func TestX(t *testing.T) { enginetest.Scripts(t, \"testdata/rules\", script.Options{}) }", true},
	{"a script that is not run", "func TestX(t *testing.T) { enginetest.Scripts(t, \"testdata/other\", script.Options{}) }", false},
	{"a file that is named", "func TestX(t *testing.T) {\n\tread(\"testdata/rules/a b.json\")\n\tt.Fatal(1)\n}", true},
}

const header = `package x

import (
	"fmt"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/script"
)

`

func TestWhatCounts(t *testing.T) {
	for _, f := range files {
		t.Run(f.what, func(t *testing.T) {
			folder := t.TempDir()
			write(t, folder, "x_test.go", header+f.source+"\n")
			write(t, folder, "testdata/rules/a b.json", `{"rules": ["R1.2"]}`)
			write(t, folder, "testdata/other/a.json", `{}`)
			tests, err := cited.Tests(folder)
			if err != nil {
				t.Fatal(err)
			}
			if got := cited.Rules(tests)["R1.2"]; got != f.counts {
				t.Errorf("R1.2 counts as cited: %v, want %v\n%s", got, f.counts, f.source)
			}
		})
	}
}

// TestNames checks by what the tests that cite a rule are run.
func TestNames(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "x_test.go", `package x

import (
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/script"
)

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n != 2 {
		t.Error(n)
	}
}

// R1.2
func TestOther(t *testing.T) { t.Error() }

func FuzzOther(f *testing.F) { f.Fatal("R1.2") }
`)
	write(t, folder, "testdata/rules/a b.json", `{"rules": ["R1.2"]}`)
	write(t, folder, "testdata/rules/more/c.json", `{"rules": ["R1.3"]}`)
	tests, err := cited.Tests(folder)
	if err != nil {
		t.Fatal(err)
	}
	for rule, want := range map[string][]string{"R1.2": {"FuzzOther", "TestOther", "TestScripts/a_b"}, "R1.3": {"TestScripts/more/c"}} {
		var got []string
		for _, x := range tests {
			if x.Cites(rule) {
				got = append(got, x.Name)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is cited by %q, want %q", rule, got, want)
		}
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "x_test.go", "package")
	if _, err := cited.Tests(folder); err == nil {
		t.Error("a file that is no Go is read")
	}
	write(t, folder, "x_test.go", "package x\n\nfunc TestX(t *testing.T) { enginetest.Scripts(t, \"testdata/gone\", script.Options{}) }\n")
	if _, err := cited.Tests(folder); err == nil {
		t.Error("a folder of scripts that is not there is read")
	}
}

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
