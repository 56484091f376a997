package enginetest

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// order lists the parts of the project, each of which may use those before it.
var order = []string{"engine", "env", "checkpoints", "agents", "train", "serve", "experiments"}

// module returns the path of this module, which whoever publishes it chooses (make module).
var module = sync.OnceValue(func() string {
	out, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(out))
})

// part returns the place in order of a package, by its longest prefix.
func part(path string) int {
	best, length := -1, 0
	for i, p := range order {
		if strings.HasPrefix(path+"/", module()+"/"+p+"/") && len(p) > length {
			best, length = i, len(p)
		}
	}
	return best
}

type pkg struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

func list(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Standard", module()+"/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func TestNoImportPointsBack(t *testing.T) {
	pkgs := list(t)
	if len(pkgs) < 10 {
		t.Fatalf("go list found %d packages only", len(pkgs))
	}
	for _, p := range pkgs {
		if p.ImportPath == module() {
			continue // the command uses everything
		}
		from := part(p.ImportPath)
		if from < 0 {
			t.Errorf("%s lies outside the parts %v", p.ImportPath, order)
		}
		for _, i := range p.Imports {
			if to := part(i); to > from {
				t.Errorf("%s imports %s: %s comes before %s", p.ImportPath, i, order[from], order[to])
			}
		}
	}
}

// The engine does no I/O, keeps no clock and starts no goroutine: the caller
// passes in what it needs. enginetest is for tests and may read files.
func TestEngineIsPure(t *testing.T) {
	forbidden := []string{"os", "net", "log", "log/slog", "io/fs", "os/exec", "runtime", "math/rand"}
	for _, p := range list(t) {
		if part(p.ImportPath) != 0 || strings.Contains(p.ImportPath, "/enginetest") {
			continue
		}
		for _, i := range p.Imports {
			first, _, _ := strings.Cut(i, "/")
			switch {
			case strings.HasPrefix(i, module()+"/"):
			case strings.Contains(first, "."):
				t.Errorf("%s imports %s: the engine uses the standard library only", p.ImportPath, i)
			case slices.Contains(forbidden, i):
				t.Errorf("%s imports %s: the engine does no I/O and keeps no clock", p.ImportPath, i)
			}
		}
	}
}

// TestReferencesAreForTests: a slow reference of a game is compared with its engine, and
// nothing is built on it.
func TestReferencesAreForTests(t *testing.T) {
	for _, p := range list(t) {
		for _, i := range p.Imports {
			if strings.HasSuffix(i, "/reference") {
				t.Errorf("%s imports %s, which is for tests", p.ImportPath, i)
			}
		}
	}
}

// calls that are forbidden in the code of some parts, with what to do instead.
var calls = []struct{ name, under, instead string }{
	{"rand.Int", "", "take a *rand.PCG as an argument: the global generator cannot be seeded"},
	{"rand.IntN", "", "take a *rand.PCG as an argument: the global generator cannot be seeded"},
	{"rand.Float64", "", "take a *rand.PCG as an argument: the global generator cannot be seeded"},
	{"rand.Perm", "", "take a *rand.PCG as an argument: the global generator cannot be seeded"},
	{"rand.Shuffle", "", "take a *rand.PCG as an argument: the global generator cannot be seeded"},
	{"time.Now", "engine", "the engine keeps no clock"},
	{"time.Since", "engine", "the engine keeps no clock"},
	{"time.Sleep", "engine", "the engine keeps no clock"},
	{"panic", "serve", "return an error: a peer must not be able to stop the server"},
	{"log.Printf", "", "take a *slog.Logger: callers decide where events go"},
	{"log.Fatal", "", "return an error: main alone ends the process"},
	{"os.Exit", "", "return an error: main alone ends the process"},
}

func TestForbiddenCalls(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, path)
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || rel == "main.go" {
			return err
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, c := range calls {
				if name(call.Fun) == c.name && (c.under == "" || strings.HasPrefix(rel, c.under+"/")) {
					t.Errorf("%s: %s is forbidden here: %s", set.Position(call.Pos()), c.name, c.instead)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Errorf("only %d files were looked at", files)
	}
}

func name(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
	}
	return ""
}
