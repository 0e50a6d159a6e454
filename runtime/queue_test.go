package runtime

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

// inQueue waits until n calls of a pool wait for their turn.
func inQueue(p *Pool, n int) { until(func() bool { return len(p.queue.waiting()) == n }) }

// TestFirstComeFirstServed: calls get their turn in the order in which they were made, even if some give up. A report
// of the run that is on has their lines.
func TestFirstComeFirstServed(t *testing.T) {
	var told Stall
	p := newTestPoolThatStays(t, Workers(2), asked(func(s Stall) { told = s }))
	var order []int
	var all sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := p.Run(context.Background(), starting(func(*edt.Ctx) {
		for k := range 9 {
			all.Go(func() {
				if k%3 == 0 { // the first too: it gives up while it is the next
					testrun.Is(t, p.Run(ctx, threeMain), context.Canceled, "call %d", k)
				} else {
					testrun.Equal(t, nil, p.Run(context.Background(), starting(func(*edt.Ctx) { order = append(order, k) })))
				}
			})
			inQueue(p, k+1)
		}
		testrun.Equal(t, 1, ReportRuns(), "runs that report")
		testrun.Contains(t, told.String(), "for the end of the run wait: queue_test.go:")
		testrun.Equal(t, 9, len(told.Waiting), "calls that wait")
		cancel()
		inQueue(p, 6)
	}))
	all.Wait()
	if want := []int{1, 2, 4, 5, 7, 8}; err != nil || !slices.Equal(order, want) {
		t.Errorf("%v, order %v, want %v", err, order, want)
	}
}

// TestGivingUpWithTheTurn: a call that gives up when it has just got its turn passes the turn on.
func TestGivingUpWithTheTurn(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(1))
	q, c := &p.queue, &call{turn: make(chan struct{})}
	q.join(c)
	behind := make(chan error)
	go func() { behind <- p.Run(context.Background(), threeMain) }()
	inQueue(p, 1)
	q.leave(c)
	if err := <-behind; err != nil || len(q.calls) != 0 {
		t.Errorf("%v, %d calls", err, len(q.calls))
	}
}

// TestWaitIsReported: the report has the lines of the waiting call and of the run it waits for. Run and Close in Report
// are refused. If Report panics or ends its goroutine, the waiting call leaves the queue.
func TestWaitIsReported(t *testing.T) {
	for _, end := range []func(){func() {}, func() { panic("on purpose") }, goruntime.Goexit} {
		waits := make(chan string, 1)
		var p *Pool
		report := func(s Stall) {
			if s.Line != "" && s.Snapshot == nil {
				waits <- fmt.Sprint(p.Run(context.Background(), threeMain), p.Close(), s)
				end()
			}
		}
		p = newTestPoolThatStays(t, Workers(2), Watchdog(Watch{Still: 5 * time.Millisecond, Report: report}))
		var second sync.WaitGroup
		err := p.Run(context.Background(), starting(func(*edt.Ctx) {
			second.Go(func() {
				defer func() { recover() }()
				testrun.Equal(t, nil, p.Run(context.Background(), threeMain))
			})
			testrun.Contains(t, <-waits, "run on a pool: called by a report of the pool",
				"close on a pool: called by a report of the pool", "a call has waited ",
				" for the run of queue_test.go:", ", which has had its turn for ", "\nfor the end of the run wait: queue_test.go:")
		}))
		second.Wait()
		if again := p.Run(context.Background(), threeMain); err != nil || again != nil {
			t.Error(err, again)
		}
	}
}

// TestPoolClosedWithAQueue: Close gets its turn after earlier calls. Later calls are refused with the line of Close.
func TestPoolClosedWithAQueue(t *testing.T) {
	p, err := New(Workers(2))
	testrun.OK(t, err)
	var before, closed error
	late := make([]error, 3)
	var all sync.WaitGroup
	err = p.Run(context.Background(), starting(func(*edt.Ctx) {
		all.Go(func() { before = p.Run(context.Background(), threeMain) })
		inQueue(p, 1)
		all.Go(func() { closed = p.Close() })
		inQueue(p, 2)
		for k := range late {
			all.Go(func() { late[k] = p.Run(context.Background(), threeMain) })
		}
		inQueue(p, 5)
	}))
	all.Wait()
	if err != nil || before != nil || closed != nil {
		t.Error(err, before, closed)
	}
	for _, err := range late {
		testrun.Fails(t, err, "run on a pool: it was closed at queue_test.go:")
	}
}

// Two runs at the same time need two pools.
func ExamplePool() {
	var met, both sync.WaitGroup
	met.Add(2)
	for range 2 {
		pool, err := New(Workers(1))
		if err != nil {
			fmt.Println(err)
			return
		}
		defer pool.Close()
		both.Go(func() {
			_ = pool.Run(context.Background(), starting(func(*edt.Ctx) { met.Done(); met.Wait() }))
		})
	}
	both.Wait()
	fmt.Println("both have met")
	// Output: both have met
}

// TestManyRunsEndInTheirOwnWay makes many calls at the same time, whose runs end by faults. Each call returns its own
// error.
func TestManyRunsEndInTheirOwnWay(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(3), Spin(0), Memory(64<<20))
	var all sync.WaitGroup
	for k := range 200 {
		all.Go(func() {
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			f := faults[k%len(faults)]
			err := p.Run(ctx, starting(func(c *edt.Ctx) {
				for n := range 10 {
					c.NewEDTAt(c.Bind(n%c.Workers()), body(c, func(*edt.Ctx) {}), nil)
				}
				f.strike(c, cancel)
			}))
			if !f.mayEnd(err) {
				t.Errorf("run %d, %s: %v", k, f.name, err)
			}
		})
	}
	all.Wait()
	testrun.Equal(t, 0, len(p.queue.calls), "calls in the queue")
}

// TestReportOfAWaitWaitsForNothing: the goroutine that reports a waiting call cannot wait in the same queue, even by
// another pool.
func TestReportOfAWaitWaitsForNothing(t *testing.T) {
	var job queue // of two pools over ranks
	refused := make(chan string, 1)
	first := newTestPoolThatStays(t, Workers(1))
	next := newTestPoolThatStays(t, Workers(1), Watchdog(Watch{Still: time.Millisecond, Report: func(Stall) {
		refused <- job.whyInside()
	}}))
	leave, err := job.enter(t.Context(), first, callerPCs())
	testrun.OK(t, err)
	got := make(chan error)
	go func() {
		leave, err := job.enter(t.Context(), next, callerPCs())
		leave()
		got <- err
	}()
	testrun.Equal(t, insideReport, <-refused)
	testrun.Equal(t, "", job.whyInside(), "outside the report")
	leave()
	testrun.OK(t, <-got)
}

// TestPoolFromInside: if the run on the pool waits for the caller, Run and Close return at once, with an error that has
// the line of the call.
func TestPoolFromInside(t *testing.T) {
	if sys.Goroutine() == 0 {
		t.Skip("goroutines are not told apart on this system")
	}
	var p *Pool
	var got error
	inside := ""
	at := func(place string) {
		if place != inside {
			return
		}
		inside = ""
		ctx, cancel := context.WithTimeout(context.Background(), testrun.HangAfter())
		defer cancel()
		if got = p.Run(ctx, threeMain); got != nil {
			got = errors.Join(got, p.Close())
		}
	}
	logged, _ := observer.New(zap.InfoLevel)
	p = newTestPoolThatStays(t, Workers(2),
		AtBegin(func() (func(), error) { at("AtBegin"); return func() { at("the end of AtBegin") }, nil }),
		AtBegin(func() (end func(), err error) { return nil, nil }),
		AtEnd(func(Report, error) { at("AtEnd") }),
		Observe(func(*edt.Worker) edt.Observer { at("making an observer"); return edt.NopObserver{} }),
		Logger(zap.New(logged, zap.Hooks(func(zapcore.Entry) error { at("logging"); return nil }))),
		Watchdog(Watch{Still: 20 * time.Millisecond, Report: func(Stall) { at("a stall's report") }}))
	b := edt.NewBlocking(1)
	for _, place := range []string{"AtBegin", "the end of AtBegin", "AtEnd", "making an observer", "logging",
		"a stall's report", "Blocking", "a body", "a description"} {
		inside, got = place, nil
		err := p.Run(context.Background(), starting(func(c *edt.Ctx) {
			switch place {
			case "a body":
				at(place)
			case "a stall's report":
				b.Call(c, func(context.Context) ([]byte, error) { time.Sleep(200 * time.Millisecond); return nil, nil })
			case "a description":
				e, x := c.NewExternal(1)
				c.NewEDT(body1(c, func(*edt.Ctx) {}).Describe(func([]uint64, []datablock.Dep) string {
					at(place)
					return ""
				}), nil, edt.From(e, datablock.RO))
				go func() {
					until(func() bool { return got != nil || ReportRuns() == 0 })
					_ = x.Signal()
				}()
			default:
				b.Call(c, func(context.Context) ([]byte, error) { at("Blocking"); return nil, nil })
			}
		}))
		testrun.OK(t, err, "in %s", place)
		testrun.As[*PoolError](t, got, "in %s", place)
		testrun.Contains(t, got.Error(), "runtime: run on a pool: called ", "runtime: close on a pool: called ",
			"it would wait for itself (queue_test.go:")
	}
}

// TestPoolFromOutside: a goroutine that began in one run and still runs may call Run during the next one.
func TestPoolFromOutside(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(1))
	b, late := edt.NewBlocking(1), make(chan error)
	began, next := make(chan bool), make(chan bool)
	testrun.OK(t, p.Run(context.Background(), starting(func(c *edt.Ctx) {
		b.Call(c, func(ctx context.Context) ([]byte, error) {
			close(began)
			<-ctx.Done()
			<-next
			late <- p.Run(context.Background(), threeMain)
			return nil, nil
		})
		<-began
		c.Shutdown()
	})))
	testrun.OK(t, p.Run(context.Background(), starting(func(*edt.Ctx) {
		close(next)
		inQueue(p, 1)
	})))
	testrun.OK(t, <-late)
}

// TestPoolFromStopped: a function given to Blocking may call Run once its run is stopped, though an EDT still runs.
func TestPoolFromStopped(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(1))
	b, late := edt.NewBlocking(1), make(chan error, 1)
	testrun.OK(t, p.Run(context.Background(), starting(func(c *edt.Ctx) {
		began := make(chan bool)
		b.Do(c, func(context.Context) error {
			close(began)
			until(p.pool.stopped.Load)
			late <- p.Run(context.Background(), threeMain)
			return nil
		})
		<-began
		c.Shutdown()
		until(func() bool { return len(late) == 1 || len(p.queue.waiting()) == 1 })
	})))
	testrun.OK(t, <-late)
}
