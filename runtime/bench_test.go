package runtime_test

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/sys"
	"ocr/runtime"
	"ocr/task"
)

// inMain times loops of API calls inside a main EDT, on one worker.
func inMain(b *testing.B, body func(c *edt.Ctx, n int)) {
	b.Helper()
	run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		body(c, 1000)
		b.ReportAllocs()
		b.ResetTimer()
		body(c, b.N)
		b.StopTimer()
		c.Shutdown()
		return guid.Null
	}, runtime.Workers(1))
}

func run(b *testing.B, main edt.Func, opts ...runtime.Option) {
	b.Helper()
	if err := runtime.Run(context.Background(), main, opts...); err != nil {
		b.Fatal(err)
	}
}

// batch is how many objects the single operations are timed on at a time: few
// enough to stay in the caches, enough to hide the two clock reads.
const batch = 256

// operation times act alone, for batches of objects between prepare and cleanup.
// The batches are EDTs of the lowest priority, so that whatever act makes ready
// runs, untimed, between two batches.
func operation(b *testing.B, prepare, act, cleanup func(c *edt.Ctx, k int)) {
	b.Helper()
	var total int64
	left := (b.N + batch - 1) / batch
	units := left * batch
	run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		once := c.NewTemplate("batch", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			for k := range batch {
				prepare(c, k)
			}
			start := sys.Nanotime()
			for k := range batch {
				act(c, k)
			}
			total += sys.Nanotime() - start
			for k := range batch {
				cleanup(c, k)
			}
			return guid.Null
		})
		// The next batch waits for what this one made ready, in its finish scope.
		var next *edt.Template
		next = c.NewTemplate("next", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			if left--; left < 0 {
				return guid.Null
			}
			task, ended := c.Spawn(once, &edt.Spec{Finish: true, Output: true})
			c.NewEDT(next, nil, edt.From(ended, datablock.Null))
			c.AddDependence(guid.Null, task, 0, datablock.Null)
			return guid.Null
		})
		c.NewEDT(next, nil, edt.From(guid.Null, datablock.Null))
		return guid.Null
	}, runtime.Workers(1))
	b.ReportMetric(float64(total)/float64(units), "ns/unit")
}

var (
	benchEvents [batch]guid.GUID
	benchEDTs   [batch]guid.GUID
)

func BenchmarkOperation(b *testing.B) {
	none := func(*edt.Ctx, int) {}
	newEvent := func(c *edt.Ctx, k int) { benchEvents[k] = c.NewEvent(edt.Sticky) }
	newEDT := func(c *edt.Ctx, k int) { benchEDTs[k] = c.NewEDT(noop2, nil) }
	both := func(c *edt.Ctx, k int) { newEvent(c, k); newEDT(c, k) }
	waiting := func(c *edt.Ctx, k int) {
		newEvent(c, k)
		benchEDTs[k] = c.NewEDT(noop1, nil, edt.From(benchEvents[k], datablock.RW))
	}
	dropEvent := func(c *edt.Ctx, k int) { c.DestroyEvent(benchEvents[k]) }
	dropEDT := func(c *edt.Ctx, k int) { c.DestroyEDT(benchEDTs[k]) }
	satisfy := func(c *edt.Ctx, k int) { c.Satisfy(benchEvents[k], guid.Null) }
	depend := func(c *edt.Ctx, k int) { c.AddDependence(benchEvents[k], benchEDTs[k], 0, datablock.RW) }

	b.Run("event-create", func(b *testing.B) { operation(b, none, newEvent, dropEvent) })
	b.Run("event-destroy", func(b *testing.B) { operation(b, newEvent, dropEvent, none) })
	b.Run("satisfy/waiters=0", func(b *testing.B) { operation(b, newEvent, satisfy, dropEvent) })
	b.Run("satisfy/waiters=1", func(b *testing.B) { operation(b, waiting, satisfy, dropEvent) })
	b.Run("edt-create/slots=2", func(b *testing.B) { operation(b, none, newEDT, dropEDT) })
	b.Run("add-dependence", func(b *testing.B) {
		operation(b, both, depend, func(c *edt.Ctx, k int) { dropEvent(c, k); dropEDT(c, k) })
	})
}

func BenchmarkEventCreateDestroy(b *testing.B) {
	inMain(b, func(c *edt.Ctx, n int) {
		for range n {
			c.DestroyEvent(c.NewEvent(edt.Sticky))
		}
	})
}

var (
	noop0 = edt.NewTemplate("bench.noop0", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	noop1 = edt.NewTemplate("bench.noop1", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	noop2 = edt.NewTemplate("bench.noop2", 0, 2, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
)

func BenchmarkBlockCreateDestroy(b *testing.B) {
	for _, size := range []int{64, 4096} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			inMain(b, func(c *edt.Ctx, n int) {
				for range n {
					g, _ := c.NewBlock(size)
					c.DestroyBlock(g)
				}
			})
		})
	}
}

// The chain templates make their own successor; the parameter counts down.
var chainEvent, chainPlain *edt.Template

func init() {
	chainEvent = edt.NewTemplate("bench.chain-event", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			e := c.NewEvent(edt.Once)
			next := c.NewEDT(chainEvent, edt.Params(n-1))
			c.AddDependence(e, next, 0, datablock.RW)
			c.Satisfy(e, guid.Null)
		}
		return guid.Null
	})
	chainPlain = edt.NewTemplate("bench.chain-plain", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			c.NewEDT(chainPlain, edt.Params(n-1))
		}
		return guid.Null
	})
}

func forWorkers(b *testing.B, f func(b *testing.B, workers int)) {
	for _, w := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", w), func(b *testing.B) { f(b, w) })
	}
}

func BenchmarkChainEvent(b *testing.B) {
	forWorkers(b, func(b *testing.B, workers int) {
		b.ReportAllocs()
		run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			b.ResetTimer()
			c.NewEDT(chainEvent, edt.Params(uint64(b.N)), edt.From(guid.Null, datablock.RW))
			return guid.Null
		}, runtime.Workers(workers))
	})
}

func BenchmarkChainPlain(b *testing.B) {
	forWorkers(b, func(b *testing.B, workers int) {
		run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			b.ResetTimer()
			c.NewEDT(chainPlain, edt.Params(uint64(b.N)))
			return guid.Null
		}, runtime.Workers(workers))
	})
}

// rounds runs a graph again and again within one run: round makes it, and the event
// it returns triggers when the graph is done. The first, cold, round is not timed.
func rounds(b *testing.B, workers, units int, round func(c *edt.Ctx) (done guid.GUID)) {
	b.Helper()
	n := 0
	var again *edt.Template
	begin := func(c *edt.Ctx) {
		done := round(c)
		c.NewEDT(again, nil, edt.From(done, datablock.Null))
	}
	run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		again = c.NewTemplate("again", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			if n == 0 {
				b.ResetTimer()
			}
			if n++; n <= b.N {
				begin(c)
			} else {
				b.StopTimer()
				c.Shutdown()
			}
			return guid.Null
		})
		begin(c)
		return guid.Null
	}, runtime.Workers(workers))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(units), "ns/unit")
}

// Independent EDTs in a finish scope: one producer, then all done.
var producer = edt.NewTemplate("bench.producer", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	for range in.Param(0) {
		c.NewEDT(noop0, nil)
	}
	return guid.Null
})

func BenchmarkIndependent(b *testing.B) {
	const n = 100_000
	forWorkers(b, func(b *testing.B, workers int) {
		rounds(b, workers, n, func(c *edt.Ctx) guid.GUID {
			done := c.NewEvent(edt.Once)
			c.Spawn(producer, &edt.Spec{Params: edt.Params(n), Finish: true, OutputEvent: done, DepCount: 0})
			return done
		})
	})
}

// Fork-join fib: a call is an EDT, and so is the sum of two calls. Parameters: n,
// and the EDT and slot that the result goes to, as a dependence on its block.
var fib, fibSum *edt.Template

func init() {
	fibSum = edt.NewTemplate("bench.fib-sum", 3, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		a, b := in.Dep(0), in.Dep(1)
		datablock.Slice[uint64](a)[0] += datablock.Slice[uint64](b)[0]
		sum := a.GUID()
		c.DestroyBlock(b.GUID())
		c.Release(sum)
		giveResult(c, in, 0, sum)
		return guid.Null
	})
	fib = edt.NewTemplate("bench.fib", 4, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(3); n < 2 {
			g, bytes := c.NewBlock(8)
			datablock.SliceOf[uint64](bytes)[0] = n
			c.Release(g)
			giveResult(c, in, 0, g)
			return guid.Null
		}
		forkFib(c, in, fib, fibSum)
		return guid.Null
	})
}

// giveResult adds the dependence on the result that params at..at+2 ask for.
func giveResult(c *edt.Ctx, in edt.Args, at int, result guid.GUID) {
	c.AddDependence(result, guid.FromWords(in.Param(at), in.Param(at+1)), int(in.Param(at+2)), datablock.RW)
}

func forkFib(c *edt.Ctx, in edt.Args, call, join *edt.Template) {
	n := in.Param(3)
	hi, lo := c.NewEDT(join, in.Params()[:3]).Words()
	c.NewEDT(call, edt.Params(hi, lo, 0, n-1))
	c.NewEDT(call, edt.Params(hi, lo, 1, n-2))
}

// The same without values: control only, as the peers' fork-join benchmarks.
var fibCall, fibJoin *edt.Template

func init() {
	fibJoin = edt.NewTemplate("bench.fib-join", 3, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		giveResult(c, in, 0, guid.Null)
		return guid.Null
	})
	fibCall = edt.NewTemplate("bench.fib-call", 4, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if in.Param(3) < 2 {
			giveResult(c, in, 0, guid.Null)
			return guid.Null
		}
		forkFib(c, in, fibCall, fibJoin)
		return guid.Null
	})
}

func fibCalls(n int) int {
	a, b := 1, 1
	for range n {
		a, b = b, a+b+1
	}
	return a
}

func benchFib(b *testing.B, root *edt.Template) {
	const n = 20
	forWorkers(b, func(b *testing.B, workers int) {
		rounds(b, workers, fibCalls(n), func(c *edt.Ctx) guid.GUID {
			done := c.NewEvent(edt.Sticky)
			sink := c.NewTemplate("sink", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
				if r := in.Dep(0); !r.IsNull() {
					if got := datablock.Slice[uint64](r)[0]; got != 6765 {
						b.Errorf("fib(%d) = %d", n, got)
					}
					c.DestroyBlock(r.GUID())
				}
				c.Satisfy(done, guid.Null)
				return guid.Null
			})
			hi, lo := c.NewEDT(sink, nil).Words()
			c.NewEDT(root, edt.Params(hi, lo, 0, n))
			return done
		})
	})
}

func BenchmarkFibBlocks(b *testing.B) { benchFib(b, fib) }
func BenchmarkFib(b *testing.B)       { benchFib(b, fibCall) }

// The same in package task, without values.
type typedCall struct {
	To task.Port[task.Nothing]
	N  int
}

var (
	typedJoin = task.Define2("bench.fib-join-typed", func(c *edt.Ctx, to task.Port[task.Nothing], _, _ task.After) { to.Signal(c) })
	typedSink = task.Define1("bench.fib-sink-typed", func(c *edt.Ctx, done task.Event[task.Nothing], _ task.After) { done.Signal(c) })
	typedFib  = task.Declare0[typedCall]("bench.fib-call-typed")

	_ = typedFib.Body(func(c *edt.Ctx, p typedCall) {
		if p.N < 2 {
			p.To.Signal(c)
			return
		}
		join := typedJoin.NewOpen(c, p.To)
		typedFib.New(c, typedCall{join.Slot0(), p.N - 1})
		typedFib.New(c, typedCall{join.Slot1(), p.N - 2})
	})
)

func BenchmarkFibTyped(b *testing.B) {
	const n = 20
	forWorkers(b, func(b *testing.B, workers int) {
		rounds(b, workers, fibCalls(n), func(c *edt.Ctx) guid.GUID {
			done := task.Sticky[task.Nothing](c)
			typedFib.New(c, typedCall{typedSink.NewOpen(c, done).Slot0(), n})
			return done.GUID
		})
	})
}

// The wavefront: a cell waits for its upper and left neighbours' events, and
// satisfies its own, which its lower and right neighbours wait for.
var cell *edt.Template

func init() {
	cell = edt.NewTemplate("bench.cell", 2, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), guid.Null)
		return guid.Null
	})
}

// Each round is a run of its own, as a program would do it: objects then lie in the
// order in which they were made. The sizes take turns, and the first run of a turn is not
// counted: the memory of records that the small one does not need was given back. The
// quickest of the others counts. "ratio" is a cell's time in the large one over that in the
// small one: what records cost the cache.
func BenchmarkWavefront(b *testing.B) {
	forWorkers(b, func(b *testing.B, workers int) {
		small, large := newWavefront(150), newWavefront(500)
		for range b.N {
			large.turn(b, workers, 2)
			small.turn(b, workers, 1+large.n*large.n/(small.n*small.n))
		}
		for _, w := range []*wavefront{small, large} {
			b.ReportMetric(w.built, fmt.Sprintf("build-ns/cell-%d", w.n))
			b.ReportMetric(w.ran, fmt.Sprintf("run-ns/cell-%d", w.n))
		}
		b.ReportMetric((large.built+large.ran)/(small.built+small.ran), "ratio")
		b.ReportMetric(large.ran/small.ran, "run-ratio")
		b.ReportMetric(0, "ns/op")
	})
}

// A wavefront has n by n cells. It knows the shortest times of its runs, in nanoseconds a
// cell.
type wavefront struct {
	n          int
	events     []guid.GUID
	built, ran float64
}

func newWavefront(n int) *wavefront {
	return &wavefront{n: n, events: make([]guid.GUID, n*n), built: math.Inf(1), ran: math.Inf(1)}
}

func (w *wavefront) turn(b *testing.B, workers, runs int) {
	for k := range runs {
		if built, ran := w.run(b, workers); k > 0 {
			cells := float64(w.n * w.n)
			w.built, w.ran = min(w.built, float64(built)/cells), min(w.ran, float64(ran)/cells)
		}
	}
}

func (w *wavefront) run(b *testing.B, workers int) (built, ran int64) {
	var start, ready, done int64
	run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		start = sys.Nanotime()
		first := buildWavefront(c, w.events, w.n)
		ready = sys.Nanotime()
		end := c.NewTemplate("end", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			done = sys.Nanotime()
			c.Shutdown()
			return guid.Null
		})
		c.NewEDT(end, nil, edt.From(w.events[w.n*w.n-1], datablock.Null))
		c.Satisfy(first, guid.Null)
		return guid.Null
	}, runtime.Workers(workers))
	return ready - start, done - ready
}

// buildWavefront makes the graph and returns the event that starts it.
func buildWavefront(c *edt.Ctx, events []guid.GUID, n int) guid.GUID {
	for k := range events {
		events[k] = c.NewEvent(edt.Sticky)
	}
	start := c.NewEvent(edt.Once)
	for i := range n {
		for j := range n {
			up, left := edt.From(guid.Null, datablock.Null), edt.From(guid.Null, datablock.Null)
			if i > 0 {
				up = edt.From(events[(i-1)*n+j], datablock.Null)
			}
			if j > 0 {
				left = edt.From(events[i*n+j-1], datablock.Null)
			}
			if i == 0 && j == 0 {
				up = edt.From(start, datablock.Null)
			}
			hi, lo := events[i*n+j].Words()
			c.NewEDT(cell, edt.Params(hi, lo), up, left)
		}
	}
	return start
}

// Hand-off: a chain of EDTs that run on two workers in turn. Spinning, the other
// worker is looking for work when its EDT comes; parked, it has gone to sleep.
var pingPong *edt.Template

func init() {
	pingPong = edt.NewTemplate("bench.ping-pong", 2, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		n, pause := in.Param(0), int64(in.Param(1))
		for until := sys.Nanotime() + pause; pause > 0 && sys.Nanotime() < until; {
		}
		if n == 0 {
			c.Shutdown()
			return guid.Null
		}
		e := c.NewEvent(edt.Once)
		c.NewEDTAt(c.Bind(1-c.Worker()), pingPong, edt.Params(n-1, in.Param(1)), edt.From(e, datablock.RW))
		c.Satisfy(e, guid.Null)
		return guid.Null
	})
}

// benchLine is what the hardware takes to hand over one cache line: two bound EDTs
// count up in turn on a word of a block. On virtual machines it depends on where
// the hypervisor has put the processors, and the hand-off of EDTs with it.
func benchLine(b *testing.B) {
	var taker *edt.Template
	run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		n := uint64(b.N) &^ 1
		taker = c.NewTemplate("taker", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			word := &datablock.Slice[uint64](in.Dep(0))[0]
			for k := in.Param(0); k < n; k += 2 {
				for atomic.LoadUint64(word) != k {
				}
				atomic.StoreUint64(word, k+1)
			}
			return guid.Null
		})
		word := c.NewBlockNoAcquire(64)
		b.ResetTimer()
		for k := range 2 {
			c.NewEDTAt(c.Bind(k), taker, edt.Params(uint64(k)), edt.From(word, datablock.RW))
		}
		return guid.Null
	}, runtime.Workers(2))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/unit")
}

func BenchmarkHandOff(b *testing.B) {
	hop := func(b *testing.B, pause time.Duration, opts ...runtime.Option) {
		run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			b.ResetTimer()
			c.NewEDT(pingPong, edt.Params(uint64(b.N), uint64(pause)), edt.From(guid.Null, datablock.RW))
			return guid.Null
		}, append(opts, runtime.Workers(2))...)
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)-float64(pause.Nanoseconds()), "ns/unit")
	}
	b.Run("line", benchLine)
	b.Run("spinning", func(b *testing.B) { hop(b, 0) })
	b.Run("parked", func(b *testing.B) { hop(b, 20*time.Microsecond, runtime.Spin(0)) })
}
