package archtest

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// exampled are the functions of packages, and the methods of types, that bodies and small programs call: each is used
// in an Example of the package, or in the tutorial.
var exampled = []struct {
	path  string
	types []string // whose methods count, all if there are none
}{
	{"ocr/edt", []string{"Ctx", "Args", "Template", "Affinity", "External", "Blocking"}},
	{"ocr/datablock", []string{"Dep"}},
	{"ocr/datablock/cell", nil},
	{"ocr/runtime", []string{"Pool"}},
	{"ocr/task", nil},
	{"ocr/task/par", nil},
}

// without are those that need no Example, as these call them.
var without = map[string]string{
	"package task": `
		edt.Ctx.AgainOf edt.Ctx.CheckRuns edt.Ctx.NewCapture edt.Ctx.NewFlat edt.Ctx.PassDep edt.Ctx.Misuse
		edt.Ctx.ReleaseDep edt.Declare edt.Template.Define edt.Template.NameSlots edt.Template.TypeSlots
		edt.Template.Refuse datablock.Dep.Memory datablock.PointerIn`,
	"package task/par": `
		edt.Ctx.Blame edt.CallOf edt.Template.StandsAt edt.Ctx.ScopeMemory edt.Ctx.OrderScopeMemory edt.Ctx.OrderedScope
		edt.Ctx.PutPart edt.Ctx.NewScopeMemory edt.DefineScopeMemory task.SlotOf`,
	"observers": "edt.Template.About edt.Template.SlotName edt.Template.SlotType",
	"hosts":     "edt.ObserveAll edt.NewGraph edt.RegisteredTemplates",
}

// callsOf lists the exported functions and methods of a package. The name of a method has its type before it.
func callsOf(t *testing.T, p *pkg) (names []string) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, 0)
		testrun.OK(t, err)
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(fset, files, p.ImportPath)
	testrun.OK(t, err)
	add := func(prefix string, funcs []*doc.Func) {
		for _, f := range funcs {
			names = append(names, prefix+f.Name)
		}
	}
	add("", d.Funcs)
	for _, typ := range d.Types {
		add("", typ.Funcs)
		add(typ.Name+".", typ.Methods)
	}
	return names
}

// unsized is a name without the number of slots at its end: Declare2 stands for all of Declare0 to DeclareN.
func unsized(name string) string { return strings.TrimRight(name, "0123456789N") }

// usedIn adds what the files of a pattern use: functions with their package, and names of methods, without sizes. It
// skips a test file without Examples.
func usedIn(t *testing.T, pattern string, used map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	testrun.OK(t, err)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		testrun.OK(t, err)
		if strings.HasSuffix(name, "_test.go") && !slices.ContainsFunc(f.Decls, isExample) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				used[f.Name.Name+"."+n.Name] = true // a test in the package itself
			case *ast.SelectorExpr:
				used[unsized(n.Sel.Name)] = true
				if p, ok := n.X.(*ast.Ident); ok {
					used[p.Name+"."+unsized(n.Sel.Name)] = true
				}
			}
			return true
		})
	}
}

func isExample(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && strings.HasPrefix(f.Name.Name, "Example")
}

// TestExamples: what bodies call is in an Example or in the tutorial, and no exception is out of date.
func TestExamples(t *testing.T) {
	all, exempt, inTutorial := packages(t, "linux"), make(map[string]bool), make(map[string]bool)
	for _, names := range without {
		for name := range strings.FieldsSeq(names) {
			exempt["ocr/"+name] = true
		}
	}
	unused := maps.Clone(exempt)
	usedIn(t, "../../../docs/tutorial/*.go", inTutorial)
	for _, e := range exampled {
		k := slices.IndexFunc(all, func(p pkg) bool { return p.ImportPath == e.path })
		if k < 0 {
			t.Fatalf("no package %s", e.path)
		}
		used, found := maps.Clone(inTutorial), 0
		usedIn(t, filepath.Join(all[k].Dir, "*_test.go"), used)
		for _, name := range callsOf(t, &all[k]) {
			typ, call, isMethod := strings.Cut(name, ".")
			if !isMethod {
				call = path.Base(e.path) + "." + name
			} else if len(e.types) > 0 && !slices.Contains(e.types, typ) {
				continue
			}
			found++
			name = e.path + "." + name
			switch {
			case used[unsized(call)] && exempt[name] && !isMethod: // another type may have a method of that name
				t.Errorf("an Example or the tutorial uses %s: take it from the exceptions", name)
			case !used[unsized(call)] && !exempt[name]:
				t.Errorf("neither an Example nor the tutorial uses %s", name)
			}
			delete(unused, name)
		}
		if found < len(e.types) {
			t.Errorf("%s: %d functions and methods only", e.path, found)
		}
	}
	for name := range unused {
		t.Errorf("there is no %s", name)
	}
}
