package edt_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	goruntime "runtime"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/testrun"
	"ocr/runtime"
)

// A Ctx that is used on a goroutine of the program's own, or after its EDT.

// stray makes a call on another goroutine, and returns what it panicked with. f is told
// where the goroutine is started.
func stray(f *fault, call func()) (v any) {
	ended := make(chan bool)
	_, _, f.line, _ = goruntime.Caller(0)
	go func() {
		defer close(ended)
		defer func() { v = recover() }()
		call()
	}()
	<-ended
	return v
}

// checkStray checks the error of a stray call that was made in this file.
func checkStray(t *testing.T, f *fault, v any, line int) {
	t.Helper()
	err, _ := v.(error)
	var e *edt.Error
	if !errors.As(err, &e) {
		t.Fatalf("the call panicked with %v, want an Error", v)
	}
	if !e.EDT.IsNull() || e.Template != "" {
		t.Errorf("%v blames EDT %v of template %q", err, e.EDT, e.Template)
	}
	testrun.Contains(t, err.Error(), fmt.Sprintf("(stray_test.go:%d)", line), fmt.Sprintf("started at stray_test.go:%d,", f.line+1))
}

func TestStrayMisuse(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var f fault
		var line int
		var v any
		err := runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
			v = stray(&f, func() {
				_, _, line, _ = goruntime.Caller(0)
				c.Satisfy(guid.Null, guid.Null)
			})
		}), runtime.Workers(workers))
		checkStray(t, &f, v, line+1)
		if e := new(edt.Error); !errors.As(err, &e) || !errors.Is(v.(error), err) {
			t.Errorf("the run ended with %v, want the error of the call", err)
		}
	}
}

// TestLateMisuse: the EDT that was given the Ctx has ended, and another one runs.
func TestLateMisuse(t *testing.T) {
	var f fault
	var line int
	var v any
	err := runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
		old := c
		launch(c, func(*edt.Ctx, edt.Args) {
			v = stray(&f, func() {
				_, _, line, _ = goruntime.Caller(0)
				old.Release(guid.Null)
			})
		})
	}), runtime.Workers(1))
	checkStray(t, &f, v, line+1)
	if !errors.Is(err, edt.ErrKind) {
		t.Errorf("the run ended with %v", err)
	}
}

// TestUseAfterRun: nothing of a run can be used when it has ended, nor does it reach into
// the next one.
func TestUseAfterRun(t *testing.T) {
	var c *edt.Ctx
	var event, block, task guid.GUID
	if err := runtime.Run(context.Background(), body(func(ctx *edt.Ctx, _ edt.Args) {
		c = ctx
		event, block, task = c.NewEvent(edt.Sticky), c.NewBlockNoAcquire(8), open(c, 1, nothing)
		c.Shutdown()
	}), runtime.Workers(1)); err != nil {
		t.Fatal(err)
	}
	err := runtime.Run(context.Background(), body(func(next *edt.Ctx, _ edt.Args) {
		next.NewEvent(edt.Sticky)
		open(next, 1, nothing)
		for name, call := range map[string]func(){
			"create EDT":     func() { c.NewEDT(registered, nil) },
			"create event":   func() { c.NewEvent(edt.Once) },
			"create block":   func() { c.NewBlock(8) },
			"satisfy":        func() { c.Satisfy(event, guid.Null) },
			"add dependence": func() { c.AddDependence(event, task, 0, datablock.RW) },
			"destroy event":  func() { c.DestroyEvent(event) },
			"destroy EDT":    func() { c.DestroyEDT(task) },
			"destroy block":  func() { c.DestroyBlock(block) },
			"release":        func() { c.Release(block) },
			"output":         func() { c.Output() },
			"worker":         func() { c.Bind(1 << 14) },
		} {
			err, _ := stray(new(fault), call).(error)
			if e := new(edt.Error); !errors.As(err, &e) || !strings.Contains(err.Error(), "after the run had ended") {
				t.Errorf("%s: %v, want an error that says that the run has ended", name, err)
			}
		}
		next.Shutdown()
	}), runtime.Workers(1))
	if err != nil {
		t.Errorf("the next run: %v", err)
	}
}

// TestOutputAfterTheEDT: there is no EDT whose output could be told.
func TestOutputAfterTheEDT(t *testing.T) {
	var c *edt.Ctx
	observe := func(w *edt.Worker) edt.Observer {
		c = w.Ctx()
		return &lateOutput{ctx: c}
	}
	err := runtime.Run(context.Background(), body(nothing), runtime.Workers(1), runtime.Observe(observe))
	if !errors.Is(err, edt.ErrNoEDT) || c == nil {
		t.Errorf("run: %v, want ErrNoEDT", err)
	}
}

// A lateOutput asks for the output of an EDT that has ended.
type lateOutput struct {
	edt.NopObserver
	ctx *edt.Ctx
}

func (o *lateOutput) EDTEnded(guid.GUID) { o.ctx.Output() }

// A body that goes through an iterator is on a goroutine of Go's own, but in its EDT.
func TestMisuseInPulledIterator(t *testing.T) {
	checkMisuses(t, []misuse{{"pulled", "release", edt.ErrKind, func(c *edt.Ctx, f *fault) {
		next, stop := iter.Pull(func(yield func(int) bool) {
			f.at(c, guid.Null, func() { c.Release(guid.Null) })
		})
		defer stop()
		next()
	}}})
}

// A misuse far down in a recursion is still the EDT's.
func TestMisuseDeepInABody(t *testing.T) {
	checkMisuses(t, []misuse{{"deep", "release", edt.ErrKind, func(c *edt.Ctx, f *fault) {
		var down func(n int)
		down = func(n int) {
			if n > 0 {
				down(n - 1)
				return
			}
			f.at(c, guid.Null, func() { c.Release(guid.Null) })
		}
		down(5000)
	}}})
}

// TestStrayMisuseIsPrinted: if nobody recovers, the process ends with the message.
func TestStrayMisuseIsPrinted(t *testing.T) {
	const inChild = "OCR_TEST_STRAY"
	if os.Getenv(inChild) != "" {
		_ = runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
			go c.Release(guid.Null)
			select {}
		}), runtime.Workers(2))
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(exe, "-test.run=^TestStrayMisuseIsPrinted$")
	child.Env = append(os.Environ(), inChild+"=1")
	out, err := child.CombinedOutput()
	if err == nil {
		t.Error("the process did not fail")
	}
	testrun.Contains(t, string(out), "panic: ", "edt: release: wrong kind of object: Null, need a data block", "started at stray_test.go:")
}
