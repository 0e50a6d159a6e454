package par_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

var (
	outside = task.Define0("misuse.outside", func(c *edt.Ctx, _ task.Nothing) { *total.Value(c)++ })
	idle    = task.Define0("misuse.idle", func(*edt.Ctx, task.Nothing) {})
	twice   = task.Define1("misuse.twice", func(c *edt.Ctx, _ task.Nothing, v par.Value[int]) {
		v.Take(c)
		v.Take(c)
	})
	again1 = task.Declare1[int, task.After]("misuse.again1")
	_      = again1.Body(func(c *edt.Ctx, n int, _ task.After) {
		e := task.Sticky[task.Nothing](c)
		if n == 0 {
			again1.Again(c, 1, e.From())
		} else {
			again1.AgainLast(c, e.From())
		}
		e.Destroy(c)
	})
	again4 = task.Declare4[int, task.After, task.After, task.RW[int], task.After]("misuse.again4")
	_      = again4.Body(func(c *edt.Ctx, n int, _, _ task.After, b task.RW[int], _ task.After) {
		e, none := task.Sticky[task.Nothing](c), task.Source[task.Nothing]{}
		if n == 0 {
			again4.Again(c, 1, e.From(), none, task.Source[int]{}, e.From())
		} else {
			again4.AgainLast(c, e.From())
		}
		e.Destroy(c)
	})
	againN = task.DeclareN[int, task.After, task.After]("misuse.againN")
	_      = againN.Body(func(c *edt.Ctx, n int, _ task.After, _ task.List[task.After]) {
		e := task.Sticky[task.Nothing](c)
		againN.Again(c, 1, e.From(), nil)
		e.Destroy(c)
	})
)

// full returns an event that can take no more satisfactions.
func full(c *edt.Ctx) task.Event[int] {
	e := task.Sticky[int](c)
	e.Signal(c)
	return e
}

var (
	noEvent = task.Event[task.Nothing]{}
	noInts  = task.Event[int]{}
	zero1   par.For1[int, task.RO[int], int]
)

var misuses = map[string]struct {
	cause error
	want  string
	body  func(c *edt.Ctx)
}{
	"grain 0": {edt.ErrCount, "for: count mismatch: a grain of 0, need at least 1",
		func(c *edt.Ctx) { number0.For(c, into{}, 0, 5, 0, noEvent) }},
	"grain below": {edt.ErrCount, "a grain of -1",
		func(c *edt.Ctx) { number1.For(c, 1, 0, 5, -1, noEvent, task.None[int]()) }},
	"backwards": {edt.ErrCount, "indexes from 5 to 3, need the first to be the lower",
		func(c *edt.Ctx) { number0.For(c, into{}, 5, 3, 1, noEvent) }},
	"long": {edt.ErrCount, "4294967296 indexes, at most 4294967295",
		func(c *edt.Ctx) { number0.For(c, into{}, 0, 1<<32, 1, noEvent) }},
	"all numbers": {edt.ErrCount, "18446744073709551615 indexes, at most 4294967295",
		func(c *edt.Ctx) { number0.For(c, into{}, -1<<63, 1<<63-1, 1, noEvent) }},
	"zero Source": {edt.ErrNoSource, "slot 0 (Ref int) got the zero Source",
		func(c *edt.Ctx) { number1.For(c, 1, 0, 5, 1, noEvent, task.Source[int]{}) }},
	"zero For": {edt.ErrNoBody, "the zero For0, DefineFor0 makes one",
		func(c *edt.Ctx) { new(par.For0[int]).For(c, 0, 0, 1, 1, noEvent) }},
	"zero For1": {edt.ErrNoBody, "the zero For1, DefineFor1 makes one",
		func(c *edt.Ctx) { zero1.For(c, 0, 0, 1, 1, noEvent, task.None[int]()) }},
	"zero Reduce": {edt.ErrNoBody, "the zero Reduce, DefineReduce makes one",
		func(c *edt.Ctx) { new(par.Reduce[int]).Group(c, 0, par.Future[int](c)) }},
	"zero Reduce, value": {edt.ErrNoBody, "the zero Reduce, DefineReduce makes one",
		func(c *edt.Ctx) { new(par.Reduce[int]).Value(c) }},
	"group without an event": {edt.ErrNoSource, "group: no source: the zero Event to take the result",
		func(c *edt.Ctx) { total.Group(c, 0, noInts) }},
	"closure, grain 0": {edt.ErrCount, "for: count mismatch: a grain of 0, need at least 1",
		func(c *edt.Ctx) { par.For(c, 0, 3, 0, noEvent, func(*edt.Ctx, int, int) {}) }},
	"no closure": {edt.ErrNoBody, "for: no body: the body is nil",
		func(c *edt.Ctx) { par.For(c, 0, 3, 1, noEvent, nil) }},
	"no group": {edt.ErrNoScope, "value: in no such finish scope: make the EDT",
		func(c *edt.Ctx) { outside.New(c, task.Nothing{}) }},
	"another's group": {edt.ErrNoScope, "value",
		func(c *edt.Ctx) { outside.New(c, task.Nothing{}, least.Group(c, 0, taker(c))) }},
	"group, no scope": {edt.ErrNoScope, "value", func(c *edt.Ctx) {
		outside.New(c, task.Nothing{}, task.Opt{Output: total.Group(c, 0, taker(c)).Output})
	}},
	"group, satisfied": {edt.ErrSatisfied, "", func(c *edt.Ctx) {
		outside.New(c, task.Nothing{}, total.Group(c, 0, full(c)))
	}},
	"set nothing": {edt.ErrKind, "satisfy: wrong kind of object: Null, need an event",
		func(c *edt.Ctx) { par.Set(c, noInts, 1) }},
	"set twice":                   {edt.ErrSatisfied, "", func(c *edt.Ctx) { par.Set(c, full(c), 1) }},
	"goes on, 1":                  {edt.ErrStale, "", func(c *edt.Ctx) { again1.New(c, 0, after) }},
	"goes on by the last slot, 1": {edt.ErrStale, "", func(c *edt.Ctx) { again1.New(c, 1, after) }},
	"goes on, 4": {edt.ErrStale, "",
		func(c *edt.Ctx) { again4.New(c, 0, after, after, filled(c, 1).From(), after) }},
	"goes on by the last slot, 4": {edt.ErrStale, "",
		func(c *edt.Ctx) { again4.New(c, 1, after, after, filled(c, 1).From(), after) }},
	"goes on, lists": {edt.ErrStale, "", func(c *edt.Ctx) { againN.New(c, 1, after, nil) }},
	"block destroyed": {edt.ErrStale, "of template test.number1.split", func(c *edt.Ctx) {
		b := filled(c, 0, 0, 0)
		number1.For(c, 1, 0, 3, 1, noEvent, b.From())
		b.Destroy(c)
	}},
	"memory of what": {edt.ErrKind, "wrong kind of object: need a once event",
		func(c *edt.Ctx) { c.NewScopeMemory(c.NewLatch(1), 1, 8, func([]byte) {}) }},
}

var after = task.None[task.Nothing]()

// Each error has its condition and the line of the app's call, even if an EDT of the library or the end of a body finds
// the mistake.
func TestMisuse(t *testing.T) {
	for name, m := range misuses {
		for _, sites := range [][]runtime.Option{nil, {runtime.TrackSites()}} {
			err := runtime.Run(t.Context(), program(m.body), append(sites, runtime.Workers(1))...)
			misuse := testrun.As[*edt.Error](t, err, "%s", name)
			testrun.Is(t, err, m.cause, "%s", name)
			if !strings.Contains(err.Error(), m.want) || !strings.HasSuffix(misuse.File, "_test.go") || misuse.Line == 0 {
				t.Errorf("%s: %v\nwant %q, and the line", name, err, m.want)
			}
		}
	}
}

// The root of a group must be created on the rank that made the group, and over ranks a loop cannot have a closure.
func TestOverRanks(t *testing.T) {
	elsewhere := func(root func(c *edt.Ctx, opt task.Opt)) func(c *edt.Ctx) {
		return func(c *edt.Ctx) {
			opt := total.Group(c, 0, taker(c))
			c.NewEDTAt(c.Bind(1), c.NewTemplate("elsewhere", 0, 0, program(func(c *edt.Ctx) {
				opt.At = c.Bind(1)
				root(c, opt)
			})), nil)
		}
	}
	for name, test := range map[string]struct {
		cause error
		body  func(c *edt.Ctx)
	}{
		"adds": {edt.ErrNoScope, elsewhere(func(c *edt.Ctx, opt task.Opt) { outside.New(c, task.Nothing{}, opt) })},
		"adds nothing": {edt.ErrNoScope, elsewhere(func(c *edt.Ctx, opt task.Opt) {
			idle.New(c, task.Nothing{}, opt)
		})},
		"closure": {edt.ErrTemplate, func(c *edt.Ctx) { par.For(c, 0, 9, 4, noEvent, func(*edt.Ctx, int, int) {}) }},
	} {
		h := edttest.NewRanks(1, 2, edt.Config{Workers: 1})
		if err := h.Run(program(test.body)); !errors.Is(err, test.cause) {
			t.Errorf("%s: %v, want %v", name, err, test.cause)
		}
		h.Graph.Close()
	}
}

// The report of a panic in a body names its line, and that of a stuck run names the waiting EDTs by their parts.
func TestReports(t *testing.T) {
	for _, test := range []struct {
		body func(c *edt.Ctx)
		want []string
	}{
		{func(c *edt.Ctx) { number1.For(c, 10, 0, 30, 10, noEvent, task.Reserve[int](c, 25).From()) },
			[]string{"template test.number1 (indexes 20 to 29 by 10, params 10)", "(for_test.go:"}},
		{func(c *edt.Ctx) { number1.For(c, 10, 0, 30, 10, noEvent, task.Sticky[int](c).From()) },
			[]string{"template test.number1.split (indexes 0 to 29 by 10, params 10)", "edt: stuck"}},
		{func(c *edt.Ctx) {
			e := par.Future[int](c)
			twice.New(c, task.Nothing{}, e.From())
			par.Set(c, e, 1)
		}, []string{"slot 0 (Value int) taken already", "(misuse_test.go:"}},
		{func(c *edt.Ctx) { par.For(c, 0, 9, 4, noEvent, func(*edt.Ctx, int, int) { panic("on purpose") }) },
			[]string{"of template par.For", "on purpose (misuse_test.go:"}},
	} {
		testrun.Contains(t, fmt.Sprint(runtime.Run(t.Context(), program(test.body), runtime.Workers(1))), test.want...)
	}
}

// If an earlier loop has satisfied a loop's event, the error names the bodies of both.
func TestLoopsOfOneEvent(t *testing.T) {
	err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
		done := par.Future[task.Nothing](c)
		task.Go1(c, done.From(), func(*edt.Ctx, task.After) {})
		for range 2 {
			par.For(c, 0, 9, 1, done, func(*edt.Ctx, int, int) {})
		}
	}), runtime.Workers(1), runtime.TrackSites())
	testrun.Contains(t, fmt.Sprint(err), "whose body is at misuse_test.go:", "satisfied at misuse_test.go:")
}

// Faulty declarations end every run of their process, so each is tried in its own process.
var faulty = map[string]testrun.Faulty{
	"for":    {func() { par.DefineFor0[int]("fault", nil) }, "edt: declare fault: no body"},
	"reduce": {func() { par.DefineReduce[int]("fault", nil) }, "edt: declare fault: no body"},
	"params": {func() { par.DefineFor0("fault", func(*edt.Ctx, string, int, int) {}) },
		"edt: declare fault: not flat data: parameters par.part[string]: field Params: string is or holds a pointer"},
	"value": {func() { par.DefineReduce("fault", func(_, _ *[]int) {}) }, "[]int is or holds a pointer"},
}

func TestFaultyDeclarations(t *testing.T) {
	testrun.FaultyDeclarations(t, "TestFaultyDeclarations", "misuse_test.go", faulty, func() error {
		return runtime.Run(t.Context(), func(*edt.Ctx, edt.Args) guid.GUID { panic("the run began") })
	})
}
