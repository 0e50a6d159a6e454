package runtime

import (
	"context"
	goruntime "runtime"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// A panickyObserver panics when its worker parks or wakes up, if the flag of that call is set.
type panickyObserver struct {
	edt.NopObserver
	parked, woke *atomic.Bool
}

func (o panickyObserver) WorkerParked() { panicOnce(o.parked) }
func (o panickyObserver) WorkerWoke()   { panicOnce(o.woke) }

func panicOnce(should *atomic.Bool) {
	if should.CompareAndSwap(true, false) {
		panic("on purpose")
	}
}

// wakesAnother runs an EDT that ends only when a second EDT has run beside it, on a worker that was parked.
func wakesAnother(t *testing.T, p *Pool, q *pool) {
	t.Helper()
	seen := false
	err := p.Run(context.Background(), starting(func(c *edt.Ctx) {
		until(func() bool { return q.parkedNow() == len(q.workers)-1 })
		var ran atomic.Bool
		c.NewEDT(body(c, func(*edt.Ctx) { ran.Store(true) }), nil)
		limit := time.Now().Add(20 * time.Second)
		until(func() bool { seen = ran.Load(); return seen || time.Now().After(limit) })
	}))
	if err != nil || !seen {
		t.Errorf("the run afterwards: %v; an EDT ran beside another: %v", err, seen)
	}
	testrun.Equal(t, 0, q.spinning.Load(), "workers that count as spinning after the run")
}

// TestMailThatFailsLeavesThePoolAsItWas: a letter that fails ends the run, while the worker that handles it counts as
// spinning.
func TestMailThatFailsLeavesThePoolAsItWas(t *testing.T) {
	var inside atomic.Pointer[pool]
	p := newTestPoolThatStays(t, Workers(2), Memory(64<<10), poolOf(&inside))
	err := p.Run(context.Background(), starting(func(c *edt.Ctx) {
		event, x := c.NewExternal(1)
		c.NewEDT(body1(c, func(*edt.Ctx) {}), nil, edt.From(event, datablock.RO))
		go func() {
			untilParked(&inside)
			_ = x.Satisfy(make([]byte, 1<<20))
		}()
	}))
	testrun.Is(t, err, edt.ErrMemory)
	wakesAnother(t, p, inside.Load())
}

// TestObserverThatPanicsLeavesThePoolAsItWas: an observer panics as its worker parks, and as it wakes up.
func TestObserverThatPanicsLeavesThePoolAsItWas(t *testing.T) {
	for _, at := range []string{"parked", "woke"} {
		var inside atomic.Pointer[pool]
		var parked, woke atomic.Bool
		p := newTestPoolThatStays(t, Workers(2), poolOf(&inside), Observe(func(*edt.Worker) edt.Observer {
			return panickyObserver{parked: &parked, woke: &woke}
		}))
		parked.Store(at == "parked")
		woke.Store(at == "woke")
		err := p.Run(context.Background(), starting(func(c *edt.Ctx) {
			_, x := c.NewExternal(1)
			go func() {
				untilParked(&inside)
				_ = x.Signal()
			}()
		}))
		testrun.As[*edt.PanicError](t, err, "%s", at)
		wakesAnother(t, p, inside.Load())
		untilParked(&inside)
		testrun.Equal(t, 2, inside.Load().parkedNow(), "%s: workers that count as parked", at)
	}
}

// TestCallbacksThatDoNotReturn: a function that Run calls on the caller's goroutine panics, or ends this goroutine.
// Then the function Run leaves no worker, and a Pool can run again.
func TestCallbacksThatDoNotReturn(t *testing.T) {
	for how, leave := range map[string]func(){"panic": func() { panic("on purpose") }, "Goexit": goruntime.Goexit} {
		for _, where := range []string{"AtEnd", "Observe"} {
			at := ""
			call := func(place string) {
				if at == place {
					leave()
				}
			}
			opts := Options(Workers(2), AtEnd(func(Report, error) { call("AtEnd") }),
				Observe(func(*edt.Worker) edt.Observer { call("Observe"); return nil }))
			p := newTestPoolThatStays(t, opts)
			before := goleak.IgnoreCurrent()
			for _, run := range []func(context.Context, edt.Func) error{With(opts).Run, p.Run} {
				at = where
				ended := make(chan bool)
				go func() {
					defer close(ended)
					defer func() { _ = recover() }()
					_ = run(context.Background(), threeMain)
					t.Errorf("%s by %s: Run returned", where, how)
				}()
				<-ended
				at = ""
				testrun.OK(t, goleak.Find(before), "%s by %s", where, how)
			}
			testrun.OK(t, p.Run(context.Background(), threeMain), "%s by %s: the next run", where, how)
		}
	}
}
