package workspan_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/workspan"
	"ocr/observe/stats"
	"ocr/runtime"
)

// fib makes a tree of EDTs: one for each call, and one more for the sum of a call with n > 1.
var fib, fibSum *edt.Template

func init() {
	fibSum = edt.NewTemplate("workspan.sum", 0, 2, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	fib = edt.NewTemplate("workspan.fib", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		n := in.Param(0)
		if n < 2 {
			return guid.Null
		}
		a, enda := c.Spawn(fib, &edt.Spec{Params: edt.Params(n - 1), Output: true})
		b, endb := c.Spawn(fib, &edt.Spec{Params: edt.Params(n - 2), Output: true})
		c.NewEDT(fibSum, nil, on(enda), on(endb))
		c.AddDependence(guid.Null, a, 0, datablock.Null)
		c.AddDependence(guid.Null, b, 0, datablock.Null)
		return guid.Null
	})
}

func runFib(n uint64) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(fib, edt.Params(n), edt.From(guid.Null, datablock.Null))
		return guid.Null
	}
}

// TestOnWorkers checks what every run must have, whatever its times.
func TestOnWorkers(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			m := workspan.New(workers, sys.Cycles, sys.CyclePeriod)
			var told runtime.Report
			begin := time.Now()
			err := runtime.Run(t.Context(), runFib(16), runtime.Workers(workers), runtime.Observe(m.Observe),
				runtime.Into(&told))
			testrun.OK(t, err)
			lasted := time.Since(begin)
			r := m.Result()
			if r.EDTs != told.Counters.EDTRun || r.Steals != told.Counters.Steals || r.Parks < told.Counters.Parks {
				t.Errorf("%d EDTs, %d steals, %d parks; the run had %+v", r.EDTs, r.Steals, r.Parks, told.Counters)
			}
			if r.Span <= 0 || r.Span > r.Work || r.Parallelism < 1 || r.Work != r.Total.Body || r.WithRuntime < r.Work {
				t.Errorf("work %d, with runtime %d, span %d, parallelism %v", r.Work, r.WithRuntime, r.Span, r.Parallelism)
			}
			var sum stats.Split
			count := uint64(0)
			for _, w := range r.Workers {
				if w.Body < 0 || w.Runtime < 0 || w.Spinning < 0 || w.Parked < 0 || w.Sum() > 2*lasted.Nanoseconds() {
					t.Errorf("worker %+v of a run of %v", w, lasted)
				}
				sum.Body += w.Body
				sum.Runtime += w.Runtime
				sum.Spinning += w.Spinning
				sum.Parked += w.Parked
				count += w.EDTs
			}
			if len(r.Workers) != workers || sum != r.Total || count != r.EDTs {
				t.Errorf("%d workers with %d EDTs and %+v, in all %+v", len(r.Workers), count, sum, r.Total)
			}
			named := map[string]uint64{}
			body := int64(0)
			for _, x := range r.Templates {
				named[x.Name] = x.Count
				body += x.Total
				if x.Min < 0 || float64(x.Min) > x.Mean+1 || x.Mean > float64(x.Max)+1 {
					t.Errorf("template %+v", x)
				}
			}
			// fib(16) is called 2*1597-1 times, half of them with n > 1.
			testrun.Same(t, map[string]uint64{"main": 1, "workspan.fib": 3193, "workspan.sum": 1596}, named, "templates")
			if off := body - r.Work; off < -10 || off > 10 {
				t.Errorf("templates sum up to %d, work is %d", body, r.Work)
			}
		})
	}
}

// TestResult checks how steps of the clock become figures.
func TestResult(t *testing.T) {
	k := new(clock)
	m := workspan.New(1, func() int64 { return k.now }, func() float64 { return 2.5 })
	h := edttest.New(1, edt.Config{Workers: 1, Observe: m.Observe})
	defer h.Graph.Close()
	err := h.Run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
		l := &lab{k, c}
		l.work(4)
		c.NewEDT(l.body("a", 0, 10), nil)
		c.NewEDT(l.body("b", 0, 30), nil)
		c.NewEDT(l.body("b", 0, 20), nil)
		return guid.Null
	})
	testrun.OK(t, err)
	want := stats.Result{
		EDTs: 4, Work: 160, WithRuntime: 160, Span: 85, Parallelism: 64. / 34,
		Total:   stats.Split{Body: 160},
		Workers: []stats.Worker{{EDTs: 4, Split: stats.Split{Body: 160}}},
		Templates: []stats.Template{
			{Name: "b", Count: 2, Total: 125, Mean: 62.5, Min: 50, Max: 75},
			{Name: "a", Count: 1, Total: 25, Mean: 25, Min: 25, Max: 25},
			{Name: "main", Count: 1, Total: 10, Mean: 10, Min: 10, Max: 10},
		},
	}
	testrun.Same(t, want, m.Result(), "result")
}

// Idle time is counted apart from the runtime's work.
func TestSplit(t *testing.T) {
	k := new(clock)
	m := workspan.New(1, func() int64 { return k.now }, func() float64 { return 1 })
	h := edttest.New(1, edt.Config{Workers: 1, Observe: func(w *edt.Worker) edt.Observer {
		o := m.Observe(w)
		k.work(100) // before the worker's first report
		o.WorkerIdle()
		k.work(3)
		o.WorkerParked()
		k.work(20)
		o.WorkerWoke()
		k.work(4)
		o.WorkerBusy()
		o.WorkerStole(1)
		k.work(50)
		return o
	}})
	defer h.Graph.Close()
	testrun.OK(t, h.Run(func(*edt.Ctx, edt.Args) guid.GUID { k.work(1000); return guid.Null }))
	want := []stats.Worker{{EDTs: 1, Steals: 1, Parks: 1,
		Split: stats.Split{Body: 1000, Runtime: 50, Spinning: 7, Parked: 20}}}
	testrun.Same(t, want, m.Result().Workers, "workers")
}

// Another event may take the record of an event that destroyed itself and still serves its waiters: here a latch, which
// a deep EDT counts and then a shallow one.
func TestRecordOfAnEventIsReused(t *testing.T) {
	tried := 0
	for seed := range uint64(20) {
		k := new(clock)
		m := workspan.New(1, func() int64 { return k.now }, func() float64 { return 1 })
		var o edt.Observer
		h := edttest.New(seed, edt.Config{Workers: 1, Observe: func(w *edt.Worker) edt.Observer {
			o = m.Observe(w)
			return o
		}})
		deepFirst, shallowRan := false, false
		err := h.Run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
			l := &lab{k, c}
			waits := c.NewEDT(l.body("waits", 1, 100), nil)
			latch := c.NewLatch(3)
			hi, lo := latch.Words()
			c.NewEDT(l.body("deep", 0, 20, func(c *edt.Ctx) {
				deepFirst = !shallowRan
				c.Satisfy(latch, guid.Null)
			}), nil)
			c.NewEDT(l.body("shallow", 0, 1, func(c *edt.Ctx) {
				shallowRan = true
				o.EventSatisfied(latch, guid.Null, guid.Null, edt.Decr)
				o.EventDestroyed(latch)
				o.EventCreated(guid.FromWords(hi, lo+1<<32), edt.Sticky)
				o.SlotSatisfied(waits, 0, latch, guid.Null)
				c.AddDependence(guid.Null, waits, 0, datablock.Null)
			}), nil)
			return guid.Null
		})
		h.Graph.Close()
		if !deepFirst {
			continue
		}
		tried++
		if r := m.Result(); err != nil || r.Work != 121 || r.Span != 120 {
			t.Errorf("seed %d: work %d, span %d, %v", seed, r.Work, r.Span, err)
		}
	}
	if tried == 0 {
		t.Error("no seed has the order that is wanted")
	}
}

// A satisfaction from outside has the depth of the call that made the External, whatever its worker ran before.
func TestSatisfiedFromOutside(t *testing.T) {
	var now atomic.Int64
	m := workspan.New(1, now.Load, func() float64 { return 1 })
	testrun.OK(t, runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		works := c.NewTemplate("works", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { now.Add(10); return guid.Null })
		event, x := c.NewExternal(5)
		for range 5 {
			c.NewEDT(works, nil, on(event))
			_ = x.Signal()
		}
		return guid.Null
	}, runtime.Workers(1), runtime.Observe(m.Observe)))
	if r := m.Result(); r.Work != 50 || r.Span != 10 {
		t.Errorf("work %d, span %d", r.Work, r.Span)
	}
}

// An observer calls a function at each satisfaction of an event.
type atSatisfaction struct {
	edt.NopObserver
	f func()
}

func (o atSatisfaction) EventSatisfied(_, _, _ guid.GUID, _ int) { o.f() }

// A deep EDT counts a latch between a shallow one's report of its count and the count itself, which is the last.
func TestLatchCountedDuringReport(t *testing.T) {
	var now atomic.Int64
	m := workspan.New(2, now.Load, func() float64 { return 1 })
	reported, counted := make(chan bool), make(chan bool)
	gate := func(w *edt.Worker) edt.Observer {
		return atSatisfaction{f: func() {
			if w.Number() == 1 {
				close(reported)
				<-counted
			}
		}}
	}
	testrun.OK(t, runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		latch := c.NewLatch(2)
		c.NewEDT(c.NewTemplate("after", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { now.Add(100); return guid.Null }), nil,
			on(latch))
		counts := func(worker int, before, then func()) {
			c.NewEDTAt(c.Bind(worker), c.NewTemplate("counts", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				before()
				c.Satisfy(latch, guid.Null)
				then()
				return guid.Null
			}), nil)
		}
		counts(0, func() { <-reported; now.Add(10) }, func() { close(counted) })
		counts(1, func() { now.Add(1) }, func() {})
		return guid.Null
	}, runtime.Workers(2), runtime.Observe(edt.ObserveAll(m.Observe, gate))))
	if r := m.Result(); r.Span < 110 {
		t.Errorf("span %d", r.Span)
	}
}

// TestNothingRan: a run that was cancelled at once has a result without a ratio.
func TestNothingRan(t *testing.T) {
	r := workspan.New(2, sys.Cycles, sys.CyclePeriod).Result()
	if r.EDTs != 0 || r.Parallelism != 0 || len(r.Templates) != 0 || len(r.Workers) != 2 {
		t.Errorf("%+v", r)
	}
}
