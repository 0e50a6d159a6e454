package runtime

import (
	"bytes"
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
	"ocr/guid"
	"ocr/internal/proof/graphtest"
	"ocr/internal/proof/testrun"
)

// newTestPoolThatStays makes a pool that is closed at the end of the test.
func newTestPoolThatStays(t testing.TB, opts ...Option) *Pool {
	t.Helper()
	p, err := New(opts...)
	testrun.OK(t, err)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// three returns a program of three EDTs (main and two others, one of which waits for the other), and a function that
// returns how many of them have run.
func three() (main edt.Func, ran func() int64) {
	before := threeRan.Load()
	return threeMain, func() int64 { return threeRan.Load() - before }
}

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
				queueCapacities(2, 2))
			for k := range shortened(100) {
				main, ran := three()
				if err := p.Run(context.Background(), main); err != nil || ran() != 3 || r.Counters.EDTRun != 3 {
					t.Fatalf("run %d: %v, %d EDTs ran, %d were counted", k, err, ran(), r.Counters.EDTRun)
				}
				leaveBehind(t, p, k)
				if k%4 == 0 {
					untilParked(&inside)
				}
			}
		}
	}
}

// leaveBehind runs a program that ends in one of several ways, with EDTs and objects in every list.
func leaveBehind(t *testing.T, p *Pool, k int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := p.Run(ctx, starting(func(c *edt.Ctx) {
		nothing := body(c, func(*edt.Ctx) {})
		for n := range 20 {
			c.NewEDTAt(c.Bind(n%c.Workers()), nothing, nil)
			c.Spawn(nothing, &edt.Spec{Hint: edt.Hint{Priority: int8(n - 10)}})
			c.NewEDT(nothing, nil)
		}
		earlier := keptEvent
		foul(t, c, k)
		switch k % len(endings) {
		case 0:
			c.Abort(3)
		case 1:
			panic("on purpose")
		case 2:
			goruntime.Goexit()
		case 3:
			cancel()
		case 4:
			c.NewEDT(nothing, edt.Params(1))
		case 5:
			c.NewEDT(body1(c, func(*edt.Ctx) {}), nil, edt.From(c.NewEvent(edt.Once), datablock.Null))
		case 6:
			c.Satisfy(earlier, guid.Null) // of another run
		}
	}))
	if !endings[k%len(endings)](err) {
		t.Fatalf("run %d: %v", k, err)
	}
}

// endings has for each way of leaveBehind whether an error is the right one.
var endings = []func(err error) bool{
	func(err error) bool { return as[*edt.AbortError](err) },
	func(err error) bool { return as[*edt.PanicError](err) },
	func(err error) bool { return as[*edt.PanicError](err) },
	func(err error) bool { return err == nil || errors.Is(err, context.Canceled) },
	func(err error) bool { return errors.Is(err, edt.ErrCount) },
	func(err error) bool { return as[*edt.StuckError](err) },
	func(err error) bool { return errors.Is(err, edt.ErrForeign) },
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
		if diff := x.Compare(r.Counters.Counters, plan.Expect()); diff != "" || len(r.Leaks) != 0 {
			t.Fatalf("plan %d: %s, leaks %v", seed, diff, r.Leaks)
		}
	}
}

// TestPoolMisused: each error says what was wrong, and has the line of the call.
func TestPoolMisused(t *testing.T) {
	p, err := New(Workers(2))
	testrun.OK(t, err)
	var within, closedWithin error
	main := starting(func(c *edt.Ctx) {
		c.NewEDTAt(c.Bind(1), body(c, func(*edt.Ctx) {
			within = p.Run(context.Background(), starting(func(*edt.Ctx) {}))
			closedWithin = p.Close()
		}), nil)
	})
	testrun.OK(t, p.Run(context.Background(), main))
	testrun.OK(t, p.Close())
	twice := p.Close()
	after := p.Run(context.Background(), main)
	for want, err := range map[string]error{
		"run on a pool: called in the body of an EDT that runs on it":   within,
		"close on a pool: called in the body of an EDT that runs on it": closedWithin,
		"close on a pool: it was closed at new_test.go:":                twice,
		"run on a pool: it was closed at new_test.go:":                  after,
	} {
		var e *PoolError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(e.Site, "new_test.go:") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := New(Workers(0)); err == nil || err.Error() != "runtime: Workers(0): want 1 to 1024" {
		t.Error(err)
	}
}

// A writer with a lock.
type said struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestPoolForgotten: a pool that is never closed is reported with the line of New. Its workers end, which goleak checks
// at the end of all tests.
func TestPoolForgotten(t *testing.T) {
	var out said
	defer func(w interface{ Write([]byte) (int, error) }) { stderr = w }(stderr)
	stderr = &out
	func() {
		p, err := New(Workers(2))
		testrun.OK(t, err)
		if err := p.Run(context.Background(), starting(func(*edt.Ctx) {})); err != nil {
			t.Error(err)
		}
	}()
	for !strings.Contains(out.String(), "runtime: a pool of 2 workers, made at new_test.go:") {
		goruntime.GC()
		time.Sleep(time.Millisecond)
	}
}

func ExampleNew() {
	pool, err := New(Workers(2))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	for n := range 3 {
		err := pool.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
			fmt.Println("run", n)
			return guid.Null
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// run 0
	// run 1
	// run 2
}

// Any goroutine may run a program on a pool; one run is on at a time.
func ExamplePool_Run() {
	pool, err := New(Workers(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
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
	// Output:
	// served
	// served
	// served
}

func ExamplePool_Close() {
	pool, err := New(Workers(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pool.Close())
	var misuse *PoolError
	fmt.Println(errors.As(pool.Close(), &misuse), misuse.Op)
	// Output:
	// <nil>
	// true close
}

// tiny is a program of three EDTs, main included.
func tiny(c *edt.Ctx) {
	child := body(c, func(*edt.Ctx) {})
	c.NewEDT(child, nil)
	c.NewEDT(child, nil)
}

// TestTinyRunsAllocateLittle: a run of few EDTs uses the memory of the runs before it.
func TestTinyRunsAllocateLittle(t *testing.T) {
	if testrun.Race() {
		t.Skip("the race detector's own allocations are counted too")
	}
	run := func() { mustRun(t, starting(tiny), Workers(1)) }
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
