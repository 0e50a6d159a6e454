package runtime

import (
	"errors"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"

	"ocr/edt"
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
