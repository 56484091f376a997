package python

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// goCommand writes files in the place of what it would build: a library where CGO says that there is a C compiler.
const goCommand = `#!/bin/sh
[ "$1" = build ] || { echo "$CGO"; echo sh; exit; }
while [ "$1" != -o ]; do shift; done
[ -z "$FAILS" ] || exit 1
[ "$CGO_ENABLED" = 0 ] || echo header >"${2%.*}.h"
echo "$3 with $CGO_ENABLED" >"$2"
`

// TestTheSourceArchiveBuildsTheProgram: pip builds the program into the package where the Go sources lie beside it, says in one
// line what is wanted where there is no Go, and builds no program from a source tree.
func TestTheSourceArchiveBuildsTheProgram(t *testing.T) {
	if os.Getenv("POWDERKEG_NO_PYTHON") == "1" {
		t.Skip("POWDERKEG_NO_PYTHON=1")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the go command of this test is a shell script")
	}
	interpreter := setuptools(t)
	const program, library, network = "powderkeg/bin/powderkeg", "powderkeg/bin/libpowderkeg.", "powderkeg/bin/zoo/a/b"
	for name, c := range map[string]struct {
		goes, tree  bool
		environment string
		want        []string // in the wheel
		none        []string
		fails       string
	}{
		"no Go":           {fails: "powderkeg: building from source needs Go 1.99 or newer on the PATH (https://go.dev/dl/); or install a wheel"},
		"Go":              {goes: true, environment: "CGO=0", want: []string{program}, none: []string{library, network}},
		"Go and C":        {goes: true, environment: "CGO=1", want: []string{program, library, network}, none: []string{"powderkeg/bin/libpowderkeg.h"}},
		"Go that fails":   {goes: true, environment: "FAILS=1", fails: "powderkeg: the program could not be built"},
		"the source tree": {tree: true, none: []string{program, library, network}},
	} {
		t.Run(name, func(t *testing.T) {
			folder, path := t.TempDir(), t.TempDir()
			stage(t, folder, c.tree)
			if c.goes {
				put(t, filepath.Join(path, "go"), goCommand)
			}
			if err := os.Symlink("/bin/sh", filepath.Join(path, "sh")); err != nil {
				t.Fatal(err)
			}
			build := exec.Command(interpreter, "setup.py", "-q", "bdist_wheel", "--dist-dir", "built")
			build.Dir, build.Env = folder, []string{"PATH=" + path, "HOME=" + folder, c.environment}
			out, err := build.CombinedOutput()
			if c.fails != "" {
				if err == nil || strings.Contains(string(out), "Traceback") || !strings.Contains("\n"+string(out), "\n"+c.fails) {
					t.Errorf("error %v and\n%s\nwant a line that begins %q", err, out, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			wheel, names := built(t, filepath.Join(folder, "built"))
			has := func(start string) bool {
				return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, start) })
			}
			for _, start := range c.want {
				if !has(start) {
					t.Errorf("%s lacks %s: %q", wheel, start, names)
				}
			}
			for _, start := range c.none {
				if has(start) {
					t.Errorf("%s has %s", wheel, start)
				}
			}
			if strings.Contains(wheel, "-py3-none-any.") != c.tree || !strings.Contains(wheel, "-py3-none-") {
				t.Errorf("the wheel is called %s", wheel)
			}
		})
	}
}

// stage lays the package out in a folder: as in the source tree, or as in the sdist with a Go module beside it.
func stage(t *testing.T, folder string, tree bool) {
	t.Helper()
	for _, name := range []string{"pyproject.toml", "setup.py", "README.md", "powderkeg/_version.py", "powderkeg/__init__.py", "powderkeg/py.typed"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(folder, name), string(text))
	}
	if !tree {
		put(t, filepath.Join(folder, "go/go.mod"), "module powderkeg\n\ngo 1.99\n")
		put(t, filepath.Join(folder, "go/checkpoints/zoo/a/b"), "a network")
	}
}

// put writes a file, and the folders above it.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// built returns the name of the only wheel of a folder, and what is in it.
func built(t *testing.T, folder string) (wheel string, names []string) {
	t.Helper()
	wheels, err := filepath.Glob(filepath.Join(folder, "*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("wheels %q, error %v", wheels, err)
	}
	r, err := zip.OpenReader(wheels[0])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, f := range r.File {
		names = append(names, f.Name)
	}
	return filepath.Base(wheels[0]), names
}

// setuptools returns a Python with setuptools: that of make test.
func setuptools(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("POWDERKEG_PYTHON"), "../../bin/venv/bin/python", "python3"} {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, "-c", "import setuptools.command.bdist_wheel").Run() == nil {
			path, err = filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			return path
		}
	}
	t.Fatal("no Python with setuptools; make test sets one up; name one in POWDERKEG_PYTHON, or set POWDERKEG_NO_PYTHON=1")
	return ""
}
