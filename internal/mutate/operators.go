package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// A kind is what an edit does.
type kind string

const (
	negated    kind = "negate"   // a condition, or a truth value that is returned
	never      kind = "never"    // a condition is false
	always     kind = "always"   // a condition is true
	boundary   kind = "boundary" // < for <=, and so on
	logic      kind = "logic"    // && for ||, || for &&
	arithmetic kind = "operator" // - for +, | for &, and so on
	constant   kind = "constant" // n+1 for n
	counted    kind = "counter"  // -- for ++, -= for +=
	dropped    kind = "drop"     // a call, a store, a deferred call
	swapped    kind = "swap"     // two statements that follow each other
	returned   kind = "return"   // early, with zero values
	torn       kind = "tear"     // an atomic read-and-write becomes a load and a store
)

// Left out by rule, because such a mutant is equivalent or changes nothing that the
// tests of the core should fix:
//
//   - constants, variables and types of a package: layouts, tuning, tables of names;
//   - the words of errors and panics: what is inside a call of misuse, panic,
//     errors.New or a function of fmt; methods named String or Error;
//   - hints: capacities given to make, sys.Pause, sys.UseHugePages; the calls of yield,
//     which are nothing without a tag;
//   - two statements that change places, if neither is a call for its effect or uses
//     an atomic variable;
//   - a return in front of a return of zero values or at the very end.

// edits lists all faults that this file knows for a package, in the order of the
// source. Some may not compile.
func edits(src *source, fset *token.FileSet) []*edit {
	var all []*edit
	for _, f := range src.files {
		for _, d := range f.tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || fn.Name.Name == "String" || fn.Name.Name == "Error" {
				continue
			}
			c := &collector{file: f, fset: fset, function: functionName(fn)}
			c.earlyReturns(fn)
			ast.Inspect(fn.Body, c.visit)
			all = append(all, c.found...)
		}
	}
	return all
}

func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	recv := fn.Recv.List[0].Type
	if star, ok := recv.(*ast.StarExpr); ok {
		recv = star.X
	}
	if generic, ok := recv.(*ast.IndexExpr); ok {
		recv = generic.X
	}
	return fmt.Sprintf("%s.%s", recv.(*ast.Ident).Name, fn.Name.Name)
}

// A collector finds the edits of one function.
type collector struct {
	file     *file
	fset     *token.FileSet
	function string
	found    []*edit
}

func (c *collector) offset(p token.Pos) int { return c.fset.Position(p).Offset }

func (c *collector) source(n ast.Node) string {
	return string(c.file.text[c.offset(n.Pos()):c.offset(n.End())])
}

// replace adds an edit of the source between two positions.
func (c *collector) replace(k kind, from, to token.Pos, text, what string) {
	c.found = append(c.found, &edit{
		file: c.file, start: c.offset(from), end: c.offset(to), text: text,
		kind: k, function: c.function, line: c.fset.Position(from).Line, what: what,
	})
}

// become is replace for a node.
func (c *collector) become(k kind, n ast.Node, text string) {
	c.replace(k, n.Pos(), n.End(), text, brief(c.source(n))+" -> "+brief(text))
}

func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if isWords(n) {
			return false
		}
		c.tear(n)
		if isMake(n) {
			for _, size := range n.Args[1:min(2, len(n.Args))] {
				ast.Inspect(size, c.visit)
			}
			return false
		}
	case *ast.ArrayType, *ast.FuncType:
		return false
	case *ast.IfStmt:
		c.condition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			c.condition(n.Cond)
		}
	case *ast.ReturnStmt:
		for _, result := range n.Results {
			if isTruth(result) {
				c.become(negated, result, "!("+c.source(result)+")")
			}
		}
	case *ast.BinaryExpr:
		c.binary(n)
	case *ast.BasicLit:
		if n.Kind == token.INT {
			c.become(constant, n, "("+n.Value+" + 1)")
		}
	case *ast.IncDecStmt:
		c.operator(counted, n, n.TokPos, n.Tok)
	case *ast.AssignStmt:
		c.operator(counted, n, n.TokPos, n.Tok)
	case *ast.BlockStmt:
		c.statements(n.List)
	case *ast.CaseClause:
		c.statements(n.Body)
	}
	return true
}

func (c *collector) condition(cond ast.Expr) {
	text := c.source(cond)
	c.become(negated, cond, "!("+text+")")
	c.become(never, cond, "false && ("+text+")")
	c.become(always, cond, "true || ("+text+")")
}

// exchanged is what takes the place of an operator.
var exchanged = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.AND_NOT: token.AND, token.XOR: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL,
	token.INC: token.DEC, token.DEC: token.INC,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN, token.AND_NOT_ASSIGN: token.OR_ASSIGN,
}

func (c *collector) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		c.operator(boundary, n, n.OpPos, n.Op)
	case token.LAND, token.LOR:
		c.operator(logic, n, n.OpPos, n.Op)
	default:
		c.operator(arithmetic, n, n.OpPos, n.Op)
	}
}

func (c *collector) operator(k kind, n ast.Node, at token.Pos, op token.Token) {
	if other, ok := exchanged[op]; ok {
		c.replace(k, at, at+token.Pos(len(op.String())), other.String(), fmt.Sprintf("%s in %s -> %s", op, brief(c.source(n)), other))
	}
}

// statements finds what can be left out of a list of statements, and what can be
// done in another order.
func (c *collector) statements(list []ast.Stmt) {
	for k, s := range list {
		if !isStep(s) {
			continue
		}
		if !isDeclaration(s) {
			c.replace(dropped, s.Pos(), s.End(), "", "without "+brief(c.source(s)))
		}
		if k+1 < len(list) && isStep(list[k+1]) && !isDefer(s) && !isDefer(list[k+1]) && (publishes(s) || publishes(list[k+1])) {
			first, second := c.source(s), c.source(list[k+1])
			between := string(c.file.text[c.offset(s.End()):c.offset(list[k+1].Pos())])
			if strings.Contains(between, "//") {
				between = strings.Repeat("\n", strings.Count(between, "\n"))
			}
			c.replace(swapped, s.Pos(), list[k+1].End(), second+between+first, brief(second)+" before "+brief(first))
		}
	}
}

// earlyReturns puts a return in front of each statement of a body but the first.
func (c *collector) earlyReturns(fn *ast.FuncDecl) {
	text, zero := "return", []string{}
	if results := fn.Type.Results; results != nil {
		for _, field := range results.List {
			for range max(1, len(field.Names)) {
				zero = append(zero, "*new("+c.source(field.Type)+")")
			}
		}
		text += " " + strings.Join(zero, ", ")
	}
	for k, s := range fn.Body.List {
		if _, isReturn := s.(*ast.ReturnStmt); k == 0 || isReturn && isZero(s.(*ast.ReturnStmt)) {
			continue
		}
		c.replace(returned, s.Pos(), s.Pos(), text+"; ", "return before "+brief(c.source(s)))
	}
}

var atomicFunction = regexp.MustCompile(`^(CompareAndSwap|Add)(U?[Ii]nt(?:32|64))$`)

// tear turns an atomic operation that reads and writes into a load and a store: of the
// functions of sync/atomic both that do, of the methods CompareAndSwap only, because
// the type of what Add returns is not in the text.
func (c *collector) tear(n *ast.CallExpr) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	operation, args := sel.Sel.Name, make([]string, len(n.Args))
	for k, a := range n.Args {
		args[k] = c.source(a)
	}
	of := c.source(sel.X)
	load, store, result := of+".Load()", of+".Store(", ""
	if m := atomicFunction.FindStringSubmatch(operation); of == "atomic" && m != nil {
		operation, result = m[1], strings.ToLower(m[2])
		load, store = "atomic.Load"+m[2]+"("+args[0]+")", "atomic.Store"+m[2]+"("+args[0]+", "
		args = args[1:]
	}
	var text string
	switch {
	case operation == "CompareAndSwap" && len(args) == 2:
		text = fmt.Sprintf("func() bool { same := %s == (%s); if same { %s%s) }; return same }()", load, args[0], store, args[1])
	case operation == "Add" && len(args) == 1 && result != "":
		text = fmt.Sprintf("func() %s { n := %s + (%s); %sn); return n }()", result, load, args[0], store)
	default:
		return
	}
	c.replace(torn, n.Pos(), n.End(), text, brief(c.source(n))+" as a load and a store")
}
