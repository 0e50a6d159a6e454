package overhead

import (
	"fmt"
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
	"ocr/task"
	"ocr/task/par"
)

func forkJoinRows() []*Row {
	control := fibRow("control", func(c *edt.Ctx, end guid.GUID) { rawFib(c, end, fibCall) }, bothCalls)
	control.Forms = append(control.Forms, ask(fibCalls, fibValue, []int{fibN},
		program{"tbb-task_group", peers.TBB, "fib", bothCalls}, program{"tbb-inline", peers.TBB, "fib-inline", oneInline},
		program{"omp-task", peers.OpenMP, "fib", bothCalls}, program{"omp-inline", peers.OpenMP, "fib-inline", oneInline},
		program{"gomp-task", peers.GOMP, "fib", bothCalls}, program{"gomp-inline", peers.GOMP, "fib-inline", oneInline})...)
	return []*Row{
		control,
		fibRow("blocks", func(c *edt.Ctx, end guid.GUID) { rawFib(c, end, fibBlock) }, ""),
		fibRow("typed", func(c *edt.Ctx, end guid.GUID) {
			typedFib.New(c, typedCall{typedEnd.NewOpen(c, end).Slot0(), fibN})
		}, ""),
		scopeRow("flat", "a finish EDT that does nothing, one of 1000 side by side in a scope", flatScopes),
		scopeRow("nested", "a finish EDT, one of 1000 each within the one before", nestedScopes),
		loopRow(),
	}
}

// fibN is what fork-join fib is asked for, fibValue the answer, and fibCalls how often fib calls itself for it, the
// first call included: a call for each leaf (there are as many as the next Fibonacci number) and for each join of two.
const (
	fibN      = 20
	fibValue  = 6765
	fibLeaves = 10946
	fibCalls  = 2*fibLeaves - 1
)

// fibRow is a row of a fib that build begins.
func fibRow(values string, build func(c *edt.Ctx, end guid.GUID), does string) *Row {
	return graph{
		parts: fibCalls,
		build: func(c *edt.Ctx, _ *lane, end guid.GUID) { build(c, end) },
	}.row("fork-join-fib/values="+values,
		fmt.Sprintf("a call of recursive fib(%d), an EDT each and one for each join; values: %s", fibN, values), does,
		whole("function-call", fibCalls, func(int) int { return fibCalls * int(callFib(fibN)) / fibValue }),
		whole("goroutine-waitgroup", fibCalls, func(int) int { return fibCalls * int(goFib(fibN)) / fibValue }))
}

// A call of fib is an EDT, and so is the join of two. Their parameters: the EDT and slot that the result goes to, as a
// dependence on its block, and n.
var fibCall, fibJoin, fibBlock, fibSum *edt.Template

func init() {
	fibJoin = edt.NewTemplate("overhead.fib-join", 3, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		giveResult(c, in, guid.Null)
		return guid.Null
	})
	fibCall = edt.NewTemplate("overhead.fib-call", 4, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if in.Param(3) < 2 {
			giveResult(c, in, guid.Null)
		} else {
			fork(c, in, fibCall, fibJoin)
		}
		return guid.Null
	})
	fibSum = edt.NewTemplate("overhead.fib-sum", 3, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		a, b := in.Dep(0), in.Dep(1)
		datablock.Slice[uint64](a)[0] += datablock.Slice[uint64](b)[0]
		sum := a.GUID()
		c.DestroyBlock(b.GUID())
		c.Release(sum)
		giveResult(c, in, sum)
		return guid.Null
	})
	fibBlock = edt.NewTemplate("overhead.fib-block", 4, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		n := in.Param(3)
		if n >= 2 {
			fork(c, in, fibBlock, fibSum)
			return guid.Null
		}
		g, bytes := c.NewBlock(8)
		datablock.SliceOf[uint64](bytes)[0] = n
		c.Release(g)
		giveResult(c, in, g)
		return guid.Null
	})
}

func giveResult(c *edt.Ctx, in edt.Args, result guid.GUID) {
	c.AddDependence(result, guid.FromWords(in.Param(0), in.Param(1)), int(in.Param(2)), datablock.RW)
}

func fork(c *edt.Ctx, in edt.Args, call, join *edt.Template) {
	n := in.Param(3)
	hi, lo := c.NewEDT(join, in.Params()[:3]).Words()
	c.NewEDT(call, edt.Params(hi, lo, 0, n-1))
	c.NewEDT(call, edt.Params(hi, lo, 1, n-2))
}

// rawFib begins with the first call.
func rawFib(c *edt.Ctx, end guid.GUID, call *edt.Template) {
	hi, lo := end.Words()
	hi, lo = c.NewEDT(fibEnd, edt.Params(hi, lo)).Words()
	c.NewEDT(call, edt.Params(hi, lo, 0, fibN))
}

// fibEnd takes the result, and passes the end on.
var fibEnd = edt.NewTemplate("overhead.fib-end", 2, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
	if result := in.Dep(0); !result.IsNull() {
		expect("fib(20)", fibValue, datablock.Slice[uint64](result)[0])
		c.DestroyBlock(result.GUID())
	}
	signal(c, guid.FromWords(in.Param(0), in.Param(1)))
	return guid.Null
})

// A typedCall is the parameter of a call in package task.
type typedCall struct {
	To task.Port[task.Nothing] // where the result goes
	N  int
}

var (
	typedFib  = task.Declare0[typedCall]("overhead.fib-call-typed")
	typedJoin = task.Define2("overhead.fib-join-typed", func(
		c *edt.Ctx, to task.Port[task.Nothing], _, _ task.After,
	) {
		to.Signal(c)
	})
	typedEnd = task.Define1("overhead.fib-end-typed", func(c *edt.Ctx, end guid.GUID, _ task.After) { signal(c, end) })

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

//go:noinline
func callFib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return callFib(n-1) + callFib(n-2)
}

func goFib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	var a, b uint64
	var wait sync.WaitGroup
	wait.Go(func() { a = goFib(n - 1) })
	wait.Go(func() { b = goFib(n - 2) })
	wait.Wait()
	return a + b
}

// scopes are the finish EDTs of a scope row.
const scopes = 1000

var flatScopes = edt.NewTemplate("overhead.scopes-flat", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	for range in.Param(0) {
		c.Spawn(bare[0], &edt.Spec{Finish: true})
	}
	return guid.Null
})

var nestedScopes *edt.Template

func init() {
	nestedScopes = edt.NewTemplate("overhead.scopes-nested", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if left := in.Param(0); left > 0 {
			c.Spawn(nestedScopes, &edt.Spec{Params: edt.Params(left - 1), Finish: true})
		}
		return guid.Null
	})
}

// scopeRow runs finish EDTs in a scope.
func scopeRow(shape, what string, t *edt.Template) *Row {
	return below(t, scopes).row("finish-scope/shape="+shape, what, "",
		whole("goroutine-waitgroup", scopes, func(n int) (sum int) {
			for range n {
				sum += goroutines(1)
			}
			return sum
		}))
}

// A loop has loopLen indexes, an EDT for each; loopSum is the sum of its indexes.
const (
	loopLen = 1000
	loopSum = loopLen * (loopLen - 1) / 2
)

var (
	parTotal = par.DefineReduce("overhead.par-total", func(into, from *int) { *into += *from })
	parSum   = par.DefineFor0("overhead.par-sum", func(c *edt.Ctx, _ task.Nothing, lo, _ int) { *parTotal.Value(c) += lo })
	parEnd   = task.Define1("overhead.par-end", func(c *edt.Ctx, end guid.GUID, sum par.Value[int]) {
		expect("sum", loopSum, uint64(sum.Take(c)))
		signal(c, end)
	})
)

func loopRow() *Row {
	return graph{parts: loopLen, build: func(c *edt.Ctx, _ *lane, end guid.GUID) {
		sum := par.Future[int](c)
		parEnd.New(c, end, sum.From())
		parSum.For(c, task.Nothing{}, 0, loopLen, 1, parTotal.Group(c, 0, sum).Output)
	}}.row("parallel-for/body=sum",
		"an EDT of a loop over 1000 indexes, in package task/par, that adds its index to a value of its worker", "",
		whole("goroutine-atomic-add", loopLen, func(n int) int {
			var wait sync.WaitGroup
			var sum atomic.Int64
			for k := range n {
				wait.Go(func() { sum.Add(int64(k)) })
			}
			wait.Wait()
			return n * int(sum.Load()) / loopSum
		}))
}
