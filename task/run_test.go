package task_test

import (
	"context"
	"fmt"
	goruntime "runtime"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
)

// Runs of checked are in check mode, so objects that a run leaves behind are an error.
var checked = runtime.With(runtime.Workers(2), runtime.Check())

type result = task.Event[int]

// TestRunErrors: a run that fails returns the zero value, and one error. The error has the reason, and the line of the
// call or (own) of the body.
func TestRunErrors(t *testing.T) {
	for name, test := range map[string]struct {
		body func(c *edt.Ctx, out result)
		want string
		is   error
		own  bool // the error does not have the call's line
	}{
		"without a block": {func(c *edt.Ctx, out result) { out.Signal(c) },
			"task: the run has ended without a result: no block came to its event of int (run_test.go:",
			task.ErrNoResult, false},
		"an empty block": {func(c *edt.Ctx, out result) { out.Put(c) },
			"task: the run has ended without a result: an empty block came to its event of int (run_test.go:",
			task.ErrNoResult, false},
		"never": {func(*edt.Ctx, result) {},
			"task: the run has ended without a result: nothing was sent to out (run_test.go:", task.ErrNoResult, false},
		"never, and what waits": {func(*edt.Ctx, result) {}, "slot 0 (RO int): once event", task.ErrNoResult, false},
		"never, as another waits": {func(c *edt.Ctx, out result) {
			task.Go1(c, task.Sticky[int](c).From(), func(c *edt.Ctx, b task.RW[int]) { b.SendTo(c, out) })
		}, "nothing was sent to out (run_test.go:", task.ErrNoResult, false},
		"sent, and another waits": {func(c *edt.Ctx, out result) {
			out.Put(c, 1)
			task.Go1(c, task.Sticky[int](c).From(), func(c *edt.Ctx, b task.RW[int]) {})
		}, "edt: stuck: 1 EDT(s) wait", nil, true},
		"no body": {nil, "edt: run: no body: the body is nil [EINVAL] (run_test.go:", edt.ErrNoBody, false},
		"twice":   {func(c *edt.Ctx, out result) { out.Put(c, 1); out.Put(c, 2) }, "edt: satisfy event", edt.ErrStale, true},
		"panic":   {func(c *edt.Ctx, out result) { out.Put(c, 1); panic("late") }, "late", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, line, _ := goruntime.Caller(0)
			got, err := task.Run(t.Context(), checked, test.body)
			testrun.Equal(t, 0, got, "the result")
			testrun.Contains(t, fmt.Sprint(err), test.want)
			if call := fmt.Sprintf("run_test.go:%d", line+1); strings.Contains(fmt.Sprint(err), call) == test.own {
				t.Errorf("%v\nthe call is at %s", err, call)
			}
			if test.is != nil {
				testrun.Is(t, err, test.is)
			}
		})
	}
}

// TestRunIsTheFirst: Run returns a copy of the first element of a longer block.
func TestRunIsTheFirst(t *testing.T) {
	got, err := task.Run(t.Context(), checked, func(c *edt.Ctx, out result) { out.Put(c, 1, 2) })
	if got != 1 || err != nil {
		t.Errorf("%d, %v, want 1", got, err)
	}
}

// TestRunAllOfNothing: an empty block is a result.
func TestRunAllOfNothing(t *testing.T) {
	for name, put := range map[string]func(c *edt.Ctx, out result){
		"put":     func(c *edt.Ctx, out result) { out.Put(c) },
		"make":    func(c *edt.Ctx, out result) { b, _ := task.Make[int](c, 0); out.Send(c, b) },
		"reserve": func(c *edt.Ctx, out result) { out.Pass(c, task.Reserve[int](c, 0)) },
		"of":      func(c *edt.Ctx, out result) { out.Send(c, task.Of[int](c)) },
		"blocking": func(c *edt.Ctx, out result) {
			found := task.Blocking(c, edt.NewBlocking(1), func(context.Context) ([]int, error) { return nil, nil })
			task.Go1(c, found.From(), func(c *edt.Ctx, b task.RW[int]) { b.SendTo(c, out) })
		},
	} {
		got, err := task.RunAll(t.Context(), checked, put)
		if len(got) != 0 || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestRunAfterShutdown(t *testing.T) {
	_, err := task.Run(t.Context(), runtime.With(), func(c *edt.Ctx, _ result) { c.Shutdown() })
	testrun.Is(t, err, task.ErrNoResult)
}

// TestRunOfDestroyedResult: the program destroys the block of its result: the error names the line of the call.
func TestRunOfDestroyedResult(t *testing.T) {
	_, _, line, _ := goruntime.Caller(0)
	_, err := task.Run(t.Context(), runtime.With(runtime.Workers(1)), func(c *edt.Ctx, out result) {
		b := task.Of(c, 1)
		out.Send(c, b)
		b.Destroy(c)
	})
	testrun.Fails(t, err, fmt.Sprintf("of template task.Run (run_test.go:%d)", line+1))
}

func TestRunRefuses(t *testing.T) {
	_, err := task.RunAll(t.Context(), checked, func(*edt.Ctx, task.Event[pointing]) { t.Error("it runs") })
	testrun.Is(t, err, edt.ErrPointer)
	testrun.Contains(t, fmt.Sprint(err), "a result of task.Headed[int,string]: field _: string", "(run_test.go:")
	_, err = task.Run(t.Context(), checked, func(*edt.Ctx, task.Event[task.Nothing]) {})
	testrun.Fails(t, err, "edt: run: size out of range: a result of task.Nothing: an element has no bytes")
	_, err = task.Run(t.Context(), nil, func(*edt.Ctx, result) {})
	testrun.Fails(t, err, "the runner is nil, need a pool or runtime.With()")
}

// TestCapture: tasks of closures leave nothing behind in check mode, although two have one name. Their EDTs can
// call Again and have options and open slots.
func TestCapture(t *testing.T) {
	for range 3 {
		var steps []int
		got, err := task.Run(t.Context(), checked, func(c *edt.Ctx, out result) {
			var step *task.Task1[int, task.RW[int], int]
			step = task.Func1(c, "step", func(c *edt.Ctx, n int, x task.RW[int]) {
				steps = append(steps, n)
				if x.Slice()[0] += n; n > 1 {
					step.Again(c, n-1, task.Source[int]{})
					return
				}
				x.SendTo(c, out)
			})
			step.NewOpen(c, 4).Slot0().Send(c, task.Of(c, 100))
			task.Func0(c, "step", func(*edt.Ctx, int) {}).New(c, 1, task.Opt{Finish: true})
		})
		if got != 110 || err != nil || len(steps) != 4 {
			t.Errorf("%d, %v after steps %v; want 110", got, err, steps)
		}
	}
}

// TestCaptureRefuses: the call refuses, with its line, what a declaration refuses before the run.
func TestCaptureRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		body func(c *edt.Ctx)
		want string
		is   error
	}{
		"parameters": {func(c *edt.Ctx) { task.Func0(c, "bad", func(*edt.Ctx, string) {}) },
			"bad: parameters string", edt.ErrPointer},
		"elements": {func(c *edt.Ctx) { task.Func1(c, "bad", func(*edt.Ctx, int, task.RO[pointing]) {}) },
			"bad: slot 0, RO task.Headed[int,string]", edt.ErrPointer},
		"slot": {func(c *edt.Ctx) { task.Func1(c, "bad", func(*edt.Ctx, int, *task.RW[int]) {}) },
			"int: a slot type has one field alone", edt.ErrKind},
		"no name": {func(c *edt.Ctx) { task.Func0(c, "", func(*edt.Ctx, int) {}) }, "needs a name", edt.ErrCount},
		"body":    {func(c *edt.Ctx) { task.Func0[int](c, "bad", nil) }, "no body: bad", edt.ErrNoBody},
		"no body": {func(c *edt.Ctx) { task.Go0(c, nil) }, "no body: task.Go", edt.ErrNoBody},
		"panic": {func(c *edt.Ctx) { task.Go0(c, func(*edt.Ctx) { panic("oops") }) },
			"of template task_test.TestCaptureRefuses.func", nil},
	} {
		t.Run(name, func(t *testing.T) {
			err := runtime.Run(t.Context(), task.Main(test.body), runtime.Workers(1))
			if testrun.Contains(t, fmt.Sprint(err), test.want, "(run_test.go:"); test.is != nil {
				testrun.Is(t, err, test.is)
			}
		})
	}
}
