package runtime

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/graphtest"
	"ocr/internal/proof/testrun"
)

// How runs end: by shutdown, abort, panic, Goexit, misuse, or with EDTs that wait.

// TestAtEnd: each function given to AtEnd is called with the report of each run that began, and with the error of Run.
func TestAtEnd(t *testing.T) {
	var first, second Report
	var errs []error
	pool := newTestPoolThatStays(t, Workers(2), Into(&first), Options(AtEnd(func(_ Report, err error) {
		errs = append(errs, err)
	}), Into(&second)))
	for n, main := range []edt.Func{
		func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null },
		func(*edt.Ctx, edt.Args) guid.GUID { panic("ouch") },
	} {
		first, second = Report{}, Report{}
		err := pool.Run(t.Context(), main)
		if len(errs) != n+1 || errs[n] != err || (err != nil) != (n == 1) {
			t.Errorf("run %d: %v, told %v", n, err, errs)
		}
		if first.Workers != 2 || first.Counters.EDTRun != 1 || fmt.Sprint(first) != fmt.Sprint(second) {
			t.Errorf("run %d: facts %+v and %+v", n, first, second)
		}
		if first.Placement[0]++; second.Placement[0] == first.Placement[0] {
			t.Errorf("run %d: both have the same list", n)
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pool.Run(done, starting(func(*edt.Ctx) {
		t.Error("main ran")
	})); !errors.Is(err, context.Canceled) || len(errs) != 2 {
		t.Errorf("a run that did not begin: %v, told %v", err, errs)
	}
}

// TestRunsSideBySide: runs at the same time, each with its own workers, do not disturb each other.
func TestRunsSideBySide(t *testing.T) {
	var wg sync.WaitGroup
	for k := range 6 {
		wg.Go(func() {
			for j := range shortened(30) {
				p := graphtest.Generate(uint64(100*k+j), 30)
				testrun.Equal(t, "", differs(p, setup{opts: []Option{Workers(1 + k%3)}}), "plan %d", p.Seed)
				err := Run(context.Background(), starting(func(c *edt.Ctx) { c.Abort(uint8(1 + k)) }), Workers(2))
				if abort, ok := errors.AsType[*edt.AbortError](err); !ok || abort.Code != uint8(1+k) {
					t.Errorf("got %v, want an abort with code %d", err, 1+k)
				}
			}
		})
	}
	wg.Wait()
}

// TestRunInRun: a body may call Run, which makes workers of its own.
func TestRunInRun(t *testing.T) {
	var inner error
	mustRun(t, starting(func(*edt.Ctx) {
		inner = Run(context.Background(), starting(func(c *edt.Ctx) { c.Abort(3) }), Workers(1))
	}), Workers(2))
	testrun.As[*edt.AbortError](t, inner)
}

// TestGoexitOfDescribe: a body panics, and the function that describes its EDT ends the goroutine: the run fails.
func TestGoexitOfDescribe(t *testing.T) {
	_, err := runMain(t, starting(func(c *edt.Ctx) {
		c.NewEDT(body(c, func(*edt.Ctx) { panic("on purpose") }).Describe(func([]uint64, []datablock.Dep) string {
			goruntime.Goexit()
			return ""
		}), nil)
	}), Workers(2))
	if p := testrun.As[*edt.PanicError](t, err); p.Value != "on purpose" || p.Template != "body" {
		t.Errorf("got %v, want the panic of the body", err)
	}
}

// TestGoexit: if a body ends its goroutine by Goexit, as testing's FailNow does, the run fails, on whichever worker the
// body ran. The EDTs that run on other workers end first.
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
			p := testrun.As[*edt.PanicError](t, err, "%d workers, on %d", workers, on)
			if !strings.Contains(p.Error(), "Goexit") || p.Template != "body" || p.EDT.IsNull() {
				t.Errorf("%d workers, on %d: got %v, want an error that tells of Goexit", workers, on, err)
			}
			if ended != min(1, workers-1) || r.Counters.EDTRun != uint64(workers)+1 {
				t.Errorf("%d workers, on %d: %d EDTs were counted, and one of them ended %d times", workers, on, r.Counters.EDTRun,
					ended)
			}
		}
	}
	mustRun(t, starting(func(*edt.Ctx) {}), Workers(2)) // the next run is not disturbed
}

func TestCancelledBefore(t *testing.T) {
	cause := errors.New("a cause")
	withCause, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	expired, cancel2 := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel2()
	for _, tc := range []struct {
		ctx  context.Context
		want error
	}{{withCause, cause}, {expired, context.DeadlineExceeded}} {
		err := Run(tc.ctx, starting(func(*edt.Ctx) { t.Error("main ran") }))
		testrun.Is(t, err, tc.want)
	}
}

// endless is the template of an EDT that calls f and creates another EDT like itself, for ever.
func endless(c *edt.Ctx, f func(c *edt.Ctx)) *edt.Template {
	var t *edt.Template
	t = body(c, func(c *edt.Ctx) {
		f(c)
		c.NewEDT(t, nil)
	})
	return t
}

// TestShutdownBeatsCancel: if a run was shut down, Run returns nil, though its context is cancelled afterwards.
func TestShutdownBeatsCancel(t *testing.T) {
	for _, workers := range []int{1, 2} {
		ctx, cancel := context.WithCancel(context.Background())
		testrun.OK(t, Run(ctx, starting(func(c *edt.Ctx) {
			c.Shutdown()
			cancel()
		}), Workers(workers)))
		testrun.Is(t, Run(ctx, starting(func(*edt.Ctx) {})), edt.ECANCELED)
	}
}
