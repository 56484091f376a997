package mutants

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// visit adds the mutants of one node. It returns false where nothing below is of interest.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ArrayType, *ast.FuncType:
		return false
	case *ast.CallExpr:
		if x, ok := n.Fun.(*ast.Ident); ok && (x.Name == "panic" || x.Name == "make") {
			return false
		}
	}
	if !f.inFunction() {
		return true
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.CaseClause:
		if f.noTag() {
			for _, e := range n.List {
				f.negate(e)
			}
		}
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.AssignStmt:
		f.assign(n)
	case *ast.IncDecStmt:
		other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok]
		f.add(n.TokPos, n.End(), other, "%s for %s", other, n.Tok)
		f.drop(n)
	case *ast.ExprStmt:
		f.drop(n)
	case *ast.BasicLit:
		if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			f.add(n.Pos(), n.End(), strconv.Itoa(v+1), "%d for %s in %s", v+1, n.Value, f.short(f.within[len(f.within)-2]))
		}
	}
	return true
}

// inFunction reports whether the node at hand stands in a function's body.
func (f *finder) inFunction() bool {
	for _, n := range f.within[:len(f.within)-1] {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		}
	}
	return false
}

// noTag reports whether the case at hand is one of a switch whose cases are conditions.
func (f *finder) noTag() bool {
	if len(f.within) < 3 {
		return false
	}
	s, ok := f.within[len(f.within)-3].(*ast.SwitchStmt)
	return ok && s.Tag == nil
}

// negate turns a condition round. One that asks for nil is left: nearly every move of a game
// would show it.
func (f *finder) negate(e ast.Expr) {
	if asksNil(e) {
		return
	}
	f.add(e.Pos(), e.End(), "!("+f.text(e)+")", "not (%s)", f.short(e))
}

// asksNil reports whether a comparison with nil is part of a condition.
func asksNil(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(*ast.Ident); ok && x.Name == "nil" {
			found = true
		}
		return true
	})
	return found
}

// others are the operators that take the place of one.
var others = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
}

func (f *finder) binary(n *ast.BinaryExpr) {
	other, ok := others[n.Op]
	if !ok || asksNil(n.X) || asksNil(n.Y) || isString(n.X) || isString(n.Y) {
		return
	}
	f.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String(), "%s for %s in %s", other, n.Op, f.short(n))
}

// isString reports whether a string stands at the end of a sum.
func isString(e ast.Expr) bool {
	if b, ok := e.(*ast.BinaryExpr); ok {
		return isString(b.X) || isString(b.Y)
	}
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

func (f *finder) assign(n *ast.AssignStmt) {
	if n.Tok == token.DEFINE {
		return
	}
	if other, ok := others[n.Tok]; ok && !isString(n.Rhs[0]) {
		f.add(n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), other.String(), "%s for %s in %s", other, n.Tok, f.short(n))
	}
	f.drop(n)
}

// drop leaves a statement out. It stays in the source, since what it names would be unused.
func (f *finder) drop(n ast.Stmt) {
	if x, ok := n.(*ast.ExprStmt); ok {
		if call, ok := x.X.(*ast.CallExpr); ok && f.text(call.Fun) == "panic" {
			return
		}
	}
	switch f.within[len(f.within)-2].(type) {
	case *ast.BlockStmt, *ast.CaseClause: // and not before the condition of an if
		f.add(n.Pos(), n.End(), "if false { "+f.text(n)+" }", "without %s", f.short(n))
	}
}

// returnEarly makes a function return at once, with zeros.
func (f *finder) returnEarly(fn *ast.FuncDecl) {
	f.within = nil // the comment on the function says what it carries out
	var zeros []string
	if results := fn.Type.Results; results != nil {
		for _, r := range results.List {
			for range max(len(r.Names), 1) {
				zeros = append(zeros, fmt.Sprintf("*new(%s)", f.text(r.Type)))
			}
		}
	}
	what := "returns at once"
	if len(zeros) > 0 {
		what += " with zero"
	}
	f.add(fn.Body.Lbrace+1, fn.Body.Lbrace+1, " return "+strings.Join(zeros, ", ")+";", "%s", what)
}

// short returns the source of a node for a message: one line, and not a long one.
func (f *finder) short(n ast.Node) string {
	text := strings.Join(strings.Fields(f.text(n)), " ")
	if r := []rune(text); len(r) > 60 {
		text = string(r[:59]) + "…"
	}
	return text
}
