package runtime_test

import (
	"context"
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
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

func BenchmarkEventCreateDestroy(b *testing.B) {
	inMain(b, func(c *edt.Ctx, n int) {
		for range n {
			c.DestroyEvent(c.NewEvent(edt.Sticky))
		}
	})
}

// batch is how many objects the benchmarks keep alive at a time: enough to hide
// the ends of the loop, few enough to stay in the first-level cache.
const batch = 64

// perBatch times act alone, between prepare and cleanup, for batches of objects.
func perBatch(b *testing.B, prepare, act, cleanup func(c *edt.Ctx, k int)) {
	b.Helper()
	run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		b.ReportAllocs()
		b.ResetTimer()
		b.StopTimer()
		for done := 0; done < b.N; done += batch {
			for k := range batch {
				prepare(c, k)
			}
			b.StartTimer()
			for k := range batch {
				act(c, k)
			}
			b.StopTimer()
			for k := range batch {
				cleanup(c, k)
			}
		}
		c.Shutdown()
		return guid.Null
	}, runtime.Workers(1))
}

var (
	noop0 = edt.NewTemplate("bench.noop0", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	noop1 = edt.NewTemplate("bench.noop1", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	noop2 = edt.NewTemplate("bench.noop2", 0, 2, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
)

func BenchmarkEDTCreateDestroy(b *testing.B) {
	inMain(b, func(c *edt.Ctx, n int) {
		for range n {
			c.DestroyEDT(c.NewEDT(noop2, nil))
		}
	})
}

// The next ones time a loop over [rounds] of batches by difference: create, act
// and destroy together, beside create and destroy alone.
func BenchmarkSatisfySticky(b *testing.B) {
	inMain(b, func(c *edt.Ctx, n int) {
		for range n {
			e := c.NewEvent(edt.Sticky)
			c.Satisfy(e, guid.Null)
			c.DestroyEvent(e)
		}
	})
}

func BenchmarkAddDependence(b *testing.B) {
	inMain(b, func(c *edt.Ctx, n int) {
		for range n {
			e := c.NewEvent(edt.Sticky)
			t := c.NewEDT(noop2, nil)
			c.AddDependence(e, t, 0, datablock.RW)
			c.DestroyEvent(e)
			c.DestroyEDT(t)
		}
	})
}

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

// Independent EDTs in a finish scope: one producer, then all done.
var producer = edt.NewTemplate("bench.producer", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	for range in.Param(0) {
		c.NewEDT(noop0, nil)
	}
	return guid.Null
})

func BenchmarkIndependent(b *testing.B) {
	forWorkers(b, func(b *testing.B, workers int) {
		run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			b.ResetTimer()
			_, done := c.Spawn(producer, edt.Spec{Params: edt.Params(uint64(b.N)), Finish: true, OutputEvent: c.NewEvent(edt.Sticky)})
			stop := c.NewTemplate("stop", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				b.StopTimer()
				return guid.Null
			})
			c.NewEDT(stop, nil, edt.From(done, datablock.Null))
			return guid.Null
		}, runtime.Workers(workers))
	})
}

// Fork-join fib: a call is an EDT, and so is the sum of two calls.
var fib, fibSum *edt.Template

func init() {
	fibSum = edt.NewTemplate("bench.fib-sum", 0, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		a, b := datablock.Slice[uint64](in.Dep(0)), datablock.Slice[uint64](in.Dep(1))
		a[0] += b[0]
		c.DestroyBlock(in.Dep(1).GUID())
		return in.Dep(0).GUID()
	})
	fib = edt.NewTemplate("bench.fib", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		n := in.Param(0)
		if n < 2 {
			g, bytes := c.NewBlock(8)
			datablock.SliceOf[uint64](bytes)[0] = n
			return g
		}
		sum, out := c.Spawn(fibSum, edt.Spec{Output: true})
		a, b := c.NewEvent(edt.Once), c.NewEvent(edt.Once)
		c.AddDependence(a, sum, 0, datablock.RW)
		c.AddDependence(b, sum, 1, datablock.RW)
		c.Spawn(fib, edt.Spec{Params: edt.Params(n - 1), OutputEvent: a})
		c.Spawn(fib, edt.Spec{Params: edt.Params(n - 2), OutputEvent: b})
		return out
	})
}

// Control-only fib: calls count into latches, no blocks, as the peers' empty
// fork-join benchmarks do.
var fibCall, fibJoin *edt.Template

func init() {
	fibJoin = edt.NewTemplate("bench.fib-join", 1, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		return guid.Null
	})
	fibCall = edt.NewTemplate("bench.fib-call", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		n := in.Param(0)
		if n < 2 {
			return guid.Null
		}
		join, out := c.Spawn(fibJoin, edt.Spec{Params: edt.Params(n), Output: true})
		a, b := c.NewEvent(edt.Once), c.NewEvent(edt.Once)
		c.AddDependence(a, join, 0, datablock.Null)
		c.AddDependence(b, join, 1, datablock.Null)
		c.Spawn(fibCall, edt.Spec{Params: edt.Params(n - 1), OutputEvent: a})
		c.Spawn(fibCall, edt.Spec{Params: edt.Params(n - 2), OutputEvent: b})
		return out
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
		calls := fibCalls(n)
		for range b.N {
			run(b, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				c.NewEDT(root, edt.Params(n))
				return guid.Null
			}, runtime.Workers(workers))
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*calls), "ns/call")
	})
}

func BenchmarkFibBlocks(b *testing.B) { benchFib(b, fib) }
func BenchmarkFib(b *testing.B)       { benchFib(b, fibCall) }
