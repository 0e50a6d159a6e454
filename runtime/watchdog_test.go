package runtime

import (
	"context"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/graphtest"
	"ocr/internal/proof/testrun"
)

// asked calls f with each report that ReportRuns has asked for.
func asked(f func(Stall)) Option {
	return Watchdog(Watch{Report: func(s Stall) {
		if s.Asked {
			f(s)
		}
	}})
}

// A looker calls ReportRuns again and again, while runs are on.
type looker struct {
	read, busy atomic.Int64
	quit       chan struct{}
	looking    sync.WaitGroup
}

// lookOften calls ReportRuns until end is called.
func lookOften() *looker {
	l := &looker{quit: make(chan struct{})}
	l.looking.Go(func() {
		for {
			select {
			case <-l.quit:
				return
			case <-time.After(20 * time.Microsecond):
				ReportRuns()
			}
		}
	})
	return l
}

func (l *looker) end() {
	close(l.quit)
	l.looking.Wait()
}

func (l *looker) option(t *testing.T) Option {
	return asked(func(s Stall) {
		if s.Snapshot == nil {
			l.busy.Add(1)
			return
		}
		l.read.Add(1)
		if g := s.Snapshot; len(g.Waiting) > 100 || g.Count < len(g.Waiting) ||
			g.Acquiring > g.Count || s.Long() == "" {
			t.Errorf("%+v", g)
		}
	})
}

// TestHaltsOfRandomGraphs halts workers of random graphs again and again. No EDT runs while the graph is read, as the
// race detector would see, and each graph ends as the oracle says.
func TestHaltsOfRandomGraphs(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			l := lookOften()
			for seed := range uint64(sized(40, 200)) {
				opts := []Option{Workers(workers), l.option(t)}
				if seed%2 == 0 {
					opts = append(opts, Spin(0))
				}
				testrun.Equal(t, "", differs(graphtest.Generate(seed, 60), setup{opts: opts}), "graph %d", seed)
			}
			l.end()
			t.Logf("%d graphs read, %d times a worker was busy", l.read.Load(), l.busy.Load())
		})
	}
}

// TestReportSaysWhatWaits: if no EDT runs, the report says which EDTs wait for which objects, and which events for a
// goroutine outside.
func TestReportSaysWhatWaits(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		said := make(chan Stall, 1)
		mustRun(t, starting(func(c *edt.Ctx) {
			e, x := c.NewExternal(1)
			waiter := body1(c, func(*edt.Ctx) {})
			for range 30 {
				c.NewEDT(waiter, nil, edt.From(e, datablock.RO))
			}
			event := c.NewEvent(edt.Sticky)
			last := body1(c, func(c *edt.Ctx) { c.Satisfy(event, guid.Null) })
			c.NewEDT(last, nil, edt.From(e, datablock.RO))
			c.NewEDT(waiter, nil, edt.From(event, datablock.RO))
			go func() {
				defer x.Satisfy([]byte{1})
				var s Stall
				for s.Snapshot == nil || s.Snapshot.Count != 32 {
					ReportRuns()
					s = <-said
				}
				for _, text := range []string{s.String(), s.Long()} {
					testrun.Contains(t, text, "the run that is on\n", "slot 0: sticky event ", ", never satisfied",
						"open from outside: event ")
				}
			}()
		}), Workers(workers), asked(func(s Stall) { said <- s }))
	}
}

// keeping asks for reports, in the body of an EDT, until one names this EDT's worker as busy.
func keeping(said chan Stall) (s Stall) {
	for s.Busy == nil {
		ReportRuns()
		s = <-said
	}
	return s
}

// TestReportNamesBusyWorkers: if a worker does not stop within 100 ms, the report has its number, its EDT, for how long
// the EDT has run, and its stack, but no snapshot of the graph.
func TestReportNamesBusyWorkers(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		said := make(chan Stall, 1)
		mustRun(t, starting(func(c *edt.Ctx) {
			c.NewEDT(c.NewTemplate("keeps", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
				s := keeping(said)
				if w := s.Busy[0]; s.Snapshot != nil || len(s.Busy) != 1 || w.Worker != c.Worker() || w.EDT != c.Self() ||
					w.Template != "keeps" || w.For < haltWait || !strings.Contains(w.Stack, "runtime.keeping(") ||
					strings.Contains(w.Stack, "Execute") {
					t.Errorf("%+v", s)
				}
				testrun.Contains(t, s.String(), "the run that is on\nworker ", " runs EDT ", " of template keeps, for at least ",
					"watchdog_test.go:")
			})), nil)
		}), Workers(workers), asked(func(s Stall) { said <- s }))
	}
	if text := (Stall{Busy: make([]BusyWorker, busyShown)}).String(); strings.Contains(text, "more") {
		t.Errorf("a report of all busy workers:\n%s", text)
	}
	many := Stall{Busy: make([]BusyWorker, 6)}
	if few, all := many.String(), many.Long(); strings.Count(few, "runs no EDT") != 4 ||
		!strings.Contains(few, "and 2 more workers did not stop") || strings.Count(all, "runs no EDT") != 6 {
		t.Errorf("%s\nin full %s", few, all)
	}
}

// TestReportWithoutARun: a pool reports nothing between two runs.
func TestReportWithoutARun(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(2), asked(func(s Stall) { t.Errorf("%v", s) }))
	testrun.Equal(t, 0, ReportRuns(), "runs reported")
	testrun.OK(t, p.Run(context.Background(), threeMain))
	testrun.Equal(t, 0, ReportRuns(), "runs reported after one")
}

// TestReportsThatDoNotReturn: a Report that ends its goroutine, calls ReportRuns, or calls the pool does no harm to the
// watchdog and the pool.
func TestReportsThatDoNotReturn(t *testing.T) {
	var told atomic.Int64
	var p *Pool
	var refused error
	p = newTestPoolThatStays(t, Workers(1), Watchdog(Watch{Still: 5 * time.Millisecond, Report: func(Stall) {
		ReportRuns()
		refused = p.Run(context.Background(), threeMain)
		told.Add(1)
		goruntime.Goexit()
	}}))
	for run := range int64(3) {
		waits := func(*edt.Ctx) { until(func() bool { return told.Load() > run }) }
		testrun.OK(t, p.Run(context.Background(), starting(waits)))
		if !as[*PoolError](refused) {
			t.Errorf("a report called Run: %v", refused)
		}
	}
}

// TestReportsOfEachOther: two Reports at a time, each of which calls ReportRuns, do not wait for each other.
func TestReportsOfEachOther(t *testing.T) {
	var both, ended sync.WaitGroup
	both.Add(2)
	for range 2 {
		var told atomic.Bool
		watch := Watch{Still: 5 * time.Millisecond, Report: func(s Stall) {
			if !s.Asked {
				both.Done()
				both.Wait()
				ReportRuns()
				told.Store(true)
			}
		}}
		ended.Go(func() {
			waits := func(*edt.Ctx) { until(told.Load) }
			if err := Run(context.Background(), starting(waits), Workers(1), Watchdog(watch)); err != nil {
				t.Error(err)
			}
		})
	}
	ended.Wait()
}

// Another goroutine, such as the handler of a signal, asks what a run does.
func ExampleReportRuns() {
	watch := Watch{Report: func(s Stall) { fmt.Println(s.Asked, s.Snapshot.Count, "EDT waits") }}
	_ = Run(context.Background(), starting(func(c *edt.Ctx) {
		e, x := c.NewExternal(1)
		c.NewEDT(body1(c, func(*edt.Ctx) {}), nil, edt.From(e, datablock.RO))
		go func() {
			time.Sleep(10 * time.Millisecond) // main ends meanwhile
			ReportRuns()
			_ = x.Satisfy([]byte{1})
		}()
	}), Watchdog(watch))
	// Output: true 1 EDT waits
}

// A notice is a writer that sends what is written to it.
type notice chan string

func (n notice) Write(p []byte) (int, error) {
	n <- string(p)
	return len(p), nil
}

// noticed replaces standard error for the runs of a test.
func noticed(t *testing.T) notice {
	n := make(notice, 10)
	before := stderr
	stderr = n
	t.Cleanup(func() { stderr = before })
	return n
}

// A run whose EDT keeps its worker reports it while the run is on.
func TestStallsAreWrittenToStandardError(t *testing.T) {
	n := noticed(t)
	for early := true; early; { // on a busy machine the first report may come before the holder begins
		mustRun(t, starting(func(c *edt.Ctx) {
			c.NewEDT(c.NewTemplate("holder", 0, 0, does(func(*edt.Ctx, edt.Args) {
				said := <-n
				if early = !strings.Contains(said, "of template holder"); !early {
					testrun.Contains(t, said, "runtime: no EDT has begun for ", "watchdog_test.go:",
						"(runtime.Watchdog changes or silences this message)\n")
				}
			})), nil)
		}), Workers(1), Watchdog(Watch{Still: time.Millisecond}))
	}
}

// TestStallsAreCounted: a run is reported once if no EDT has begun for so long, and again if one has begun since. A
// time in which the process was stopped counts as one interval.
func TestStallsAreCounted(t *testing.T) {
	const still = 8 * time.Hour
	stalls, want := 0, 0
	var m *monitor
	mustRun(t, starting(func(c *edt.Ctx) {
		looking := make(chan bool)
		go func() {
			defer close(looking)
			m.mu.Lock()
			defer m.mu.Unlock()
			m.every = still / checksPerStall
			for k := range 3 * checksPerStall {
				switch k {
				case 3, 6 + checksPerStall:
					m.workers[0].began-- // as if another EDT had begun
				case 3 + checksPerStall, 6 + 2*checksPerStall:
					want++
				}
				m.looked = time.Now().Add(-m.every)
				if k%2 == 1 {
					m.looked = m.looked.Add(-3 * still) // as if the process was stopped
				}
				m.check()
				testrun.Equal(t, want, stalls, "reports by check %d", k)
			}
		}()
		<-looking
	}), Workers(1), Watchdog(Watch{Still: still, Report: func(s Stall) {
		stalls++
		testrun.Equal(t, still, s.For.Round(time.Minute))
	}}), prepared(func(p *pool) {
		for each := range monitors.all {
			if each.pool == p {
				m = each
			}
		}
	}))
}

// Only the first stall of a run is written to standard error.
func TestOneStallIsWritten(t *testing.T) {
	n := noticed(t)
	report := Watch{}.reporter()
	for range 3 {
		report(Stall{For: time.Second, Snapshot: &edt.Snapshot{}})
	}
	testrun.Contains(t, <-n, "no EDT has begun for 1s")
	testrun.Equal(t, 0, len(n), "more stalls that are written")
}
