package runtime

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"slices"
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

// newTestPoolThatStays makes a pool that is closed at the end of the test.
func newTestPoolThatStays(t testing.TB, opts ...Option) *Pool {
	t.Helper()
	p, err := New(opts...)
	testrun.OK(t, err)
	t.Cleanup(func() { testrun.OK(t, p.Close()) })
	return p
}

// threeMain is a program of three EDTs: itself and two others, one of which waits for the other. threeRan is how many
// of such EDTs have run.
var (
	threeRan    atomic.Int64
	threeWaits  = edt.NewTemplate("three.waits", 0, 1, does(func(*edt.Ctx, edt.Args) { threeRan.Add(1) }))
	threeBegins = edt.NewTemplate("three.begins", 2, 0, does(func(c *edt.Ctx, in edt.Args) {
		threeRan.Add(1)
		c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), guid.Null)
	}))
)

func threeMain(c *edt.Ctx, _ edt.Args) guid.GUID {
	threeRan.Add(1)
	done := c.NewEvent(edt.Once)
	hi, lo := done.Words()
	c.NewEDT(threeWaits, nil, edt.From(done, datablock.Null))
	c.NewEDT(threeBegins, edt.Params(hi, lo))
	return guid.Null
}

// TestPoolRunsAgain: runs on the same workers do not disturb each other, however each ends, and whether or not the
// workers park between them.
func TestPoolRunsAgain(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		for _, spin := range []time.Duration{0, DefaultSpin} {
			var r Report
			var inside atomic.Pointer[pool]
			p := newTestPoolThatStays(t, Workers(workers), Spin(spin), Into(&r), LeakReport(), poolOf(&inside),
				queueCapacities(2, 2), Memory(64<<20))
			for k := range shortened(100) {
				threeRan.Store(0)
				if err := p.Run(t.Context(), threeMain); err != nil || threeRan.Load() != 3 || r.Counters.EDTRun != 3 {
					t.Fatalf("run %d: %v, %d EDTs ran, %d were counted", k, err, threeRan.Load(), r.Counters.EDTRun)
				}
				leaveBehind(t, p, k)
				if k%4 == 0 {
					untilParked(&inside)
				}
			}
		}
	}
}

// leaveBehind runs a program that ends by a fault, with EDTs and objects in every list.
func leaveBehind(t *testing.T, p *Pool, k int) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	f := faults[k%len(faults)]
	err := p.Run(ctx, starting(func(c *edt.Ctx) {
		nothing := body(c, func(*edt.Ctx) {})
		for n := range 20 {
			c.NewEDTAt(c.Bind(n%c.Workers()), nothing, nil)
			c.Spawn(nothing, &edt.Spec{Hint: edt.Hint{Priority: int8(n - 10)}})
			c.NewEDT(nothing, nil)
		}
		earlier := keptEvent
		foul(t, c, k)
		if k%8 == 7 {
			f = fault{name: "another run's event", outcome: func(err error) bool { return errors.Is(err, edt.ErrForeign) }}
			c.Satisfy(earlier, guid.Null)
		}
		f.strike(c, cancel)
	}))
	if !f.mayEnd(err) {
		t.Fatalf("run %d, %s: %v", k, f.name, err)
	}
}

var keptEvent guid.GUID

// foul checks that new blocks are zero, and fills them with other bytes: a single block, 401 or 801, in turn.
func foul(t *testing.T, c *edt.Ctx, k int) {
	for n := range 1 + k%3*400 {
		_, bytes := c.NewBlock(1 + n*7%1500)
		if slices.ContainsFunc(bytes, func(b byte) bool { return b != 0 }) {
			t.Errorf("run %d: block %d of %d bytes is not zero", k, n, len(bytes))
		}
		for i := range bytes {
			bytes[i] = 0xa5
		}
	}
	if k%2 == 0 {
		keptEvent = c.NewEvent(edt.Sticky)
	}
}

// TestPoolRunsPlans: random graphs, on one pool.
func TestPoolRunsPlans(t *testing.T) {
	var r Report
	p := newTestPoolThatStays(t, Workers(3), queueCapacities(2, 2), Into(&r), LeakReport())
	for seed := range uint64(shortened(40)) {
		plan := graphtest.Generate(seed, 40)
		x := plan.NewExecution()
		testrun.OK(t, p.Run(context.Background(), x.Main), "plan %d", seed)
		testrun.Equal(t, "", judge(x, &r, plan), "plan %d", seed)
	}
}

// Any goroutine may run a program on a pool; one run is on at a time. A pool that is closed refuses to run.
func ExamplePool_Run() {
	pool, err := New(Workers(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	var requests sync.WaitGroup
	for range 3 {
		requests.Go(func() {
			_ = pool.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
				fmt.Println("served")
				return guid.Null
			})
		})
	}
	requests.Wait()
	fmt.Println(pool.Close())
	var misuse *PoolError
	fmt.Println(errors.As(pool.Close(), &misuse), misuse.Op)
	// Output:
	// served
	// served
	// served
	// <nil>
	// true close
}

// TestTinyRunsAllocateLittle: a run of few EDTs uses the memory of the runs before it.
func TestTinyRunsAllocateLittle(t *testing.T) {
	if testrun.Race() {
		t.Skip("the race detector's own allocations are counted too")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would drop what earlier runs have left
	run := func() { mustRun(t, threeMain, Workers(1)) }
	run()
	const runs, limit = 50, 64 << 10
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	for range runs {
		run()
	}
	goruntime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / runs; each > limit {
		t.Errorf("a run allocates %d bytes, want at most %d", each, limit)
	}
}
