package par_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// called has the functions that a body may call, by their names; types has the types whose methods it may call.
var called = map[string]any{
	"Head":   task.Head[int, int, task.RW[task.Headed[int, int]]],
	"Rest":   task.Rest[int, int, task.RW[task.Headed[int, int]]],
	"SlotOf": task.SlotOf[one, int], "Make": task.Make[int], "MakeHeaded": task.MakeHeaded[int, int], "Of": task.Of[int],
	"Reserve": task.Reserve[int], "ReserveHeaded": task.ReserveHeaded[int, int], "None": task.None[int],
	"Blocking": task.Blocking[int], "BlockingDo": task.BlockingDo, "Open": task.Open[int],
	"Channel": task.Channel[int], "Counted": task.Counted[int], "Once": task.Once[int],
	"Sticky": task.Sticky[int], "NewLatch": task.NewLatch, "NewGraph": task.NewGraph,
	"Func0": task.Func0[int], "Func1": task.Func1[int, one, int],
	"Go0": task.Go0, "Go1": task.Go1[one, int], "GoN": task.GoN[one, one, int, int],
	"For": par.For, "Grain": par.Grain, "FixedGrain": par.FixedGrain, "Set": par.Set[int], "Future": par.Future[int],
}

type one = task.RW[int]

var types = []any{one{}, task.RO[int]{}, task.Block[int]{}, task.Event[int]{}, task.Latch{}, task.Port[int]{},
	task.List[one]{}, &task.Graph{}, task.EDT1[int]{}, task.EDT2[int, int]{},
	task.EDT3[int, int, int]{}, task.EDT4[int, int, int, int]{}, &task.Node1[int]{}, &task.Node2[int, int]{},
	&task.Node3[int, int, int]{}, &task.Node4[int, int, int, int]{}, &task.Task0[int]{}, &task.Task1[int, one, int]{},
	&task.Task2[int, one, one, int, int]{}, &task.Task3[int, one, one, one, int, int, int]{},
	&task.Task4[int, one, one, one, one, int, int, int, int]{}, &task.TaskN[int, one, one, int, int]{},
	&par.For0[int]{}, &par.For1[int, one, int]{}, &par.Reduce[int]{}, par.Value[int]{}}

// nothingFor makes the arguments of a function: c, and zero values.
func nothingFor(f reflect.Value, c *edt.Ctx) (args []reflect.Value) {
	for n := range f.Type().NumIn() {
		args = append(args, reflect.Zero(f.Type().In(n)))
		if _, ok := args[n].Interface().(*edt.Ctx); ok {
			args[n] = reflect.ValueOf(c)
		}
	}
	return args
}

// ctxs has the Ctx values with which a call is tried.
var ctxs = map[string]func(c *edt.Ctx) *edt.Ctx{
	"its own":              func(c *edt.Ctx) *edt.Ctx { return c },
	"nil":                  func(*edt.Ctx) *edt.Ctx { return nil },
	"that of an ended run": func(*edt.Ctx) *edt.Ctx { return over() },
	"the zero Ctx":         func(*edt.Ctx) *edt.Ctx { return new(edt.Ctx) },
}

// over returns the Ctx of a run that has ended.
func over() (old *edt.Ctx) {
	_ = runtime.Run(context.Background(), program(func(c *edt.Ctx) { old = c }), runtime.Workers(1))
	return old
}

// TestEveryCallWithNothing: whatever a body calls with zero values and nil, the run ends without an error, or with an
// error that names the call and its line in this file.
func TestEveryCallWithNothing(t *testing.T) {
	all := make(map[string]reflect.Value)
	for name, f := range called {
		all[name] = reflect.ValueOf(f)
	}
	for _, zero := range types {
		of := reflect.TypeOf(zero)
		for k := range of.NumMethod() {
			all[nameOf(of)+"."+of.Method(k).Name] = of.Method(k).Func
		}
	}
	for name, f := range all {
		for whose, of := range ctxs {
			err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
				if args := nothingFor(f, of(c)); f.Type().IsVariadic() {
					f.CallSlice(args)
				} else {
					f.Call(args)
				}
			}), runtime.Workers(1))
			if err != nil {
				checkBlamed(t, name, whose, err)
			}
		}
	}
}

// nameOf returns the name of a type, or of the type behind a pointer, without type parameters.
func nameOf(of reflect.Type) string {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	name, _, _ := strings.Cut(of.Name(), "[")
	return name
}

func checkBlamed(t *testing.T, name, whose string, err error) {
	t.Helper()
	var misuse *edt.Error
	var panicked *edt.PanicError
	site := ""
	switch {
	case errors.As(err, &misuse):
		site = misuse.File
	case errors.As(err, &panicked):
		site = panicked.Site
		call := name[strings.LastIndex(name, ".")+1:] + " was called on a nil or zero value, or given one"
		if strings.Contains(err.Error(), "nil pointer") && !strings.Contains(err.Error(), "."+call) {
			t.Errorf("%s with %s: %v\ndoes not say that it was called", name, whose, err)
		}
	}
	if !strings.HasPrefix(site, "every_test.go") {
		t.Errorf("%s with %s: %v\nblames %q", name, whose, err, site)
	}
}

// TestEveryFunctionIsTried: the tables above list all exported functions and methods of the two packages that a body
// may call.
func TestEveryFunctionIsTried(t *testing.T) {
	// Unexported types of package task, whose methods are in the tables under exported types.
	lent := map[string]bool{"of": true, "held": true, "reading": true, "writing": true}
	for _, zero := range types {
		lent[nameOf(reflect.TypeOf(zero))] = true
	}
	outside := regexp.MustCompile("^(Declare|Define|Run|Main$)") // called outside bodies
	for _, dir := range []string{"..", "."} {
		all, err := filepath.Glob(filepath.Join(dir, "*.go"))
		testrun.OK(t, err)
		for _, file := range slices.DeleteFunc(all, func(f string) bool { return strings.HasSuffix(f, "_test.go") }) {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			testrun.OK(t, err)
			for _, d := range parsed.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || !f.Name.IsExported() || f.Recv == nil && outside.MatchString(f.Name.Name) {
					continue
				}
				name, of := f.Name.Name, ""
				if f.Recv != nil {
					of = identOf(f.Recv.List[0].Type)
					name = of + "." + name
				}
				if (of == "" || ast.IsExported(of)) && !lent[of] && called[name] == nil {
					t.Errorf("%s: %s is in no table", file, name)
				}
			}
		}
	}
}

// identOf returns the name of the type that an expression denotes.
func identOf(e ast.Expr) (name string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}
