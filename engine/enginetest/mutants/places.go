// Package mutants breaks the rules of a game on purpose, one place at a time, and sees
// whether the tests that cite the rule notice.
package mutants

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"powderkeg/engine/enginetest/cited"
)

// Mutant is one change of a game's code.
type Mutant struct {
	File string // its name in the folder
	Line int
	Func string
	// Rules are those that the place carries out: the ones cited at the statement, else
	// at the innermost if, case or loop around it that cites any, else in the comment on
	// the function.
	Rules []string
	What  string // the change, for people

	start, end int // bytes of the file that are replaced
	with       string
}

func (m *Mutant) String() string {
	return fmt.Sprintf("%s:%d %s: %s", m.File, m.Line, m.Func, m.What)
}

// Apply returns the source of the mutant's file with the change.
func (m *Mutant) Apply(source []byte) []byte {
	return slices.Concat(source[:m.start], []byte(m.with), source[m.end:])
}

// Find returns every mutant of the rules in a folder, in one order.
func Find(folder string) ([]Mutant, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var list []Mutant
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := InSource(filepath.Base(name), data)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// InSource returns the mutants of one file.
func InSource(name string, source []byte) ([]Mutant, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	f := &finder{name: name, source: source, files: files, rules: map[int][]string{}, remarks: map[int]bool{}}
	f.citations(file)
	for _, d := range file.Decls {
		f.fn, f.doc, f.within = "", nil, nil
		if fn, ok := d.(*ast.FuncDecl); ok {
			if fn.Body == nil {
				continue
			}
			f.fn, f.doc = fn.Name.Name, cited.Number.FindAllString(fn.Doc.Text(), -1)
			f.returnEarly(fn)
		}
		ast.PreorderStack(d, nil, func(n ast.Node, within []ast.Node) bool {
			f.within = append(within, n)
			return f.visit(n)
		})
	}
	return f.list, nil
}

// finder goes through one file.
type finder struct {
	name    string
	source  []byte
	files   *token.FileSet
	rules   map[int][]string // cited by line
	remarks map[int]bool     // lines that are nothing but a comment
	fn      string
	doc     []string
	within  []ast.Node // from the declaration down to the node at hand
	list    []Mutant
}

func (f *finder) line(p token.Pos) int { return f.files.Position(p).Line }

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.files.Position(n.Pos()).Offset:f.files.Position(n.End()).Offset])
}

// citations notes the lines on which rules are cited.
func (f *finder) citations(file *ast.File) {
	note := func(p token.Pos, text string) {
		for i, line := range strings.Split(text, "\n") {
			at := f.line(p) + i
			f.rules[at] = append(f.rules[at], cited.Number.FindAllString(line, -1)...)
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			note(c.Pos(), c.Text)
			start := f.files.Position(c.Pos())
			before := f.source[start.Offset-start.Column+1 : start.Offset]
			for i := range strings.Count(c.Text, "\n") + 1 {
				f.remarks[start.Line+i] = strings.TrimSpace(string(before)) == ""
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			note(lit.Pos(), lit.Value)
		}
		return true
	})
}

// carriedOut returns the rules of the node at hand.
func (f *finder) carriedOut() []string {
	for _, n := range slices.Backward(f.within) {
		first, last := f.head(n)
		if first == 0 {
			continue
		}
		for f.remarks[first-1] {
			first--
		}
		var rules []string
		for line := first; line <= last; line++ {
			rules = append(rules, f.rules[line]...)
		}
		if len(rules) > 0 {
			return unique(rules)
		}
	}
	return unique(f.doc)
}

// head returns the lines of a statement that say what it is: all of a simple one, and of one
// with a body what stands before that, or all if the body of an if or a case is one return,
// such as an error that cites a rule. They are 0 where a node is no statement, or no element
// of a table.
func (f *finder) head(n ast.Node) (first, last int) {
	end := token.NoPos
	switch n := n.(type) {
	case *ast.IfStmt:
		end = n.Body.Lbrace
		if r := onlyReturn(n.Body.List); r != nil && n.Else == nil {
			end = r.End()
		}
	case *ast.ForStmt:
		end = n.Body.Lbrace
	case *ast.RangeStmt:
		end = n.Body.Lbrace
	case *ast.SwitchStmt:
		end = n.Body.Lbrace
	case *ast.TypeSwitchStmt:
		end = n.Body.Lbrace
	case *ast.CaseClause:
		end = n.Colon
		if r := onlyReturn(n.Body); r != nil {
			end = r.End()
		}
	case *ast.AssignStmt, *ast.ExprStmt, *ast.IncDecStmt, *ast.ReturnStmt, *ast.DeclStmt, *ast.KeyValueExpr, *ast.BranchStmt:
		end = n.End()
	case *ast.CompositeLit:
		if f.fn != "" {
			return 0, 0
		}
		end = n.End()
	default:
		return 0, 0
	}
	return f.line(n.Pos()), f.line(end)
}

// onlyReturn returns the one statement of a body, if it is a return.
func onlyReturn(body []ast.Stmt) *ast.ReturnStmt {
	if len(body) != 1 {
		return nil
	}
	r, _ := body[0].(*ast.ReturnStmt)
	return r
}

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// add notes a mutant that puts text in the place of some source, if that belongs to a rule.
func (f *finder) add(from, to token.Pos, with, format string, args ...any) {
	rules := f.carriedOut()
	if len(rules) == 0 {
		return
	}
	f.list = append(f.list, Mutant{
		File: f.name, Line: f.line(from), Func: f.fn, Rules: rules, What: fmt.Sprintf(format, args...),
		start: f.files.Position(from).Offset, end: f.files.Position(to).Offset, with: with,
	})
}
