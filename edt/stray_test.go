package edt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	goruntime "runtime"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// These tests use a Ctx on a goroutine of the program's own, or after its EDT has ended.

// stray makes a call on another goroutine, and returns what it panicked with. It sets f.line to the line before the one
// that starts the goroutine.
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
		said, _ := v.(error)
		testrun.Is(t, said, err, "the panic of the call, and the end of the run")
		if e := testrun.As[*edt.Error](t, err); !e.EDT.IsNull() || e.Template != "" {
			t.Errorf("%v blames EDT %v of template %q", err, e.EDT, e.Template)
		}
		testrun.Contains(t, err.Error(), fmt.Sprintf("(stray_test.go:%d)", line+1),
			fmt.Sprintf("started at stray_test.go:%d,", f.line+1))
	}
}

// TestUseAfterRun: no object of a run can be used after the run, and no call reaches the next run.
func TestUseAfterRun(t *testing.T) {
	var c *edt.Ctx
	var event, block, task guid.GUID
	testrun.OK(t, runtime.Run(context.Background(), body(func(ctx *edt.Ctx, _ edt.Args) {
		c = ctx
		event, block, task = c.NewEvent(edt.Sticky), c.NewBlockNoAcquire(8), open(c, 1, nothing)
		c.Shutdown()
	}), runtime.Workers(1)))
	calls := map[string]func(){
		"create EDT":        func() { c.NewEDT(registered, nil) },
		"create event":      func() { c.NewEvent(edt.Once) },
		"create data block": func() { c.NewBlock(8) },
		"satisfy":           func() { c.Satisfy(event, guid.Null) },
		"add dependence":    func() { c.AddDependence(event, task, 0, datablock.RW) },
		"destroy event":     func() { c.DestroyEvent(event) },
		"destroy EDT":       func() { c.DestroyEDT(task) },
		"release":           func() { c.Release(block) },
		"output":            func() { c.Output() },
		"bind":              func() { c.Bind(1 << 14) },
		"create template":   func() { c.NewTemplate("late", 0, 0, body(nothing)) },
	}
	const ended = "not the Ctx of the caller: it is that of a run that has ended"
	err := runtime.Run(context.Background(), body(func(next *edt.Ctx, _ edt.Args) {
		next.NewEvent(edt.Sticky)
		open(next, 1, nothing)
		for name, call := range calls {
			err, _ := stray(new(fault), call).(error)
			testrun.Contains(t, testrun.As[*edt.Error](t, err, "%s", name).Error(), ended)
		}
		next.Shutdown()
	}), runtime.Workers(1))
	testrun.OK(t, err, "the next run")
	calls["shutdown"] = func() { c.Shutdown() }
	for name, call := range calls {
		for _, checked := range [][]runtime.Option{nil, {runtime.Check()}} {
			var f fault
			err := runtime.Run(context.Background(), body(func(next *edt.Ctx, _ edt.Args) {
				f.edt = next.Self()
				call()
			}), append(checked, runtime.Workers(1))...)
			e := testrun.As[*edt.Error](t, err, "%s", name)
			if e.Cause != edt.ErrCtx || e.Op != name || e.EDT != f.edt || e.Template != "main" ||
				e.File != "stray_test.go" || e.Line == 0 {
				t.Errorf("%s by an EDT of the next run: %v", name, err)
			}
			testrun.Contains(t, err.Error(), ended)
		}
	}
}

// TestCtxOfAnotherGoroutine: a call on a goroutine of the program's own is found when it creates its first object, even
// if nothing else uses the Ctx at that moment.
func TestCtxOfAnotherGoroutine(t *testing.T) {
	needGoroutines(t)
	for name, call := range map[string]func(c *edt.Ctx){
		"create EDT":        func(c *edt.Ctx) { c.NewEDT(registered, nil) },
		"create event":      func(c *edt.Ctx) { c.NewEvent(edt.Once) },
		"create data block": func(c *edt.Ctx) { c.NewBlock(1 << 20) },
	} {
		var f fault
		var v any
		err := runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
			v = stray(&f, func() {
				for range 10_000 { // the cache may have some
					call(c)
				}
			})
		}), runtime.Workers(1))
		got, _ := v.(error)
		if e := testrun.As[*edt.Error](t, err); e.Cause != edt.ErrCtx || e.Op != name || !errors.Is(got, err) {
			t.Errorf("%s: the run ended with %v, the goroutine with %v", name, err, v)
		}
		testrun.Contains(t, fmt.Sprint(err), fmt.Sprintf("started at stray_test.go:%d,", f.line+1), "(stray_test.go:")
	}
}

func needGoroutines(t *testing.T) {
	if sys.Goroutine() == 0 {
		t.Skip("the runtime does not identify goroutines on this system")
	}
}

// TestCtxOfAnotherWorker: an EDT uses the Ctx of its creator, on another worker. The creator waits for it, because the
// misuse is a data race otherwise.
func TestCtxOfAnotherWorker(t *testing.T) {
	needGoroutines(t)
	var line, first int
	err := runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
		ended := make(chan bool)
		defer func() { <-ended }()
		first = c.Worker() // either worker may have taken main
		c.NewEDTAt(c.Bind(1-first), c.NewTemplate("other", 0, 0, body(func(*edt.Ctx, edt.Args) {
			defer close(ended)
			_, _, line, _ = goruntime.Caller(0)
			for range 10_000 {
				c.NewEvent(edt.Once)
			}
		})), nil)
	}), runtime.Workers(2))
	testrun.Is(t, err, edt.ErrCtx, "the end of the run")
	testrun.Contains(t, fmt.Sprint(err), fmt.Sprintf("(stray_test.go:%d)", line+2), fmt.Sprintf("create event: not the "+
		"Ctx of the caller: an EDT of another worker made the call, the Ctx is for EDTs of worker %d", first))
}

// TestCtxOfAnotherRun: each of two runs at the same time ends with an error.
func TestCtxOfAnotherRun(t *testing.T) {
	needGoroutines(t)
	given, used := make(chan *edt.Ctx), make(chan struct{})
	first := make(chan error)
	go func() {
		first <- runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
			given <- c
			<-used
		}), runtime.Workers(1))
	}()
	c := <-given
	misuse := body(func(*edt.Ctx, edt.Args) { c.Satisfy(guid.Null, guid.Null) })
	second := runtime.Run(context.Background(), misuse, runtime.Workers(1))
	close(used)
	for _, err := range []error{<-first, second} {
		testrun.Is(t, err, edt.ErrKind, "the end of a run")
		testrun.Contains(t, fmt.Sprint(err), "an EDT of another worker made the call", "stray_test.go:")
	}
	testrun.Contains(t, fmt.Sprint(second), "the Ctx is that of another run", "of template main")
}

// TestZeroCtx: a call through the zero Ctx, or on a zero or nil value, names the call.
func TestZeroCtx(t *testing.T) {
	var zero edt.Ctx
	var none *edt.Ctx
	const ofZero = ": not the Ctx of the caller: it is the zero Ctx; each body is given its own [EPERM] in EDT "
	const onZero = " was called on a nil or zero value, or given one: "
	for name, c := range map[string]struct {
		call func()
		want string
	}{
		"event, zero":   {func() { zero.NewEvent(edt.Once) }, "edt: create event" + ofZero},
		"EDT, zero":     {func() { zero.NewEDT(registered, nil) }, "edt: create EDT" + ofZero},
		"satisfy, zero": {func() { zero.Satisfy(guid.Null, guid.Null) }, "edt.Ctx.Satisfy" + onZero},
		"event, nil":    {func() { none.NewEvent(edt.Once) }, "edt.Ctx.NewEvent" + onZero},
		"Blocking, nil": {func() { (*edt.Blocking)(nil).Call(none, nil) }, "edt.Blocking.Call" + onZero},
	} {
		err := runtime.Run(context.Background(), body(func(*edt.Ctx, edt.Args) { c.call() }), runtime.Workers(1))
		testrun.Contains(t, fmt.Sprint(name, ": ", err), c.want, "(stray_test.go:", "of template main")
	}
}

// TestZeroExternal: a zero or nil External returns an error.
func TestZeroExternal(t *testing.T) {
	for _, x := range []*edt.External{nil, new(edt.External)} {
		x.Close()
		err := x.Signal()
		testrun.Is(t, err, edt.ErrClosed, "error")
		testrun.Contains(t, fmt.Sprint(err), "the External is nil or zero", "(stray_test.go:")
	}
}

// TestStrayMisuseIsPrinted: if the program does not recover the panic, the process ends with the message.
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
	testrun.OK(t, err)
	child := exec.Command(exe, "-test.run=^TestStrayMisuseIsPrinted$")
	child.Env = append(os.Environ(), inChild+"=1")
	out, err := child.CombinedOutput()
	if err == nil {
		t.Error("the process did not fail")
	}
	testrun.Contains(t, string(out), "panic: ", "edt: release: wrong kind of object: Null, need a data block",
		"started at stray_test.go:")
}
