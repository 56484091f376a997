// Package cited finds the tests of a game that cite a rule and could fail if the rule were
// broken: a number in a comment that stands in no test, in a test that asserts nothing or is
// skipped, or in a script that no test runs, counts for nothing.
package cited

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Number matches a rule number such as R10.3, R9.4.2 or R15, whole.
var Number = regexp.MustCompile(`\bR\d+(?:\.\d+)*`)

// Test is a test that asserts something, or a script that a test runs.
type Test struct {
	// Name is what "go test -run" finds it by: a function, or function/script.
	Name string
	// Text is all in which it can cite a rule: the source of the function and of all
	// that it uses of its folder's tests, their comments, and the files that it names.
	Text string
}

// Cites reports whether the test cites the rule.
func (t *Test) Cites(rule string) bool {
	return slices.Contains(Number.FindAllString(t.Text, -1), rule)
}

// Rules returns the rule numbers that at least one of the tests cites.
func Rules(tests []Test) map[string]bool {
	rules := map[string]bool{}
	for _, t := range tests {
		for _, n := range Number.FindAllString(t.Text, -1) {
			rules[n] = true
		}
	}
	return rules
}

// Tests reads the tests of the package in a folder.
func Tests(folder string) ([]Test, error) {
	r := &reader{folder: folder, files: token.NewFileSet(), decls: map[string][]*decl{}, methods: map[string][]*decl{}}
	names, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := r.read(name); err != nil {
			return nil, err
		}
	}
	var tests []Test
	for _, d := range r.tests {
		found, err := r.test(d)
		if err != nil {
			return nil, err
		}
		tests = append(tests, found...)
	}
	return tests, nil
}

// reader knows what the test files of a folder declare.
type reader struct {
	folder  string
	files   *token.FileSet
	decls   map[string][]*decl // functions, variables, constants and types by name
	methods map[string][]*decl
	tests   []*decl
}

// decl is one thing that a test file declares.
type decl struct {
	node    ast.Node
	text    string
	imports map[string]bool // names of the file's imports
	testing map[string]bool // names in the file of a *testing.T and its like
}

func (r *reader) read(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(r.files, name, data, parser.ParseComments)
	if err != nil {
		return err
	}
	imports, inTest := imported(file), testingNames(file)
	add := func(into map[string][]*decl, name string, node, doc ast.Node) *decl {
		d := &decl{node: node, text: r.text(data, node, doc), imports: imports, testing: inTest}
		into[name] = append(into[name], d)
		return d
	}
	for _, x := range file.Decls {
		switch x := x.(type) {
		case *ast.FuncDecl:
			switch name := x.Name.Name; {
			case x.Recv != nil:
				add(r.methods, name, x, docOf(x.Doc))
			case isTest(name):
				r.tests = append(r.tests, add(r.decls, name, x, docOf(x.Doc)))
			default:
				add(r.decls, name, x, docOf(x.Doc))
			}
		case *ast.GenDecl:
			for _, spec := range x.Specs {
				doc := docOf(x.Doc)
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					if spec.Doc != nil {
						doc = spec.Doc
					}
					for _, n := range spec.Names {
						add(r.decls, n.Name, spec, doc)
					}
				case *ast.TypeSpec:
					if spec.Doc != nil {
						doc = spec.Doc
					}
					add(r.decls, spec.Name.Name, spec, doc)
				}
			}
		}
	}
	return nil
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") && name != "TestMain" || strings.HasPrefix(name, "Fuzz")
}

// docOf makes a missing comment a missing node.
func docOf(doc *ast.CommentGroup) ast.Node {
	if doc == nil {
		return nil
	}
	return doc
}

// text returns the source from the comment on a declaration to the end of its last line.
func (r *reader) text(data []byte, node, doc ast.Node) string {
	from, to := r.files.Position(node.Pos()).Offset, r.files.Position(node.End()).Offset
	if doc != nil {
		from = r.files.Position(doc.Pos()).Offset
	}
	for to < len(data) && data[to] != '\n' {
		to++
	}
	return string(data[from:to])
}

func imported(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, i := range file.Imports {
		name := strings.Trim(i.Path.Value, `"`)
		name = name[strings.LastIndex(name, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = true
	}
	return names
}

// testingNames returns the names of the parameters by which a file's functions can fail a
// test.
func testingNames(file *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		of := field.Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if from, _ := selected(of); from == "testing" {
			for _, name := range field.Names {
				names[name.Name] = true
			}
		}
		return true
	})
	return names
}

// selected takes an expression such as fmt.Sprint to pieces.
func selected(e ast.Expr) (from, name string) {
	if index, ok := e.(*ast.IndexExpr); ok { // a function of a type
		e = index.X
	}
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	if x, ok := s.X.(*ast.Ident); ok {
		from = x.Name
	}
	return from, s.Sel.Name
}

// test returns what there is to run of a test function: itself, unless it asserts nothing,
// and the scripts that it runs.
func (r *reader) test(d *decl) ([]Test, error) {
	name := d.node.(*ast.FuncDecl).Name.Name
	if skipped(d) {
		return nil, nil
	}
	var tests []Test
	var b strings.Builder
	asserted := false
	for _, part := range r.closure(d) {
		b.WriteString(part.text + "\n")
		asserted = asserted || asserts(part)
		for _, folder := range scriptFolders(part) {
			scripts, err := r.scripts(name, folder)
			if err != nil {
				return nil, err
			}
			tests = append(tests, scripts...)
		}
		for _, path := range filesNamed(part) {
			data, err := os.ReadFile(filepath.Join(r.folder, path))
			if err != nil {
				continue // what it writes, or a folder
			}
			b.Write(append(data, '\n'))
		}
	}
	if asserted {
		tests = append(tests, Test{Name: name, Text: b.String()})
	}
	return tests, nil
}

// closure returns a declaration and all in the folder's tests that it uses, by their names.
func (r *reader) closure(d *decl) []*decl {
	list, seen := []*decl{d}, map[ast.Node]bool{d.node: true}
	use := func(found []*decl) {
		for _, f := range found {
			if !seen[f.node] {
				seen[f.node] = true
				list = append(list, f)
			}
		}
	}
	for i := 0; i < len(list); i++ {
		at := list[i]
		ast.Inspect(at.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if from, name := selected(n); !at.imports[from] {
					use(r.methods[name])
				}
				if _, simple := n.X.(*ast.Ident); !simple {
					return true
				}
				use(r.decls[n.X.(*ast.Ident).Name])
				return false
			case *ast.Ident:
				use(r.decls[n.Name])
			}
			return true
		})
	}
	return list
}

// skipped reports whether a test skips itself whatever happens.
func skipped(d *decl) bool {
	return slices.ContainsFunc(d.node.(*ast.FuncDecl).Body.List, func(s ast.Stmt) bool {
		if x, ok := s.(*ast.ExprStmt); ok {
			if call, ok := x.X.(*ast.CallExpr); ok {
				from, name := selected(call.Fun)
				return d.testing[from] && strings.HasPrefix(name, "Skip")
			}
		}
		return false
	})
}

// makers are functions of enginetest that take a test and demand nothing of the rules.
var makers = []string{"Game", "Load", "Fields"}

// asserts reports whether a declaration can fail a test: it does so itself, or hands the test
// to another package.
func asserts(d *decl) bool {
	found := false
	ast.Inspect(d.node, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch from, name := selected(call.Fun); {
		case d.imports[from]:
			found = found || !slices.Contains(makers, name) && slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
				x, ok := e.(*ast.Ident)
				return ok && d.testing[x.Name]
			})
		case slices.Contains([]string{"Errorf", "Fatalf", "Fail", "FailNow"}, name):
			found = true
		case name == "Error" || name == "Fatal":
			found = found || d.testing[from] || len(call.Args) > 0 // err.Error() is another
		}
		return true
	})
	return found
}

// literals calls visit with each string in a declaration.
func literals(n ast.Node, visit func(text string)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			visit(strings.Trim(lit.Value, "`\""))
		}
		return true
	})
}

// filesNamed returns the files of testdata that a declaration names.
func filesNamed(d *decl) []string {
	var paths []string
	literals(d.node, func(text string) {
		if strings.HasPrefix(text, "testdata/") && filepath.Ext(text) == ".json" && !strings.ContainsAny(text, "*?[") {
			paths = append(paths, text)
		}
	})
	return paths
}

// scriptFolders returns the folders whose scripts a declaration runs, with enginetest.Scripts.
func scriptFolders(d *decl) []string {
	var folders []string
	ast.Inspect(d.node, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 1 {
			if from, name := selected(call.Fun); from == "enginetest" && name == "Scripts" {
				literals(call.Args[1], func(text string) { folders = append(folders, text) })
			}
		}
		return true
	})
	return folders
}

// scripts returns the scripts below a folder, which the test of that name runs. That each
// asserts something enginetest.Scripts demands.
func (r *reader) scripts(test, folder string) ([]Test, error) {
	var tests []Test
	root := filepath.Join(r.folder, folder)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		name = strings.ReplaceAll(filepath.ToSlash(strings.TrimSuffix(name, ".json")), " ", "_")
		tests = append(tests, Test{Name: test + "/" + name, Text: string(data)})
		return err
	})
	return tests, err
}
