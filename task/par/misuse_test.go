package par_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

var badResult = par.DefineFunc("misuse.result", func(*edt.Ctx, int) []int { return nil })

var takesTwice = task.Define1("misuse.twice", func(c *edt.Ctx, _ task.Nothing, v par.Value[int]) {
	v.Take(c)
	v.Take(c)
})

var outside = task.Define0("misuse.outside", func(c *edt.Ctx, _ task.Nothing) { *total.Value(c)++ })

// TestMisuse: what is wrong is said with the line of this file, and the condition.
func TestMisuse(t *testing.T) {
	none := task.Event[task.Nothing]{}
	for name, m := range map[string]struct {
		body  func(c *edt.Ctx)
		cause error
		want  string
	}{
		"grain 0": {func(c *edt.Ctx) {
			number0.For(c, into{}, 0, 5, 0, none)
		}, edt.ErrCount, "for: count mismatch: a grain of 0, need at least 1"},
		"grain below": {func(c *edt.Ctx) {
			number1.For(c, 1, 0, 5, -1, none, task.None[int]())
		}, edt.ErrCount, "a grain of -1"},
		"backwards": {func(c *edt.Ctx) {
			number0.For(c, into{}, 5, 3, 1, none)
		}, edt.ErrCount, "indexes from 5 to 3, need the first to be the lower"},
		"long": {func(c *edt.Ctx) {
			number0.For(c, into{}, 0, 1<<32, 1, none)
		}, edt.ErrCount, "4294967296 indexes, at most 4294967295"},
		"all numbers": {func(c *edt.Ctx) {
			number0.For(c, into{}, -1<<63, 1<<63-1, 1, none)
		}, edt.ErrCount, "18446744073709551615 indexes, at most 4294967295"},
		"zero Source": {func(c *edt.Ctx) {
			number1.For(c, 1, 0, 5, 1, none, task.Source[int]{})
		}, edt.ErrNoSource, "slot 0 (Ref int) got the zero Source"},
		"zero For": {func(c *edt.Ctx) {
			new(par.For0[int]).For(c, 0, 0, 1, 1, none)
		}, edt.ErrNoBody, "the zero For0, DefineFor0 makes one"},
		"zero For3": {func(c *edt.Ctx) {
			zero3.For(c, 0, 0, 1, 1, none, task.None[int](), task.None[int](), task.None[task.Nothing]())
		}, edt.ErrNoBody, "the zero For3, DefineFor3 makes one"},
		"zero Reduce": {func(c *edt.Ctx) {
			new(par.Reduce[int]).Group(c, 0, par.Future[int](c))
		}, edt.ErrNoBody, "the zero Reduce, DefineReduce makes one"},
		"zero Reduce, value": {func(c *edt.Ctx) {
			new(par.Reduce[int]).Value(c)
		}, edt.ErrNoBody, "the zero Reduce, DefineReduce makes one"},
		"zero Map": {func(c *edt.Ctx) {
			new(par.Map[int, int, int]).Map(c, 0, task.None[int](), 1, par.Future[int](c))
		}, edt.ErrNoBody, "the zero Map, DefineMap makes one"},
		"zero Func": {func(c *edt.Ctx) {
			new(par.Func[int, int]).Call(c, 0)
		}, edt.ErrNoBody, "the zero Func, DefineFunc makes one"},
		"result": {func(c *edt.Ctx) {
			badResult.Call(c, 1)
		}, edt.ErrPointer, "elements []int: []int is or holds a pointer"},
		"group without an event": {func(c *edt.Ctx) {
			total.Group(c, 0, task.Event[int]{})
		}, edt.ErrNoSource, "group: no source: the zero Event to take the result"},
		"closure, grain 0": {func(c *edt.Ctx) {
			par.For(c, 0, 3, 0, none, func(*edt.Ctx, int, int) {})
		}, edt.ErrCount, "for: count mismatch: a grain of 0, need at least 1"},
		"no closure": {func(c *edt.Ctx) {
			par.For(c, 0, 3, 1, none, nil)
		}, edt.ErrNoBody, "for: no body: the body is nil"},
		"no group": {func(c *edt.Ctx) {
			outside.New(c, task.Nothing{})
		}, edt.ErrNoScope, "value: in no such finish scope: make the EDT"},
		"another's group": {func(c *edt.Ctx) {
			outside.NewWith(c, least.Group(c, 0, taker(c)), task.Nothing{})
		}, edt.ErrNoScope, "value"},
		"group, no scope": {func(c *edt.Ctx) {
			outside.NewWith(c, task.Opt{Output: total.Group(c, 0, taker(c)).Output}, task.Nothing{})
		}, edt.ErrNoScope,
			"value"},
		"map by 0": {func(c *edt.Ctx) {
			scaled.Map(c, 1, task.None[int](), 0, par.Future[int](c))
		}, edt.ErrCount, "map: count mismatch: a grain of 0"},
		"map without an event": {func(c *edt.Ctx) {
			scaled.Map(c, 1, task.None[int](), 1, task.Event[int]{})
		}, edt.ErrNoSource, "map: no source: the zero Event"},
		"all without an event": {func(c *edt.Ctx) {
			par.All(c, task.Event[int]{}, par.Future[int](c))
		}, edt.ErrNoSource, "all: no source"},
		"all of zero": {func(c *edt.Ctx) {
			par.All(c, par.Future[int](c), task.Event[int]{})
		}, edt.ErrNoSource, "all: no source: the zero Event to wait for"},
		"any of none": {func(c *edt.Ctx) {
			par.Any(c, par.Future[int](c))
		}, edt.ErrCount, "any: count mismatch: no events, need at least 1"},
		"any of zero": {func(c *edt.Ctx) {
			par.Any(c, par.Future[int](c), task.Event[int]{})
		}, edt.ErrNoSource, "any: no source"},
		"any without an event": {func(c *edt.Ctx) {
			par.Any(c, task.Event[int]{}, par.Future[int](c))
		}, edt.ErrNoSource, "any: no source"},
		"set nothing": {func(c *edt.Ctx) {
			par.Set(c, task.Event[int]{}, 1)
		}, edt.ErrKind, "satisfy: wrong kind of object: Null, need an event"},
		"set twice": {func(c *edt.Ctx) {
			f := task.Sticky[int](c)
			par.Set(c, f, 1)
			par.Set(c, f, 2)
		}, edt.ErrSatisfied, ""},
		"pipe without room": {func(c *edt.Ctx) {
			par.NewPipe[int](c, 0)
		}, edt.ErrCount, "create pipe: count mismatch: room for 0 blocks, need at least 1"},
		"zero Pipe": {func(c *edt.Ctx) {
			make1.New(c, making{}, par.Pipe[int]{}.Room())
		}, edt.ErrNoSource, "slot 0"},
		"pipe destroyed": {func(c *edt.Ctx) {
			p := par.NewPipe[int](c, 1)
			p.Destroy(c)
			p.Destroy(c)
		}, edt.ErrDestroyed, ""},
		"memory of what": {func(c *edt.Ctx) {
			c.NewScopeMemory(c.NewLatch(1), 1, 8, func([]byte) {})
		}, edt.ErrKind, "wrong kind of object: need a once event"},
	} {
		t.Run(name, func(t *testing.T) {
			err := runtime.Run(t.Context(), program(m.body))
			var misuse *edt.Error
			if !errors.As(err, &misuse) {
				t.Fatalf("run ended with %v", err)
			}
			if !errors.Is(err, m.cause) || !strings.Contains(err.Error(), m.want) ||
				!strings.HasSuffix(misuse.File, "_test.go") || misuse.Line == 0 {
				t.Errorf("%v\nwant %v, %q, in a file of this test", err, m.cause, m.want)
			}
		})
	}
}

var zero3 par.For3[int, task.RO[int], task.RW[int], task.After, int, int, task.Nothing]

// TestPanics: a panic in a body names its line, and a run that cannot go on says what waits, by its part.
func TestPanics(t *testing.T) {
	var panicked *edt.PanicError
	err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
		number1.For(c, 10, 0, 30, 10, task.Event[task.Nothing]{}, task.Reserve[int](c, 25).From())
	}))
	if !errors.As(err, &panicked) ||
		!strings.Contains(err.Error(), "template test.number1 (indexes 20 to 29 by 10, params 10)") ||
		!strings.HasPrefix(panicked.Site, "par_test.go:") {
		t.Error(err)
	}
	err = runtime.Run(t.Context(), program(func(c *edt.Ctx) {
		e := par.Future[int](c)
		takesTwice.New(c, task.Nothing{}, e.From())
		par.Set(c, e, 1)
	}))
	testrun.Contains(t, fmt.Sprint(err), "slot 0 (Value int) taken already", "(misuse_test.go:")
	err = runtime.Run(t.Context(), program(func(c *edt.Ctx) {
		number1.For(c, 10, 0, 30, 10, task.Event[task.Nothing]{}, task.Sticky[int](c).From())
	}))
	var stuck *edt.StuckError
	if !errors.As(err, &stuck) ||
		!strings.Contains(err.Error(), "template test.number1.split (indexes 0 to 29 by 10, params 10)") {
		t.Error(err)
	}
}

// faulty declarations end every run of their process, so each is made in a process of its own.
var faulty = map[string]testrun.Faulty{
	"for":             {func() { par.DefineFor0[int]("fault", nil) }, "edt: declare fault: no body"},
	"for with a slot": {func() { par.DefineFor1[int, task.RO[int]]("fault", nil) }, "edt: declare fault: no body"},
	"reduce":          {func() { par.DefineReduce[int]("fault", nil) }, "edt: declare fault: no body"},
	"map":             {func() { par.DefineMap[int, int, int]("fault", nil) }, "edt: declare fault"},
	"func":            {func() { par.DefineFunc[int, int]("fault", nil) }, "edt: declare fault: no body"},
	"params": {func() {
		par.DefineFor0("fault", func(*edt.Ctx, string, int, int) {})
	}, "edt: declare fault: not flat data: parameters par.part[string]: field Params: string is or holds a pointer"},
	"value": {func() { par.DefineReduce("fault", func(_, _ *[]int) {}) }, "[]int is or holds a pointer"},
	"element": {func() {
		par.DefineMap("fault", func(int, int) string { return "" })
	}, "string is or holds a pointer"},
}

func TestFaultyDeclarations(t *testing.T) {
	testrun.FaultyDeclarations(t, "TestFaultyDeclarations", "misuse_test.go", faulty, func() error {
		return runtime.Run(t.Context(), func(*edt.Ctx, edt.Args) guid.GUID { panic("the run began") })
	})
}
