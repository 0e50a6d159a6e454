package runtime

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// How runs end: by shutdown, abort, panic, Goexit, misuse, or with EDTs waiting.

func TestEmptyMain(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		r := mustRun(t, starting(func(*edt.Ctx) {}), Workers(workers))
		if want := (edt.Counters{EDTRun: 1}); r.Counters.Counters != want {
			t.Errorf("counters %+v, want %+v", r.Counters.Counters, want)
		}
	}
}

func TestArgv(t *testing.T) {
	var got []string
	mustRun(t, func(c *edt.Ctx, in edt.Args) guid.GUID {
		got = edt.Argv(in.Dep(0))
		return guid.Null
	}, Argv("prog", "", "two words"))
	if fmt.Sprintf("%q", got) != `["prog" "" "two words"]` {
		t.Errorf("argv %q", got)
	}
}

// TestShutdownLeavesReadyEDTs: after a shutdown workers end, though EDTs are ready.
func TestShutdownLeavesReadyEDTs(t *testing.T) {
	const ready = 500
	for _, workers := range []int{1, 3} {
		var ran atomic.Int64
		r := mustRun(t, starting(func(c *edt.Ctx) {
			count := body(c, func(*edt.Ctx) { ran.Add(1) })
			c.Shutdown()
			for k := range ready {
				c.NewEDTAt(c.Bind(k%c.Workers()), count, nil)
			}
		}), Workers(workers))
		if workers == 1 && ran.Load() != 0 {
			t.Errorf("one worker ran %d EDTs after the shutdown", ran.Load())
		}
		if got := r.Counters.EDTRun; got != uint64(ran.Load())+1 {
			t.Errorf("EDTRun is %d, %d ran", got, ran.Load()+1)
		}
	}
}

// TestShutdownWaitsForRunningEDTs: Run returns after the EDTs that run have ended,
// and counts what they did to their end.
func TestShutdownWaitsForRunningEDTs(t *testing.T) {
	started, stop := make(chan bool), make(chan bool)
	finished := false
	r := mustRun(t, starting(func(c *edt.Ctx) {
		c.NewEDTAt(c.Bind(1), body(c, func(c *edt.Ctx) {
			close(started)
			<-stop
			for range 1000 {
				goruntime.Gosched()
			}
			c.NewEvent(edt.Sticky)
			finished = true
		}), nil)
		c.NewEDTAt(c.Bind(0), body(c, func(c *edt.Ctx) {
			<-started
			c.Shutdown()
			close(stop)
		}), nil)
	}), Workers(2))
	if !finished || r.Counters.EventCreated != 1 {
		t.Errorf("the EDT that ran had ended: %v, and had created %d events", finished, r.Counters.EventCreated)
	}
}

// TestShutdownForgetsWaitingEDTs: EDTs that are not ready are no error then.
func TestShutdownForgetsWaitingEDTs(t *testing.T) {
	mustRun(t, starting(func(c *edt.Ctx) {
		c.NewEDT(c.NewTemplate("waits", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID {
			t.Error("an EDT ran whose slot was not satisfied")
			return guid.Null
		}), nil)
		c.Shutdown()
	}), Workers(2))
}

func TestAbort(t *testing.T) {
	for _, worker := range []int{0, 1, 2} {
		_, err := runMain(t, starting(func(c *edt.Ctx) {
			c.NewEDTAt(c.Bind(worker), body(c, func(c *edt.Ctx) { c.Abort(42) }), nil)
		}), Workers(3))
		var abort *edt.AbortError
		if !errors.As(err, &abort) || abort.Code != 42 || abort.Template != "body" || abort.EDT.IsNull() {
			t.Errorf("worker %d: got %v, want an abort with code 42", worker, err)
		}
	}
	if _, err := runMain(t, starting(func(c *edt.Ctx) { c.Abort(0) })); err != nil {
		t.Errorf("abort with code 0: %v", err)
	}
}

// TestFirstEndCounts: of a shutdown and an abort the first says how the run ended.
func TestFirstEndCounts(t *testing.T) {
	_, err := runMain(t, starting(func(c *edt.Ctx) {
		c.Shutdown()
		c.Abort(7)
	}), Workers(2))
	if err != nil {
		t.Errorf("shutdown, then abort: %v", err)
	}
}

func TestPanicOnEachWorker(t *testing.T) {
	cause := errors.New("a cause")
	for worker := range 3 {
		for _, value := range []any{"broken", cause, 17} {
			_, err := runMain(t, starting(func(c *edt.Ctx) {
				c.NewEDTAt(c.Bind(worker), c.NewTemplate("breaks", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID {
					panic(value)
				}), nil)
			}), Workers(3))
			var p *edt.PanicError
			if !errors.As(err, &p) || p.Value != value || p.Template != "breaks" || p.EDT.IsNull() {
				t.Fatalf("worker %d: got %v, want the panic of template breaks with %v", worker, err, value)
			}
			if !strings.Contains(string(p.Stack), "TestPanicOnEachWorker") {
				t.Errorf("the stack does not show the body:\n%s", p.Stack)
			}
			if errors.Is(err, cause) != (value == any(cause)) {
				t.Errorf("errors.Is(%v, cause) is wrong", err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err.Error())
			}
		}
	}
}

// TestPanicNil: panic(nil) and a nil pointer are panics like others.
func TestPanicNil(t *testing.T) {
	for name, f := range map[string]func(){
		"nil":     func() { panic(nil) },
		"pointer": func() { var p *int; *p = 1 },
	} {
		_, err := runMain(t, starting(func(*edt.Ctx) { f() }), Workers(2))
		var p *edt.PanicError
		var re goruntime.Error
		if !errors.As(err, &p) || !errors.As(err, &re) {
			t.Errorf("%s: got %v, want a panic with a run-time error", name, err)
		}
	}
}

// TestGoexit: a body that leaves by Goexit, as testing's FailNow does, fails the run on
// every worker, after the EDTs that run there have ended.
func TestGoexit(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for on := range workers {
			ended := 0
			r, err := runMain(t, starting(func(c *edt.Ctx) {
				started, exited := make(chan bool), make(chan bool)
				for w := range workers {
					if w == on {
						continue
					}
					c.NewEDTAt(c.Bind(w), body(c, func(c *edt.Ctx) {
						started <- true
						<-exited
						if w == (on+1)%workers {
							ended++
						}
					}), nil)
				}
				c.NewEDTAt(c.Bind(on), body(c, func(*edt.Ctx) {
					for range workers - 1 {
						<-started
					}
					defer close(exited)
					goruntime.Goexit()
				}), nil)
			}), Workers(workers))
			var p *edt.PanicError
			if !errors.As(err, &p) || !strings.Contains(err.Error(), "Goexit") || p.Template != "body" || p.EDT.IsNull() {
				t.Errorf("%d workers, on %d: got %v, want an error that tells of Goexit", workers, on, err)
			}
			if ended != min(1, workers-1) || r.Counters.EDTRun != uint64(workers)+1 {
				t.Errorf("%d workers, on %d: %d EDTs were counted, and one of them ended %d times", workers, on, r.Counters.EDTRun,
					ended)
			}
		}
	}
	mustRun(t, starting(func(*edt.Ctx) {}), Workers(2)) // and nothing is broken
}

// TestCallerOnlyWaits: no EDT runs on the goroutine or, where that is locked, on the
// thread of the caller.
func TestCallerOnlyWaits(t *testing.T) {
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	own := sys.ThreadID()
	for _, workers := range []int{1, 2} {
		mustRun(t, starting(func(c *edt.Ctx) {
			for w := range workers {
				c.NewEDTAt(c.Bind(w), body(c, func(*edt.Ctx) {
					if sys.ThreadID() == own {
						t.Error("an EDT runs on the caller's thread")
					}
				}), nil)
			}
		}), Workers(workers))
	}
}

func TestMisuseInMain(t *testing.T) {
	_, err := runMain(t, starting(func(c *edt.Ctx) { c.Release(guid.Null) }))
	var e *edt.Error
	if !errors.As(err, &e) || e.Template != "main" {
		t.Errorf("got %v, want a misuse of main", err)
	}
}

// TestMisuseAtFinish: at the end of a scope no EDT runs; that it ends with an error
// is found by a worker that has nothing to do.
func TestMisuseAtFinish(t *testing.T) {
	for _, workers := range []int{1, 2} {
		_, err := runMain(t, starting(func(c *edt.Ctx) {
			out := c.NewEvent(edt.Sticky)
			c.Spawn(body(c, func(c *edt.Ctx) { c.DestroyEvent(out) }), &edt.Spec{Finish: true, OutputEvent: out})
		}), Workers(workers))
		if !errors.Is(err, edt.ErrStale) {
			t.Errorf("workers %d: got %v, want ErrStale from the end of the scope", workers, err)
		}
	}
}

// TestNoRoomForArguments: main's argument block is a block like others.
func TestNoRoomForArguments(t *testing.T) {
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("Run panicked with %T: %v", v, v)
		}
	}()
	if _, err := runMain(t, starting(func(*edt.Ctx) {}), Memory(1)); !errors.Is(err, edt.ErrMemory) {
		t.Errorf("got %v, want ErrMemory", err)
	}
}

func TestOutOfMemory(t *testing.T) {
	_, err := runMain(t, starting(func(c *edt.Ctx) {
		c.NewBlock(1 << 20)
		c.NewBlock(1 << 20)
	}), Memory(2<<20))
	if !errors.Is(err, edt.ErrMemory) {
		t.Errorf("got %v, want ErrMemory", err)
	}
}

// TestStuckMany: with very many EDTs stuck the report stays short.
func TestStuckMany(t *testing.T) {
	_, err := runMain(t, starting(func(c *edt.Ctx) {
		waits := c.NewTemplate("waits", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
		for range 5000 {
			c.NewEDT(waits, nil)
		}
	}), Workers(2))
	var stuck *edt.StuckError
	if !errors.As(err, &stuck) || stuck.Count != 5000 || len(stuck.Waiting) > 1000 {
		t.Errorf("got %d of %d", len(stuck.Waiting), stuck.Count)
	}
}
