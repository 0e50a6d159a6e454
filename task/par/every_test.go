package par_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// called has what a body calls: functions by their names, and types, all of whose methods it calls.
var called = map[string]any{
	"Head":   task.Head[int, int, task.RW[task.Headed[int, int]]],
	"Rest":   task.Rest[int, int, task.RW[task.Headed[int, int]]],
	"SlotOf": task.SlotOf[one, int], "Make": task.Make[int], "MakeHeaded": task.MakeHeaded[int, int], "Of": task.Of[int],
	"Reserve": task.Reserve[int], "ReserveHeaded": task.ReserveHeaded[int, int], "None": task.None[int],
	"Blocking": task.Blocking[int], "BlockingDo": task.BlockingDo, "Open": task.Open[int],
	"Channel": task.Channel[int], "Counted": task.Counted[int], "Once": task.Once[int],
	"Sticky": task.Sticky[int], "NewLatch": task.NewLatch, "NewGraph": task.NewGraph,
	"Func0": task.Func0[int], "Func1": task.Func1[int, one, int],
	"Func2": task.Func2[int, one, one, int, int], "Func3": task.Func3[int, one, one, one, int, int, int],
	"Go0": task.Go0, "Go1": task.Go1[one, int], "Go2": task.Go2[one, one, int, int],
	"Go3": task.Go3[one, one, one, int, int, int],
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

// declares has the functions that declare a variable of a package.
var declares = map[string]any{
	"Declare0": task.Declare0[int], "Define0": task.Define0[int],
	"Declare1": task.Declare1[int, one, int], "Define1": task.Define1[int, one, int],
	"Declare2": task.Declare2[int, one, one, int, int], "Define2": task.Define2[int, one, one, int, int],
	"Declare3":   task.Declare3[int, one, one, one, int, int, int],
	"Define3":    task.Define3[int, one, one, one, int, int, int],
	"Declare4":   task.Declare4[int, one, one, one, one, int, int, int, int],
	"Define4":    task.Define4[int, one, one, one, one, int, int, int, int],
	"DeclareN":   task.DeclareN[int, one, one, int, int],
	"DefineN":    task.DefineN[int, one, one, int, int],
	"DefineFor0": par.DefineFor0[int], "DefineFor1": par.DefineFor1[int, one, int],
	"DefineReduce": par.DefineReduce[int],
}

// options has the options of a run, and the error of a run that gives them zero values; "" if they are allowed.
var options = map[string]struct {
	option runtime.Option
	want   string
}{
	"nil":                  {nil, "option 2 of 2: it is nil"},
	"Options":              {runtime.Options(nil), "option 1 of 1: it is nil"},
	"Argv":                 {runtime.Argv(), ""},
	"AtBegin":              {runtime.AtBegin(nil), "AtBegin(nil)"},
	"AtEnd":                {runtime.AtEnd(nil), "AtEnd(nil)"},
	"Bind":                 {runtime.Bind(0), ""},
	"Blocking":             {runtime.Blocking(0), ""},
	"CPUs":                 {runtime.CPUs(nil), ""},
	"Check":                {runtime.Check(), ""},
	"Into":                 {runtime.Into(nil), "Into(nil)"},
	"LeakReport":           {runtime.LeakReport(), ""},
	"Logger":               {runtime.Logger(nil), "Logger(nil)"},
	"Memory":               {runtime.Memory(0), ""},
	"Observe":              {runtime.Observe(nil), "Observe(nil)"},
	"ObserverKind.Observe": {(*runtime.ObserverKind)(nil).Observe("", noObserver), "Observe: of a nil ObserverKind"},
	"NewObserverKind":      {runtime.NewObserverKind("none", nil).Observe("", noObserver), "of a nil ObserverKind"},
	"Ranks":                {runtime.Ranks(0), "Ranks(0)"},
	"Spin":                 {runtime.Spin(0), ""},
	"TrackSites":           {runtime.TrackSites(), ""},
	"Watchdog":             {runtime.Watchdog(runtime.Watch{}), ""},
	"Window":               {runtime.Window(0), ""},
	"Workers":              {runtime.Workers(0), "Workers(0)"},
}

func noObserver(*edt.Worker) edt.Observer { return nil }

// hosts has the other functions of package runtime, which return an error, or nothing of use for zero values.
var hosts = map[string]struct {
	call func() any
	want string
}{
	"Run":          {func() any { return runtime.Run(none, program(func(*edt.Ctx) {})) }, "runtime: ctx: it is nil"},
	"Run, no main": {func() any { return runtime.Run(context.Background(), nil) }, "runtime: main: it is nil"},
	"Run, no body": {func() any { return runtime.Run(context.Background(), task.Main(nil)) }, "runtime: main: it is nil"},
	"With":         {func() any { return runtime.With(nil).Run(context.Background(), empty) }, "option 1 of 1: it is nil"},
	"Runner.Run":   {func() any { return runtime.Runner{}.Run(none, nil) }, "runtime: Runner: it is zero"},
	"task.Run":     {func() any { _, err := task.Run[int](none, nil, nil); return err }, "the runner is nil"},
	"RunAll":       {func() any { _, err := task.RunAll[int](none, runtime.With(), nil); return err }, "no body"},
	"Main":         {func() any { return task.Main(nil) == nil }, "true"},
	"New":          {func() any { _, err := runtime.New(nil); return err }, "option 1 of 1: it is nil"},
	"Pool.Run":     {func() any { return (*runtime.Pool)(nil).Run(none, nil) }, "runtime: ctx: it is nil"},
	"Pool.Run, nil": {func() any {
		return (*runtime.Pool)(nil).Run(context.Background(), empty)
	}, "the pool is nil or zero"},
	"Pool.Run, zero": {func() any { return new(runtime.Pool).Run(context.Background(), empty) },
		"runtime: run on a pool: the pool is nil or zero: New makes one (every_test.go:"},
	"Pool.Close":        {func() any { return (*runtime.Pool)(nil).Close() }, "the pool is nil or zero"},
	"Pool.Close, zero":  {func() any { return new(runtime.Pool).Close() }, "the pool is nil or zero"},
	"ReportRuns":        {func() any { return runtime.ReportRuns() }, "0"},
	"Stall.Long":        {func() any { return runtime.Stall{}.Long() }, "no EDT has begun for 0s"},
	"BusyWorker.String": {func() any { return (&runtime.BusyWorker{}).String() }, "worker 0 runs no EDT"},
	"Binding.String":    {func() any { return runtime.Binding(0).String() }, "compact"},
	"Counters.Map":      {func() any { return runtime.Counters{}.Map()["steals"] }, "0"},
	"Stall.String":      {func() any { return runtime.Stall{}.String() }, "no EDT has begun for 0s"},
}

var (
	none  context.Context
	empty = program(func(*edt.Ctx) {})
)

// TestEveryOptionWithNothing: the run does not begin, and the error names the option that is nil or zero.
func TestEveryOptionWithNothing(t *testing.T) {
	for name, o := range options {
		ran := false
		err := runtime.Run(t.Context(), program(func(*edt.Ctx) { ran = true }), runtime.Workers(1), o.option)
		var bad *runtime.OptionError
		switch {
		case o.want == "" && err == nil && ran:
		case o.want != "" && errors.As(err, &bad) && strings.Contains(err.Error(), o.want) && !ran:
		default:
			t.Errorf("%s: %v, want %q; main ran: %v", name, err, o.want, ran)
		}
	}
	for name, h := range hosts {
		if got := fmt.Sprint(h.call()); !strings.Contains(got, h.want) {
			t.Errorf("%s: %s, want %q", name, got, h.want)
		}
	}
}

// TestEveryDeclarationWithNothing: a task without a name cannot be declared. (A task without a body lets no run begin;
// see the tests of faulty declarations.)
func TestEveryDeclarationWithNothing(t *testing.T) {
	for name, f := range declares {
		func() {
			defer func() {
				if v := fmt.Sprint(recover()); !strings.HasPrefix(v, "edt: a template needs a name") {
					t.Errorf("%s: %s", name, v)
				}
			}()
			reflect.ValueOf(f).Call(nothingFor(reflect.ValueOf(f), nil))
			t.Errorf("%s returned", name)
		}()
	}
}

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

// TestEveryFunctionIsTried: the tables above list all exported functions and methods of the three packages, except the
// Error methods of errors.
func TestEveryFunctionIsTried(t *testing.T) {
	lent := map[string]bool{"of": true, "held": true, "reading": true, "writing": true} // types of task
	for _, zero := range types {
		lent[nameOf(reflect.TypeOf(zero))] = true
	}
	for _, dir := range []string{"..", ".", "../../runtime"} {
		all, err := filepath.Glob(filepath.Join(dir, "*.go"))
		testrun.OK(t, err)
		for _, file := range slices.DeleteFunc(all, func(f string) bool { return strings.HasSuffix(f, "_test.go") }) {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			testrun.OK(t, err)
			for _, d := range parsed.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || !f.Name.IsExported() || f.Name.Name == "Error" {
					continue
				}
				name, of := f.Name.Name, ""
				if f.Recv != nil {
					of = identOf(f.Recv.List[0].Type)
					name = of + "." + name
				}
				if (of == "" || ast.IsExported(of)) && !lent[of] && !tried(name) {
					t.Errorf("%s: %s is in no table", file, name)
				}
			}
		}
	}
}

func tried(name string) bool {
	_, call := called[name]
	_, declare := declares[name]
	_, option := options[name]
	_, host := hosts[name]
	return call || declare || option || host
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
