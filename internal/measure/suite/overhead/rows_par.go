package overhead

import (
	"sync"
	"sync/atomic"

	"ocr/edt"
	"ocr/guid"
	"ocr/task"
	"ocr/task/par"
)

// loopLen is how many indexes a parallel loop has, an EDT for each; loopSum is their sum.
const (
	loopLen = 1000
	loopSum = loopLen * (loopLen - 1) / 2
)

var (
	parLoop  = par.DefineFor0("overhead.par-for", func(*edt.Ctx, task.Nothing, int, int) {})
	parTotal = par.DefineReduce("overhead.par-total", func(into, from *int) { *into += *from })
	parSum   = par.DefineFor0("overhead.par-sum", func(c *edt.Ctx, _ task.Nothing, lo, _ int) { *parTotal.Value(c) += lo })
	parEnd   = task.Define1("overhead.par-end", func(c *edt.Ctx, end guid.GUID, sum par.Value[int]) {
		expect("sum", loopSum, uint64(sum.Take(c)))
		signal(c, end)
	})
	parDone = task.Define1("overhead.par-done", func(c *edt.Ctx, end guid.GUID, _ task.After) { signal(c, end) })
)

// loopSplits is how many EDTs split the loop: one for each 15 or 16 indexes.
const loopSplits = 64

func parRows() []*Row {
	empty := graph{
		parts: loopLen,
		build: func(c *edt.Ctx, end guid.GUID) {
			done := task.Once[task.Nothing](c)
			parDone.New(c, end, done.From())
			parLoop.For(c, task.Nothing{}, 0, loopLen, 1, done)
		},
		counts: plus(ran(loopLen+loopSplits+1), anEvent, dependence),
	}
	sum := graph{
		parts: loopLen,
		build: func(c *edt.Ctx, end guid.GUID) {
			sum := par.Future[int](c)
			parEnd.New(c, end, sum.From())
			parSum.For(c, task.Nothing{}, 0, loopLen, 1, parTotal.Group(c, 0, sum).Output)
		},
		counts: plus(ran(loopLen+loopSplits+2), times(2, anEvent), times(2, aBlock), dependence, satisfied),
	}
	return []*Row{
		empty.row("parallel-for/body=empty", "an EDT of a loop over 1000 indexes, in package task/par, its body empty",
			graphPeer("goroutine-waitgroup", loopLen, func() int { return goLoop(new(atomic.Int64)) })),
		sum.row("parallel-for/body=sum", "the same, and it adds its index to a value of its worker; these are added up",
			graphPeer("goroutine-atomic-add", loopLen, func() int {
				var sum atomic.Int64
				n := goLoop(&sum)
				expect("sum", loopSum, uint64(sum.Load()))
				return n
			})),
	}
}

// goLoop starts a goroutine for each index, and returns how many there were.
func goLoop(sum *atomic.Int64) int {
	var wait sync.WaitGroup
	for k := range loopLen {
		wait.Go(func() { sum.Add(int64(k)) })
	}
	wait.Wait()
	return loopLen
}
