package runtime

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// TestRunsBesideEachOther: two runs that wait for each other are on at the same time, each with workers of its own,
// also if both have waited in line. GOMAXPROCS has room for the workers and the callers.
func TestRunsBesideEachOther(t *testing.T) {
	keepProcs(t)
	goruntime.GOMAXPROCS(1)
	p := newTestPoolThatStays(t, Workers(2))
	for range 20 {
		var both sync.WaitGroup
		var here atomic.Int64
		all := p.leases.lend(2)
		for range 2 {
			both.Go(func() {
				var r Report
				err := p.With(Workers(1), Into(&r)).Run(context.Background(), starting(func(c *edt.Ctx) {
					here.Add(1)
					until(func() bool { return here.Load() == 2 })
					if got := goruntime.GOMAXPROCS(0); got < 4 {
						t.Errorf("GOMAXPROCS is %d, too low for 2 workers and 2 callers", got)
					}
				}))
				if err != nil || r.Workers != 1 || len(r.Placement) != 1 || r.Counters.EDTRun != 1 {
					t.Errorf("%v, %+v", err, r)
				}
			})
		}
		inLine(p, 2)
		p.giveBack(all)
		both.Wait()
	}
}

// inLine waits until n calls are in the line of a pool.
func inLine(p *Pool, n int) {
	until(func() bool {
		p.leases.mu.Lock()
		defer p.leases.mu.Unlock()
		return len(p.leases.line) == n
	})
}

// TestTeamsAreKept: the next run of a size has the team of an earlier one if its places are free, and no more are kept
// than the pool has places. A team is pinned to its places.
func TestTeamsAreKept(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(3), Each(1))
	for _, n := range []int{1, 1, 2, 1, 2, 3, 1} {
		if err := p.With(Workers(n)).Run(context.Background(), threeMain); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(p.leases.idle); got != 2 {
		t.Errorf("%d teams are kept, want that of one worker and that of two", got)
	}
	for _, n := range []int{2, 1} {
		x := p.leases.lend(n)
		if x.team == nil || len(x.places) != n {
			t.Errorf("%d places lent with team %v", len(x.places), x.team)
		}
		p.giveBack(x)
	}
	one := p.leases.lend(1) // of the place 0, which the kept team of two has too
	if err := p.With(Workers(2)).Run(context.Background(), threeMain); err != nil {
		t.Fatal(err)
	}
	p.giveBack(one)
	idle := p.leases.idle
	if len(idle) != 2 || p.leases.kept != 3 || !slices.Equal(idle[0].places, []int{1, 2}) {
		t.Fatalf("%d teams on %d places are kept, want one on the places 1 and 2, and one on 0", len(idle), p.leases.kept)
	}
	if own, all := idle[0].team.place.cpus, p.team.place.cpus; len(all) > 0 && own[0] != all[1%len(all)] {
		t.Errorf("a team on the places 1 and 2 has the processors %v of %v", own, all)
	}
	l := &leases{taken: []bool{false, true, false, false}}
	if two, three := l.freePlaces(2), l.freePlaces(3); !slices.Equal(two, []int{2, 3}) || len(three) != 3 {
		t.Errorf("places %v and %v, want neighbours, and else all", two, three)
	}
}

// TestLargeRunIsServed: a run of all workers gets them though goroutines start small runs without end.
func TestLargeRunIsServed(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(3), Each(1))
	var over atomic.Bool
	var small sync.WaitGroup
	for range 4 {
		small.Go(func() {
			for !over.Load() {
				if err := p.Run(context.Background(), threeMain); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range sized(5, 30) {
		if err := p.With(Workers(3)).Run(context.Background(), threeMain); err != nil {
			t.Error(err)
		}
	}
	over.Store(true)
	small.Wait()
}

// TestManyRunsEndInTheirOwnWay: runs of 1 to 4 workers at the same time, which end well, by a panic, a misuse, an
// abort, stuck, or cancelled while they wait or run; each gets its own error.
func TestManyRunsEndInTheirOwnWay(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(4), Each(1), Spin(0))
	var all sync.WaitGroup
	for k := range 200 {
		all.Go(func() {
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			own := fmt.Errorf("the end of run %d", k)
			err := p.With(Workers(1+k%4)).Run(ctx, starting(func(c *edt.Ctx) {
				work := body(c, func(*edt.Ctx) {})
				for n := range 10 {
					c.NewEDTAt(c.Bind(n%c.Workers()), work, nil)
				}
				switch k % 6 {
				case 1:
					panic(own)
				case 2:
					c.NewEDT(work, edt.Params(uint64(k)))
				case 3:
					c.Abort(uint8(k))
				case 4:
					c.NewEDT(body1(c, func(*edt.Ctx) {}), nil, edt.From(c.NewEvent(edt.Once), datablock.Null))
				case 5:
					_, x := c.NewExternal(1)
					go func() { cancel(own); x.Close() }()
					c.NewEDT(body(c, func(c *edt.Ctx) {
						if ctx.Err() == nil {
							c.Again()
						}
					}), nil)
				}
			}))
			var abort *edt.AbortError
			switch k % 6 {
			case 0:
				if err != nil {
					t.Errorf("run %d: %v", k, err)
				}
			case 1:
				if !errors.Is(err, own) {
					t.Errorf("run %d: %v, want its panic", k, err)
				}
			case 2:
				if !errors.Is(err, edt.ErrCount) {
					t.Errorf("run %d: %v, want its misuse", k, err)
				}
			case 3:
				if code := uint8(k); code != 0 && (!errors.As(err, &abort) || abort.Code != code) {
					t.Errorf("run %d: %v, want code %d", k, err, code)
				}
			case 4:
				if !as[*edt.StuckError](err) {
					t.Errorf("run %d: %v, want stuck", k, err)
				}
			case 5:
				if err != nil && !errors.Is(err, own) {
					t.Errorf("run %d: %v, want its cancellation or none", k, err)
				}
			}
		})
	}
	all.Wait()
	if l := p.leases; l.free != 4 || len(l.on)+len(l.line) != 0 {
		t.Errorf("%d places free, %d runs on, %d in line", l.free, len(l.on), len(l.line))
	}
}

// TestGivingUpServesTheLine: a call that is cancelled at the head of the line lets those behind it go on.
func TestGivingUpServesTheLine(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(2), Each(1))
	ctx, cancel := context.WithCancel(context.Background())
	var others sync.WaitGroup
	err := p.Run(context.Background(), starting(func(*edt.Ctx) {
		others.Go(func() {
			if err := p.With(Workers(2)).Run(ctx, threeMain); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		inLine(p, 1)
		behind := make(chan error)
		go func() { behind <- p.Run(context.Background(), threeMain) }() // a place is free, but it is not the head
		inLine(p, 2)
		cancel()
		if err := <-behind; err != nil {
			t.Error(err)
		}
	}))
	others.Wait()
	if err != nil {
		t.Error(err)
	}
	// A call that gives up when its turn has just come gives the places back.
	all, late := p.leases.lend(2), &waiter{n: 1, got: make(chan *lease, 1)}
	p.leases.line = append(p.leases.line, late)
	p.giveBack(all)
	p.leaveLine(late)
	if p.leases.free != 2 {
		t.Errorf("%d places are free, want both", p.leases.free)
	}
}

// TestWaitInLineIsReported: the report says what the first call in line waits for, what is on, and whose line it is. It
// must not start a run of the pool.
func TestWaitInLineIsReported(t *testing.T) {
	waits := make(chan string, 100)
	var p *Pool
	report := func(s Stall) {
		if s.Line != "" && s.Snapshot == nil {
			waits <- fmt.Sprint(p.With(Workers(2)).Run(context.Background(), threeMain), s)
		}
	}
	p = newTestPoolThatStays(t, Workers(2), Each(1), Watchdog(Watch{Still: 5 * time.Millisecond, Report: report}))
	second := make(chan error)
	err := p.Run(context.Background(), starting(func(*edt.Ctx) {
		go func() { second <- p.With(Workers(2)).Run(context.Background(), threeMain) }()
		testrun.Contains(t, <-waits, "called by the report of a run that waits", "a run has waited ",
			" for 2 of 2 workers: 1 are free, 1 wait, ",
			"runs that are on have 1 workers for ", "for the end of the run wait: lease_test.go:")
		if wait := p.leases.waitOf(new(waiter)); wait != "" {
			t.Errorf("a call that is not the head of the line reports %q", wait)
		}
	}))
	if own := <-second; err != nil || own != nil {
		t.Error(err, own)
	}
}

// TestPoolClosedWithALine: Close comes when its turn has come; calls behind it are refused with its line.
func TestPoolClosedWithALine(t *testing.T) {
	p, err := New(Workers(2), Each(1))
	if err != nil {
		t.Fatal(err)
	}
	closed, late := make(chan error), make(chan error)
	err = p.Run(context.Background(), starting(func(*edt.Ctx) {
		go func() { closed <- p.Close() }()
		until(func() bool { return len(p.team.pool.waiting.list()) == 1 })
		go func() { late <- p.Run(context.Background(), threeMain) }()
		until(func() bool { return len(p.team.pool.waiting.list()) == 2 })
	}))
	if own := <-closed; err != nil || own != nil {
		t.Error(err, own)
	}
	if err := <-late; err == nil || !strings.Contains(err.Error(), "run on a pool: it was closed at lease_test.go:") {
		t.Error(err)
	}
}

// TestWithRefuses: what belongs to New, and what a pool of runs beside each other cannot have.
func TestWithRefuses(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(2), Each(1))
	told := newTestPoolThatStays(t, Workers(2), AtEnd(func(Report, error) {}))
	for want, r := range map[string]Runner{
		"runtime: Check: it belongs to New":                       p.With(Check()),
		"runtime: Spin: it belongs to New":                        p.With(Spin(1)),
		"runtime: Ranks: it belongs to New":                       p.With(Ranks(1)),
		"runtime: Each: it belongs to New":                        p.With(Each(1)),
		"runtime: Memory: it belongs to New":                      p.With(Memory(1)),
		"runtime: Workers(3): want 1 to 2":                        p.With(Workers(3)),
		"runtime: Into(nil): want":                                p.With(Into(nil)),
		"runtime: Workers(1): runs may be on beside each other: ": told.With(Workers(1)),
	} {
		if err := r.Run(context.Background(), threeMain); !as[*OptionError](err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for want, opts := range map[string][]Option{
		"Each(3): want 1 to 2":         {Workers(2), Each(3)},
		"Each(1): runs may be on besi": {Workers(2), Each(1), Inspect(new(Inspector))},
	} {
		if _, err := New(opts...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if s := told.sized(settings{numRanks: 2}, 1); s.workers != 2 {
		t.Errorf("a run over ranks takes %d of 2 workers", s.workers)
	}
	// A body is refused though a place is free.
	var within error
	if err := p.Run(context.Background(), starting(func(*edt.Ctx) {
		within = p.Run(context.Background(), threeMain)
	})); err != nil {
		t.Error(err)
	}
	if within == nil || !strings.Contains(within.Error(), "called in the body of an EDT that runs on it") {
		t.Error(within)
	}
}

// TestWithIsForOneRun: options of one With are not those of another.
func TestWithIsForOneRun(t *testing.T) {
	var ended [2]int
	none := AtEnd(func(Report, error) {})
	p := newTestPoolThatStays(t, Workers(1), none, none, none) // a slice of three has room for a fourth
	var with [2]Runner
	for k := range with {
		with[k] = p.With(AtEnd(func(Report, error) { ended[k]++ }))
	}
	if err := with[0].Run(context.Background(), threeMain); err != nil || ended != [2]int{1, 0} {
		t.Errorf("%v, ends %v, want that of the first", err, ended)
	}
}

// TestMemoryIsSharedOut: a run of half the workers has half the memory.
func TestMemoryIsSharedOut(t *testing.T) {
	const all = 8 << 20
	p := newTestPoolThatStays(t, Workers(2), Each(1), Memory(all))
	fill := starting(func(c *edt.Ctx) { c.NewBlockNoAcquire(all * 3 / 4) })
	if err := p.Run(context.Background(), fill); !errors.Is(err, edt.ErrMemory) {
		t.Error(err)
	}
	if err := p.With(Workers(2)).Run(context.Background(), fill); err != nil {
		t.Error(err)
	}
}

// Two requests that are served beside each other, each by one worker.
func ExampleEach() {
	pool, err := New(Workers(2), Each(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	var met, both sync.WaitGroup
	met.Add(2)
	for range 2 {
		both.Go(func() {
			_ = pool.Run(context.Background(), starting(func(*edt.Ctx) { met.Done(); met.Wait() }))
		})
	}
	both.Wait()
	fmt.Println("both have met")
	// Output: both have met
}

// One run on all workers of a pool whose runs take one each.
func ExamplePool_With() {
	pool, err := New(Workers(2), Each(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	var r Report
	err = pool.With(Workers(2), Into(&r)).Run(context.Background(), starting(func(*edt.Ctx) {}))
	fmt.Println(r.Workers, err)
	// Output: 2 <nil>
}
