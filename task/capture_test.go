package task_test

import (
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
)

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
		"no name": {func(c *edt.Ctx) { task.Func0(c, "", func(*edt.Ctx, int) {}) }, "needs a name", edt.ErrCount},
		"body":    {func(c *edt.Ctx) { task.Func0[int](c, "bad", nil) }, "no body: bad", edt.ErrNoBody},
		"no body": {func(c *edt.Ctx) { task.Go0(c, nil) }, "no body: task.Go", edt.ErrNoBody},
		"panic": {func(c *edt.Ctx) { task.Go0(c, func(*edt.Ctx) { panic("oops") }) },
			"of template task_test.TestCaptureRefuses.func", nil},
	} {
		t.Run(name, func(t *testing.T) {
			err := runtime.Run(t.Context(), task.Main(test.body), runtime.Workers(1))
			if testrun.Contains(t, fmt.Sprint(err), test.want, "(capture_test.go:"); test.is != nil {
				testrun.Is(t, err, test.is)
			}
		})
	}
}
