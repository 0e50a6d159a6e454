package runtime

import (
	"context"
	"fmt"
	"math"
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

// held runs a program on the pool, and look once an EDT of it has called the function
// that the program is given, which returns when look has.
func held(t *testing.T, workers int, main func(c *edt.Ctx, wait func()), look func(s *edt.Snapshot), opts ...Option) {
	t.Helper()
	var i Inspector
	inside, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		<-inside
		look(i.Snapshot())
	}()
	wait := func() {
		close(inside)
		<-done
	}
	_, _ = runMain(t, starting(func(c *edt.Ctx) { main(c, wait) }), append(opts, Workers(workers), Inspect(&i))...)
	if s := i.Snapshot(); s != nil {
		t.Errorf("after the run there is %v", s)
	}
}

func TestInspectorSeesWhatRunsAndWhatWaits(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		var event, block, holder, second guid.GUID
		held(t, workers, func(c *edt.Ctx, wait func()) {
			event = c.NewEvent(edt.Sticky)
			block, _ = c.NewBlock(8)
			c.Release(block)
			waiter := c.NewTemplate("waiter", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
			for range 30 {
				c.NewEDT(waiter, nil, edt.From(event, datablock.RO))
			}
			c.NewEDT(c.NewTemplate("holder", 0, 1, does(func(c *edt.Ctx, _ edt.Args) {
				holder = c.Self()
				second = c.NewEDT(c.NewTemplate("second", 0, 1, does(func(*edt.Ctx, edt.Args) {
				})), nil, edt.From(block, datablock.EW))
				wait()
				c.Shutdown()
			})), nil, edt.From(block, datablock.EW))
		}, func(s *edt.Snapshot) {
			if s == nil {
				t.Fatal("no snapshot of a run that is on")
			}
			runs := 0
			for _, w := range s.Workers {
				if w.Template == "holder" {
					runs++
					if w.EDT != holder || w.For < lookAgain {
						t.Errorf("%+v, want %v for at least %v", w, holder, lookAgain)
					}
				}
			}
			if len(s.Workers) != workers || runs != 1 {
				t.Errorf("%d workers, %d run holder:\n%v", len(s.Workers), runs, s)
			}
			states := map[string]edt.TemplateState{}
			for _, x := range s.Templates {
				states[x.Template] = x
			}
			if states["waiter"].Waiting != 30 || states["second"].Acquiring != 1 || states["holder"].Running != 1 {
				t.Errorf("templates %+v", s.Templates)
			}
			testrun.Contains(t, s.String(),
				fmt.Sprintf("slot 0: sticky event %v, never satisfied", event.Short()),
				fmt.Sprintf("EDT %v of template second", second.Short()),
				fmt.Sprintf(
					"waits for data block %v, not granted in mode EW; it was given to EDT %v of template holder, which runs",
					block.Short(), holder.Short(),
				),
				"for at least ")
		})
	}
}

func TestInspectorWithoutARun(t *testing.T) {
	var i Inspector
	if s := i.Snapshot(); s != nil {
		t.Errorf("%v", s)
	}
	for range 3 {
		mustRun(t, starting(func(c *edt.Ctx) {
			s := i.Snapshot()
			if s == nil || len(s.Workers) != 2 || s.Workers[c.Worker()].EDT != c.Self() || s.Workers[c.Worker()].For == 0 {
				t.Errorf("an EDT sees %+v", s)
			}
		}), Inspect(&i), Workers(2))
	}
}

// Snapshots are taken again and again while random graphs run: none is out of bounds, and none disturbs the run.
func TestSnapshotsOfRandomGraphs(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			var i Inspector
			l := lookOften(t, &i, workers)
			for seed := range uint64(sized(40, 200)) {
				testrun.Equal(t, "", differs(graphtest.Generate(seed, 60), setup{opts: []Option{Workers(workers), Inspect(&i)}}),
					"graph %d", seed)
			}
			l.end()
			t.Logf("%d snapshots", l.taken.Load())
		})
	}
}

// Many EDTs with many slots come and go, and their records and lists are used again.
func TestSnapshotsOfBusyGraph(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		var i Inspector
		l := lookOften(t, &i, workers)
		for again := true; again; again = l.taken.Load() == 0 {
			mustRun(t, starting(func(c *edt.Ctx) { churn(c, shortened(20_000)) }), Workers(workers), Inspect(&i))
		}
		l.end()
	}
}

// churn makes a chain of EDTs, each with some events, blocks and EDTs of 1 to 40 slots beside it.
func churn(c *edt.Ctx, n int) {
	block, _ := c.NewBlock(8)
	c.Release(block)
	leaf := c.NewTemplate("leaf", 0, edt.Unknown, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	var step *edt.Template
	step = c.NewTemplate("step", 1, 0, does(func(c *edt.Ctx, in edt.Args) {
		k := int(in.Param(0))
		latch, e := c.NewLatch(1), c.NewEvent(edt.Once)
		c.AddDependence(latch, e, 0, datablock.Null)
		deps := make([]edt.Source, 1+k%40)
		for n := range deps {
			deps[n] = edt.From(latch, datablock.Null)
		}
		deps[0] = edt.From(block, datablock.EW)
		deps[len(deps)-1] = edt.From(e, datablock.Null)
		if k%2 == 0 {
			c.NewEDT(leaf, nil, deps...)
		} else {
			c.Spawn(leaf, &edt.Spec{Deps: deps, Finish: true})
		}
		c.Satisfy(latch, guid.Null)
		if k > 0 {
			c.NewEDT(step, []uint64{uint64(k - 1)})
		}
	}))
	c.NewEDT(step, []uint64{uint64(n)})
}

// A looker takes snapshots again and again.
type looker struct {
	taken   atomic.Int64
	quit    chan struct{}
	looking sync.WaitGroup
}

// lookOften takes snapshots until end is called.
func lookOften(t *testing.T, i *Inspector, workers int) *looker {
	l := &looker{quit: make(chan struct{})}
	l.looking.Go(func() {
		for {
			select {
			case <-l.quit:
				return
			case <-time.After(20 * time.Microsecond):
			}
			if _, s := i.look(true); s != nil {
				l.taken.Add(1)
				plausible(t, s, workers)
			}
		}
	})
	return l
}

func (l *looker) end() {
	close(l.quit)
	l.looking.Wait()
}

func plausible(t *testing.T, s *edt.Snapshot, workers int) {
	if len(s.Workers) != workers || len(s.Waiting) > 100 || s.Count < len(s.Waiting) {
		t.Errorf("%d workers, %d of %d waiting", len(s.Workers), len(s.Waiting), s.Count)
	}
	for _, w := range s.Workers {
		if w.Ran > math.MaxUint32 || w.EDT.IsNull() != (w.Template == "") || w.Template == "?" {
			t.Errorf("%+v", w)
		}
	}
	if s.String() == "" {
		t.Error("the snapshot says nothing")
	}
}

func TestWatchdogTellsOfEachStallOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		stalls := make(chan Stall, 10)
		mustRun(t, starting(func(c *edt.Ctx) {
			sleeper := c.NewTemplate("sleeper", 0, 1, does(func(*edt.Ctx, edt.Args) {
				s := <-stalls
				time.Sleep(5 * s.For) // the same stall goes on
				if len(stalls) > 0 {
					t.Error("a stall was told twice")
				}
			}))
			first, out := c.Spawn(sleeper, &edt.Spec{Output: true})
			c.NewEDT(sleeper, nil, edt.From(out, datablock.Null))
			c.AddDependence(guid.Null, first, 0, datablock.Null)
		}), Workers(workers), Watchdog(Watch{Still: 30 * time.Millisecond, Report: func(s Stall) {
			if s.For < 30*time.Millisecond || s.Snapshot == nil {
				t.Errorf("%+v", s)
			}
			found := false
			for _, w := range s.Snapshot.Workers {
				found = found || w.Template == "sleeper" && w.For > 0
			}
			if found { // else the machine is so slow that main has not come to them
				stalls <- s
			}
		}}))
		if len(stalls) > 0 {
			t.Errorf("%d workers: %d more stalls were told", workers, len(stalls))
		}
	}
}

func TestWatchdogIsQuietWhileEDTsBegin(t *testing.T) {
	mustRun(t, starting(func(c *edt.Ctx) {
		churn(c, 1000)
	}), Workers(2), Watchdog(Watch{Held: time.Hour, Still: time.Hour, Report: func(Stall) {
		t.Error("a stall was told")
	}}))
}

func TestWatchdogOptions(t *testing.T) {
	never := starting(func(*edt.Ctx) { t.Error("ran") })
	for _, o := range []Option{Watchdog(Watch{Held: -1}), Watchdog(Watch{Still: -1})} {
		err := Run(context.Background(), never, o)
		if _, ok := err.(*OptionError); !ok {
			t.Errorf("%v", err)
		}
	}
}

// A run that ends in the middle of a body still ends what looks at it.
func TestWatchdogEndsWithARunThatPanics(t *testing.T) {
	var i Inspector
	_, err := runMain(t, starting(func(*edt.Ctx) {
		panic("on purpose")
	}), Workers(2), Inspect(&i), Watchdog(Watch{Still: time.Hour}))
	if err == nil || i.Snapshot() != nil {
		t.Errorf("error %v, snapshot %v", err, i.Snapshot())
	}
}
