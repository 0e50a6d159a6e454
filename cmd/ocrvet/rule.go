package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

func rule(name, doc string, check func(p *program)) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     name,
		Doc:      doc,
		Requires: []*analysis.Analyzer{functions},
		Run: func(pass *analysis.Pass) (any, error) {
			check(&program{Pass: pass, functions: pass.ResultOf[functions].([]*ssa.Function), rule: name,
				said: map[string]bool{}})
			return nil, nil
		},
	}
}

// functions builds the functions of a package that uses the runtime. It does not use buildssa, which would have go vet
// run all rules on all packages of the standard library.
var functions = &analysis.Analyzer{
	Name:       "functions",
	Doc:        "builds the functions of a package that uses the runtime",
	ResultType: reflect.TypeFor[[]*ssa.Function](),
	Run: func(pass *analysis.Pass) (any, error) {
		if !slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool {
			return isPublic[p.Path()]
		}) || runsEDTs[pass.Pkg.Path()] {
			return []*ssa.Function(nil), nil
		}
		prog := ssa.NewProgram(pass.Fset, 0)
		prog.SetNoReturn(func(fn *types.Func) bool { return endsProcess[fn.FullName()] })
		for _, p := range pass.Pkg.Imports() {
			prog.CreatePackage(p, nil, nil, true)
		}
		pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
		pkg.Build()
		all := withClosures(nil, pkg.Func("init"))
		for _, file := range pass.Files {
			for _, d := range file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					all = withClosures(all, prog.FuncValue(pass.TypesInfo.Defs[d.Name].(*types.Func)))
				}
			}
		}
		return all, nil
	},
}

var (
	isPublic = set("ocr/edt", "ocr/datablock", "ocr/task", "ocr/task/par", "ocr/runtime")
	// The code of these packages is below the rules.
	runsEDTs    = set("ocr/edt", "ocr/runtime")
	endsProcess = set("os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "runtime.Goexit",
		"(*testing.common).Fatal", "(*testing.common).Fatalf", "(*testing.common).FailNow", "(*testing.common).Skip",
		"(*testing.common).Skipf")
)

// withClosures adds a function and all closures in it.
func withClosures(functions []*ssa.Function, fn *ssa.Function) []*ssa.Function {
	functions = append(functions, fn)
	for _, inner := range fn.AnonFuncs {
		functions = withClosures(functions, inner)
	}
	return functions
}

// A program is a package that a rule looks at.
type program struct {
	*analysis.Pass
	functions []*ssa.Function
	rule      string
	said      map[string]bool

	// Of bodies, once it was called:
	found []body
	calls map[*ssa.Function][]ssa.CallInstruction
}

// each calls f for every instruction of the package.
func (p *program) each(f func(i ssa.Instruction)) { eachIn(p.functions, f) }

// eachIn calls f for every instruction of some functions.
func eachIn(functions []*ssa.Function, f func(i ssa.Instruction)) {
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				f(i)
			}
		}
	}
}

// say reports what is wrong in a line, once, unless a comment turns the rule off.
func (p *program) say(at token.Pos, format string, args ...any) {
	position := p.Fset.Position(at)
	line := fmt.Sprintf("%s:%d", position.Filename, position.Line)
	if p.said[line] || p.ignored(at) {
		return
	}
	p.said[line] = true
	p.Reportf(at, format, args...)
}

const ignoring = "//ocrvet:ignore "

func (p *program) ignored(at token.Pos) bool {
	line := p.Fset.Position(at).Line
	for _, file := range p.Files {
		if at < file.FileStart || at >= file.FileEnd {
			continue
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				on := p.Fset.Position(c.Pos()).Line
				if p.names(c) && (c.End() < file.Package || on == line || on == line-1) {
					return true
				}
			}
		}
	}
	return false
}

// names reports whether a comment turns the rule off, with a reason.
func (p *program) names(c *ast.Comment) bool {
	text, ok := strings.CutPrefix(c.Text, ignoring)
	rule, reason, _ := strings.Cut(text, " ")
	return ok && rule == p.rule && strings.TrimSpace(reason) != ""
}

// placeOf is where an instruction is in the source: where its operands are, if it has no place itself.
func placeOf(i ssa.Instruction) token.Pos {
	if i.Pos().IsValid() {
		return i.Pos()
	}
	for _, o := range i.Operands(nil) {
		if *o != nil && (*o).Pos().IsValid() {
			return (*o).Pos()
		}
	}
	return i.Parent().Pos()
}
