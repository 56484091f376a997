package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// goWords are words that a user of a command or of the protocol knows nothing of: Go's names of
// fields, of what a package has, and of types.
var goWords = regexp.MustCompile(`\b[A-Z][a-z]+([A-Z][a-z]+)+\b|\bstrconv\b|\b[a-z]+\.[A-Z][a-z]\w*|%T`)

// TestErrorsSpeakToUsers reads the texts of all errors that are made outside of tests: none has a
// word of goWords, and none that wraps ErrUsage may come to say so twice, as it does where another
// error is wrapped beside it; option.Wrong says it once.
func TestErrorsSpeakToUsers(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != "../..") && path != "../.." ||
			d.IsDir() && strings.HasSuffix(name, "test") { // for whoever writes a game's tests
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			first := 0
			switch written(call.Fun) {
			case "fmt.Errorf", "errors.New":
			case "protocol.Errorf":
				first = 1 // after the code
			default:
				return true
			}
			literal, ok := call.Args[first].(*ast.BasicLit)
			if !ok {
				return true
			}
			text, _ := strconv.Unquote(literal.Value)
			if word := goWords.FindString(text); word != "" {
				t.Errorf("%s: %q says %q, which is Go's", set.Position(call.Pos()), text, word)
			}
			if len(call.Args) > 1 && strings.HasSuffix(written(call.Args[1]), "ErrUsage") && strings.Count(text, "%w") > 1 {
				t.Errorf("%s: %q may say twice that usage is wrong; want option.Wrong(fmt.Errorf(...))", set.Position(call.Pos()), text)
			}
			return true
		})
		return nil
	})
	if err != nil || files < 500 {
		t.Fatalf("%d files, error %v", files, err)
	}
}

// written is an expression such as fmt.Errorf as it is written, empty for others.
func written(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return written(e.X) + "." + e.Sel.Name
	}
	return ""
}
