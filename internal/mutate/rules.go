package main

import (
	"go/ast"
	"go/token"
	"regexp"
)

// isWords reports whether a call only makes words of an error or a panic, or is a
// hint to the processor.
func isWords(n *ast.CallExpr) bool {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		if f.Sel.Name == "misuse" {
			return true
		}
		if pkg, ok := f.X.(*ast.Ident); ok {
			return pkg.Name == "fmt" || pkg.Name == "errors" && f.Sel.Name == "New" || pkg.Name == "sys" && f.Sel.Name == "Pause"
		}
	}
	return false
}

func isMake(n *ast.CallExpr) bool {
	f, ok := n.Fun.(*ast.Ident)
	return ok && f.Name == "make" && len(n.Args) > 0
}

// isTruth reports whether an expression is a truth value by its looks.
func isTruth(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		return n.Op == token.NOT
	case *ast.BinaryExpr:
		switch n.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ, token.LAND, token.LOR:
			return true
		}
	case *ast.Ident:
		return n.Name == "true" || n.Name == "false"
	}
	return false
}

// isStep reports whether a statement is one of those that can be dropped or swapped.
func isStep(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && !isPause(call)
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt:
		return true
	}
	return false
}

// isPause reports whether a call does nothing but let others go on, or is a hint to the system.
func isPause(n *ast.CallExpr) bool {
	switch f := n.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name == "Pause" || f.Sel.Name == "UseHugePages"
	case *ast.Ident:
		return f.Name == "yield" || f.Name == "yieldParked"
	}
	return false
}

func isDeclaration(s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && a.Tok == token.DEFINE
}

func isDefer(s ast.Stmt) bool {
	_, ok := s.(*ast.DeferStmt)
	return ok
}

// publishes reports whether it may matter when a statement is done: it is a call for its
// effect, or uses an atomic variable.
func publishes(s ast.Stmt) (found bool) {
	if e, ok := s.(*ast.ExprStmt); ok {
		return !writesOnly(e.X.(*ast.CallExpr))
	}
	ast.Inspect(s, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			f, ok := call.Fun.(*ast.SelectorExpr)
			found = found || ok && atomicOperation.MatchString(f.Sel.Name)
		}
		return !found
	})
	return found
}

// writesOnly reports whether a call is a plain store in other words.
func writesOnly(n *ast.CallExpr) bool {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name == "clear" || f.Name == "copy" || f.Name == "delete"
	case *ast.SelectorExpr:
		of, ok := f.X.(*ast.SelectorExpr)
		pkg, named := (*ast.Ident)(nil), false
		if ok {
			pkg, named = of.X.(*ast.Ident)
		}
		return named && pkg.Name == "binary"
	}
	return false
}

var atomicOperation = regexp.MustCompile(`^(Load|Store|Add|Swap|CompareAndSwap)(Uint32|Uint64|Int32|Int64)?$`)

// isZero reports whether a return gives zero values only.
func isZero(s *ast.ReturnStmt) bool {
	for _, r := range s.Results {
		switch r := r.(type) {
		case *ast.BasicLit:
			if r.Value != "0" && r.Value != `""` {
				return false
			}
		case *ast.Ident:
			if r.Name != "nil" && r.Name != "false" {
				return false
			}
		case *ast.SelectorExpr:
			if r.Sel.Name != "Null" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
