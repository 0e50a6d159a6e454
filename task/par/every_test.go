package par_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// The tables have every exported function of packages task, par and runtime by its name, with its receiver's type
// before it. The tests call them with zero values.
type (
	one    = task.RW[int]
	t0     = task.Task0[int]
	t1     = task.Task1[int, one, int]
	t2     = task.Task2[int, one, one, int, int]
	t3     = task.Task3[int, one, one, one, int, int, int]
	t4     = task.Task4[int, one, one, one, one, int, int, int, int]
	tn     = task.TaskN[int, one, one, one, int, int, int]
	erased = task.Erased[int]
	event  = task.Event[int]
	room   = par.Room[int]
	item   = par.Item[int]
	pipe   = par.Pipe[int]
)

// called are those that a body calls.
var called = map[string]any{
	"held.Block": one.Block, "held.IsNull": one.IsNull, "held.Release": one.Release,
	"held.Destroy": one.Destroy, "held.SendTo": one.SendTo, "reading.At": task.RO[int].At,
	"reading.Len": task.RO[int].Len, "reading.All": task.RO[int].All, "reading.Slice": task.RO[int].Slice,
	"writing.Slice": one.Slice, "Head": task.Head[int, int, task.RW[task.Headed[int, int]]],
	"Rest": task.Rest[int, int, task.RW[task.Headed[int, int]]], "ParamsOf": task.ParamsOf[int],
	"SlotOf": task.SlotOf[one, int], "SourceAt": task.SourceAt[int], "Make": task.Make[int],
	"MakeHeaded": task.MakeHeaded[int, int], "Reserve": task.Reserve[int],
	"ReserveHeaded": task.ReserveHeaded[int, int], "Block.From": task.Block[int].From,
	"Block.Release": task.Block[int].Release, "Block.Destroy": task.Block[int].Destroy,
	"EDT1.Slot0": task.EDT1[int].Slot0, "EDT2.Slot1": task.EDT2[int, int].Slot1,
	"EDT3.Slot2": task.EDT3[int, int, int].Slot2, "EDT4.Slot3": task.EDT4[int, int, int, int].Slot3,
	"Blocking": task.Blocking[int], "Channel": task.Channel[int], "Counted": task.Counted[int],
	"Once": task.Once[int], "Scoped": task.Scoped[int], "Of": task.Of[int], "Event.Put": event.Put,
	"Event.Port": event.Port, "Func0": task.Func0[int], "Func1": task.Func1[int, one, int],
	"Func2": task.Func2[int, one, one, int, int], "Func3": task.Func3[int, one, one, one, int, int, int],
	"CaptureErased": task.CaptureErased[int], "BlockingDo": task.BlockingDo, "For": par.For, "FixedGrain": par.FixedGrain,
	"Go0": task.Go0, "Go1": task.Go1[one, int], "Go2": task.Go2[one, one, int, int],
	"Go3": task.Go3[one, one, one, int, int, int], "Sticky": task.Sticky[int],
	"Event.After": event.After, "Event.From": event.From, "Event.Destroy": event.Destroy,
	"Event.Pass": event.Pass, "Event.Send": event.Send, "Event.Signal": event.Signal,
	"NewLatch": task.NewLatch, "Latch.Down": task.Latch.Down, "Latch.Up": task.Latch.Up,
	"List.At": task.List[one].At, "List.Len": task.List[one].Len, "Port.Connect": task.Port[int].Connect,
	"Port.Send": task.Port[int].Send, "Port.Signal": task.Port[int].Signal, "None": task.None[int],
	"Open": task.Open[int], "Task0.Template": (*t0).Template, "Task0.Label": (*t0).Label,
	"Task0.Again": (*t0).Again, "Task0.Body": (*t0).Body, "Task0.New": (*t0).New,
	"Task0.NewAt": (*t0).NewAt, "Task0.NewWith": (*t0).NewWith, "Task1.Again": (*t1).Again,
	"Task1.Body": (*t1).Body, "Task1.New": (*t1).New, "Task1.NewAt": (*t1).NewAt,
	"Task1.NewWith": (*t1).NewWith, "Task1.NewOpen": (*t1).NewOpen, "Task1.Again0": (*t1).Again0,
	"Task2.Again": (*t2).Again, "Task2.Body": (*t2).Body, "Task2.New": (*t2).New,
	"Task2.NewAt": (*t2).NewAt, "Task2.NewWith": (*t2).NewWith, "Task2.NewOpen": (*t2).NewOpen,
	"Task2.Again0": (*t2).Again0, "Task2.Again1": (*t2).Again1, "Task3.Again": (*t3).Again,
	"Task3.Body": (*t3).Body, "Task3.New": (*t3).New, "Task3.NewAt": (*t3).NewAt,
	"Task3.NewWith": (*t3).NewWith, "Task3.NewOpen": (*t3).NewOpen, "Task3.Again0": (*t3).Again0,
	"Task3.Again1": (*t3).Again1, "Task3.Again2": (*t3).Again2, "Task4.Again": (*t4).Again,
	"Task4.Body": (*t4).Body, "Task4.New": (*t4).New, "Task4.NewAt": (*t4).NewAt,
	"Task4.NewWith": (*t4).NewWith, "Task4.NewOpen": (*t4).NewOpen, "Task4.Again0": (*t4).Again0,
	"Task4.Again1": (*t4).Again1, "Task4.Again2": (*t4).Again2, "Task4.Again3": (*t4).Again3,
	"SlotTypeOf": task.SlotTypeOf[one, int], "SlotType.String": task.SlotType.String,
	"Erased.From": (*erased).From, "Erased.New": (*erased).New,
	"Erased.NewWith": (*erased).NewWith, "TaskN.Again": (*tn).Again, "TaskN.Body": (*tn).Body, "TaskN.New": (*tn).New,
	"TaskN.NewWith": (*tn).NewWith, "All": par.All[int], "Any": par.Any[int], "Future": par.Future[int],
	"Grain": par.Grain, "Set": par.Set[int], "For0.For": (*par.For0[int]).For,
	"For1.For": (*par.For1[int, one, int]).For, "For2.For": (*par.For2[int, one, one, int, int]).For,
	"For3.For": (*par.For3[int, one, one, one, int, int, int]).For, "Func.Call": (*par.Func[int, int]).Call,
	"Map.Map": (*par.Map[int, int, int]).Map, "Reduce.Group": (*par.Reduce[int]).Group,
	"Reduce.Value": (*par.Reduce[int]).Value, "Item.Done": item.Done, "Item.Ended": item.Ended,
	"Item.Keep": item.Keep, "Room.Send": room.Send, "Room.Close": room.Close,
	"Value.Take": par.Value[int].Take, "NewPipe": par.NewPipe[int], "Pipe.Destroy": pipe.Destroy,
	"Pipe.From": pipe.From, "Pipe.Room": pipe.Room, "From": par.From[int], "Through": par.Through[int, int],
	"To":       par.To[int],
	"NewGraph": task.NewGraph, "Graph.Seal": (*task.Graph).Seal, "Graph.Run": (*task.Graph).Run,
	"Graph.Destroy": (*task.Graph).Destroy, "Input": task.Input[int], "Node1.Pass0": task.Node1[int].Pass0,
	"Node2.Pass1": task.Node2[int, int].Pass1, "Node3.Pass2": task.Node3[int, int, int].Pass2,
	"Node4.Pass3": task.Node4[int, int, int, int].Pass3, "Task0.Add": (*t0).Add, "Task1.Add": (*t1).Add,
	"Task2.Add": (*t2).Add, "Task3.Add": (*t3).Add, "Task4.Add": (*t4).Add, "TaskN.Add": (*tn).Add,
}

// declares are those that a variable of a package is made with.
var declares = map[string]any{
	"Declare0": task.Declare0[int], "Define0": task.Define0[int],
	"Declare1": task.Declare1[int, one, int], "Define1": task.Define1[int, one, int],
	"Declare2": task.Declare2[int, one, one, int, int], "Define2": task.Define2[int, one, one, int, int],
	"Declare3":      task.Declare3[int, one, one, one, int, int, int],
	"Define3":       task.Define3[int, one, one, one, int, int, int],
	"Declare4":      task.Declare4[int, one, one, one, one, int, int, int, int],
	"Define4":       task.Define4[int, one, one, one, one, int, int, int, int],
	"DeclareErased": func(name string) any { return task.DeclareErased[int](name, task.SlotTypeOf[one]()) },
	"DeclareN":      task.DeclareN[int, one, one, one, int, int, int],
	"DefineN":       task.DefineN[int, one, one, one, int, int, int],
	"DefineFor0":    par.DefineFor0[int], "DefineFor1": par.DefineFor1[int, one, int],
	"DefineFor2": par.DefineFor2[int, one, one, int, int], "DefineFor3": par.DefineFor3[int, one, one, one, int, int, int],
	"DefineFunc": par.DefineFunc[int, int], "DefineMap": par.DefineMap[int, int, int],
	"DefineReduce": par.DefineReduce[int],
}

// options are those of a run, with what a run with nothing for them ends with; "" if that is nothing wrong.
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
	"StealGap":             {runtime.StealGap(0), ""},
	"TrackSites":           {runtime.TrackSites(), ""},
	"Watchdog":             {runtime.Watchdog(runtime.Watch{}), ""},
	"Window":               {runtime.Window(0), ""},
	"Workers":              {runtime.Workers(0), "Workers(0)"},
}

func noObserver(*edt.Worker) edt.Observer { return nil }

// hosts are the others of package runtime, which return an error, or something that is nothing for nothing.
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
	"Stall.Long":        {func() any { return runtime.Stall{}.Long() }, "an EDT has held worker 0"},
	"BusyWorker.String": {func() any { return (&runtime.BusyWorker{}).String() }, "worker 0 runs no EDT"},
	"ParseBinding":      {func() any { _, err := runtime.ParseBinding(""); return err }, "want compact"},
	"Unpinned":          {unpinnedNothing, "runtime: Unpinned(nil)"},
	"Binding.String":    {func() any { return runtime.Binding(0).String() }, "compact"},
	"Counters.Map":      {func() any { return runtime.Counters{}.Map()["steals"] }, "0"},
	"Stall.String":      {func() any { return runtime.Stall{}.String() }, "an EDT has held worker 0"},
}

var (
	none  context.Context
	empty = program(func(*edt.Ctx) {})
)

func unpinnedNothing() (v any) {
	defer func() { v = recover() }()
	runtime.Unpinned(nil)
	return nil
}

// TestEveryOptionWithNothing: the run does not begin, and the error names what is nil or zero.
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

// TestEveryDeclarationWithNothing: a task without a name cannot be declared. (One without a body lets no run begin, see
// the tests of faulty declarations.)
func TestEveryDeclarationWithNothing(t *testing.T) {
	for name, f := range declares {
		func() {
			defer func() {
				if v := fmt.Sprint(recover()); !strings.HasPrefix(v, "edt: a template needs a name") {
					t.Errorf("%s: %s", name, v)
				}
			}()
			reflect.ValueOf(f).Call(nothingFor(f, nil))
			t.Errorf("%s returned", name)
		}()
	}
}

// nothingFor makes the arguments of a function: c, and zero values.
func nothingFor(f any, c *edt.Ctx) (args []reflect.Value) {
	for n := range reflect.TypeOf(f).NumIn() {
		in := reflect.TypeOf(f).In(n)
		if in == reflect.TypeFor[*edt.Ctx]() {
			args = append(args, reflect.ValueOf(c))
		} else {
			args = append(args, reflect.Zero(in))
		}
	}
	return args
}

// ctxs are what a call may be given.
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

// TestEveryCallWithNothing: whatever a body calls with zero values and nil, the run ends without an error, or with one
// that names what was called and the line of this file.
func TestEveryCallWithNothing(t *testing.T) {
	for name, f := range called {
		for whose, of := range ctxs {
			err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
				if args := nothingFor(f, of(c)); reflect.TypeOf(f).IsVariadic() {
					reflect.ValueOf(f).CallSlice(args)
				} else {
					reflect.ValueOf(f).Call(args)
				}
			}), runtime.Workers(1))
			if err != nil {
				checkBlamed(t, name, whose, err)
			}
		}
	}
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
		call := "." + name + " was called on a nil or zero value, or given one"
		if strings.Contains(err.Error(), "nil pointer") && !strings.Contains(err.Error(), call) {
			t.Errorf("%s with %s: %v\ndoes not say that it was called", name, whose, err)
		}
	}
	if !strings.HasPrefix(site, "every_test.go") {
		t.Errorf("%s with %s: %v\nblames %q", name, whose, err, site)
	}
}

// TestEveryFunctionIsTried: the tables above have all exported functions and methods of the three packages, but for
// methods Error of errors.
func TestEveryFunctionIsTried(t *testing.T) {
	// These lend their methods to exported types; the tables have two of them under one of those.
	lend := map[string]string{"of": "Task0", "held": "held", "reading": "reading", "writing": "writing"}
	for _, dir := range []string{"..", ".", "../../runtime"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || !f.Name.IsExported() || f.Name.Name == "Error" {
					continue
				}
				name, of := f.Name.Name, receiver(f)
				if of != "" {
					name = cmp.Or(lend[of], of) + "." + name
				}
				if seen := of == "" || ast.IsExported(of) || lend[of] != ""; seen && !tried(name) {
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

// receiver returns the name of a method's type, "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		default:
			return of.(*ast.Ident).Name
		}
	}
}
