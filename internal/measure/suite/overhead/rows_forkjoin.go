package overhead

import (
	"fmt"
	"sync"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
	"ocr/task"
)

// fibN is the argument of fork-join fib, fibValue the result, and fibCalls the number of its calls, the first included:
// one for each leaf (fibLeaves, the Fibonacci number after fibValue) and one for each join of two.
const (
	fibN      = 20
	fibValue  = 6765
	fibLeaves = 10946
	fibCalls  = 2*fibLeaves - 1
)

// scopes is the number of finish EDTs of the row finish-scope.
const scopes = 1000

func forkJoinRows() []*Row {
	return []*Row{
		fibRow("control", bothCalls, func(c *edt.Ctx, end guid.GUID) {
			hi, lo := end.Words()
			c.NewEDT(fibCall, edt.Params(hi, lo, 0, fibN))
		}).programs(fibCalls, fibValue, []int{fibN},
			program("tbb-task_group", peers.TBB, "fib", bothCalls), program("tbb-inline", peers.TBB, "fib-inline", oneInline),
			program("omp-task", peers.OpenMP, "fib", bothCalls), program("omp-inline", peers.OpenMP, "fib-inline", oneInline),
			program("gomp-task", peers.GOMP, "fib", bothCalls), program("gomp-inline", peers.GOMP, "fib-inline", oneInline)),
		fibRow("typed", "", func(c *edt.Ctx, end guid.GUID) {
			done := task.Once[task.Nothing](c)
			c.AddDependence(done.GUID, end, 0, datablock.Null)
			typedFib.New(c, typedCall{done.Port(), fibN})
		}),
		row("finish-scope/shape=flat", "a finish EDT that does nothing, one of 1000 side by side in a scope",
			scoped(scopes, func(c *edt.Ctx) {
				for range scopes {
					c.Spawn(bare[0], &edt.Spec{Finish: true})
				}
			}).as(""),
			whole("goroutine", scopes, goroutines)),
	}
}

// fibRow is a row that runs fib: the function build begins it, and the result satisfies slot 0 of the EDT end.
func fibRow(values, does string, build func(c *edt.Ctx, end guid.GUID)) *Row {
	w := work{ops: fibCalls, alone: true, open: func(c *edt.Ctx, l *lane) func(*edt.Ctx) {
		end := template(c, "overhead.fib-end", 1, l.end)
		return func(c *edt.Ctx) { build(c, c.NewEDT(end, nil)) }
	}}
	return row("fork-join-fib/values="+values,
		fmt.Sprintf("a call of recursive fib(%d), an EDT each and one for each join; values: %s", fibN, values), w.as(does),
		whole("goroutine-waitgroup", fibCalls, func(int) int { return fibCalls * int(goFib(fibN)) / fibValue }))
}

// A call of fib is an EDT, and so is the join of two. Their parameters are the EDT and the slot that they satisfy at
// the end, and a call's n.
var fibCall, fibJoin *edt.Template

func init() {
	fibJoin = edt.NewTemplate("overhead.fib-join", 3, 2, satisfySlot)
	fibCall = edt.NewTemplate("overhead.fib-call", 4, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		n := in.Param(3)
		if n < 2 {
			return satisfySlot(c, in)
		}
		hi, lo := c.NewEDT(fibJoin, in.Params()[:3]).Words()
		c.NewEDT(fibCall, edt.Params(hi, lo, 0, n-1))
		c.NewEDT(fibCall, edt.Params(hi, lo, 1, n-2))
		return guid.Null
	})
}

// A typedCall is the parameter of a call in package task.
type typedCall struct {
	To task.Port[task.Nothing] // receives the result
	N  int
}

var (
	typedFib  = task.Declare0[typedCall]("overhead.fib-call-typed")
	typedJoin = task.Define2("overhead.fib-join-typed", func(
		c *edt.Ctx, to task.Port[task.Nothing], _, _ task.After,
	) {
		to.Signal(c)
	})

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
