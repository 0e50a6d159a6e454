package archtest

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// exampled are the functions of packages, and the methods of types, that bodies and small programs call:
// each has an Example of its own.
var exampled = []struct {
	path  string
	types []string // whose methods count
	funcs bool     // the package's functions count
}{
	{"ocr/edt", []string{"Ctx", "Args", "Template", "Affinity", "External", "Blocking"}, true},
	{"ocr/datablock", []string{"Dep", "View"}, true},
	{"ocr/datablock/cell", nil, true},
	{"ocr/runtime", []string{"Pool"}, true},
}

// shown are packages of generic types that come in several sizes and modes: each function, and each method of one of
// the types that have it, is used in the file of their Examples. Declare2 stands for all of Declare0 to DeclareN.
var shown = []string{"ocr/task", "ocr/task/par"}

// without are those that need no Example, and why.
var without = map[string]string{
	"ocr/edt.Ctx.AgainOf":          "package task calls it for bodies",
	"ocr/edt.Ctx.Blame":            "package task/par calls it for bodies",
	"ocr/edt.CallOf":               "package task/par calls it",
	"ocr/edt.Explain":              "package task/par calls it",
	"ocr/edt.Ctx.CheckRuns":        "package task calls it for bodies",
	"ocr/edt.Ctx.NewCapture":       "package task calls it for bodies",
	"ocr/edt.Ctx.NewFlat":          "package task calls it for bodies",
	"ocr/edt.Ctx.PassDep":          "package task calls it for bodies",
	"ocr/edt.Ctx.Misuse":           "package task calls it for bodies",
	"ocr/edt.Ctx.ReleaseDep":       "package task calls it for bodies",
	"ocr/edt.Ctx.ScopeMemory":      "package task/par calls it for bodies",
	"ocr/edt.Ctx.OrderScopeMemory": "package task/par calls it for bodies",
	"ocr/edt.Ctx.OrderedScope":     "package task/par calls it for bodies",
	"ocr/edt.Ctx.PutPart":          "package task/par calls it for bodies",
	"ocr/edt.Ctx.NewScopeMemory":   "package task/par calls it for bodies",
	"ocr/edt.DefineScopeMemory":    "package task/par calls it",
	"ocr/edt.Declare":              "package task calls it for bodies",
	"ocr/edt.Template.Define":      "package task calls it for bodies",
	"ocr/edt.Template.NameSlots":   "package task calls it for bodies",
	"ocr/edt.Template.TypeSlots":   "package task calls it for bodies",
	"ocr/edt.Template.Refuse":      "package task calls it for bodies",
	"ocr/edt.Template.About":       "observers call it",
	"ocr/edt.Template.SlotName":    "observers call it",
	"ocr/edt.Template.SlotType":    "observers call it",
	"ocr/edt.CallSite":             "observers call it",
	"ocr/edt.PanicSite":            "observers call it",
	"ocr/edt.StartSite":            "observers call it",
	"ocr/edt.ObserveAll":           "hosts call it",
	"ocr/edt.NewGraph":             "hosts call it",
	"ocr/edt.RegisteredTemplates":  "hosts call it",
	"ocr/datablock.Dep.Memory":     "package task calls it for bodies",
	"ocr/datablock.PointerIn":      "package task and NewView call it",
	"ocr/task.ParamsOf":            "package task/par calls it for bodies",
	"ocr/task.SlotTypeOf":          "package task/par calls it",
	"ocr/task.CaptureErased":       "package task/par calls it",
	"ocr/task.DeclareErased":       "package task/par calls it",
	"ocr/task.SlotOf":              "package task/par calls it for bodies",
	"ocr/task.SourceAt":            "package task/par calls it for bodies",
}

// exampleOf says of each exported function and method of a package whether it has an Example with output.
// The name of a method has its type before it.
func exampleOf(t *testing.T, p *pkg) map[string]bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	testrun.OK(t, err)
	for _, name := range p.GoFiles {
		names = append(names, filepath.Join(p.Dir, name))
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		testrun.OK(t, err)
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(fset, files, p.ImportPath)
	testrun.OK(t, err)
	has := make(map[string]bool)
	add := func(prefix string, funcs []*doc.Func) {
		for _, f := range funcs {
			has[prefix+f.Name] = slices.ContainsFunc(f.Examples, func(e *doc.Example) bool { return e.Output != "" })
		}
	}
	add(p.ImportPath+".", d.Funcs)
	for _, typ := range d.Types {
		add(p.ImportPath+".", typ.Funcs)
		add(p.ImportPath+"."+typ.Name+".", typ.Methods)
	}
	return has
}

// unsized is a name without the number of slots at its end.
func unsized(name string) string { return strings.TrimRight(name, "0123456789N") }

// usedIn returns the names behind a dot in a file that has Examples, without sizes.
func usedIn(t *testing.T, name string) map[string]bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	testrun.OK(t, err)
	used := make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			used[unsized(s.Sel.Name)] = true
		}
		return true
	})
	return used
}

// wanted reports whether a function or method of a package should have an Example.
func wanted(name, path string, types []string, funcs bool) bool {
	typ, _, method := strings.Cut(strings.TrimPrefix(name, path+"."), ".")
	if !method {
		return funcs
	}
	return slices.Contains(types, typ)
}

// TestExamples: what bodies call has an Example, and no exception is out of date.
func TestExamples(t *testing.T) {
	all, unused := packages(t, "linux"), maps.Clone(without)
	for _, e := range exampled {
		k := slices.IndexFunc(all, func(p pkg) bool { return p.ImportPath == e.path })
		if k < 0 {
			t.Fatalf("no package %s", e.path)
		}
		found := 0
		for name, has := range exampleOf(t, &all[k]) {
			if !wanted(name, e.path, e.types, e.funcs) {
				continue
			}
			found++
			switch reason, excepted := without[name]; {
			case has && excepted:
				t.Errorf("%s has an Example: take it from the exceptions", name)
			case !has && reason == "":
				t.Errorf("%s has no Example with output", name)
			}
			delete(unused, name)
		}
		if found < len(e.types) {
			t.Errorf("%s: %d functions and methods only", e.path, found)
		}
	}
	for _, path := range shown {
		p := &all[slices.IndexFunc(all, func(p pkg) bool { return p.ImportPath == path })]
		used := make(map[string]bool)
		files, err := filepath.Glob(filepath.Join(p.Dir, "example*_test.go"))
		testrun.OK(t, err)
		for _, file := range files {
			maps.Copy(used, usedIn(t, file))
		}
		for name := range exampleOf(t, p) {
			_, reason := without[name]
			switch is := used[unsized(name[strings.LastIndex(name, ".")+1:])]; {
			case is && reason:
				t.Errorf("an Example uses %s: take it from the exceptions", name)
			case !is && !reason:
				t.Errorf("no Example uses %s", name)
			}
			delete(unused, name)
		}
	}
	for name := range unused {
		t.Errorf("there is no %s", name)
	}
}
