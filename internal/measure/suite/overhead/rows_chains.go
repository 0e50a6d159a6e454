package overhead

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
)

// chainLen is how many EDTs of a chain are timed at a time.
const chainLen = 2000

// The EDTs of a chain have three parameters: how many follow, and the EDT to satisfy after those.
var chainPlain, chainEvent *edt.Template

func init() {
	chainPlain = edt.NewTemplate("overhead.chain-plain", 3, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if left := in.Param(0); left > 0 {
			c.NewEDT(chainPlain, edt.Params(left-1, in.Param(1), in.Param(2)))
		} else {
			over(c, in)
		}
		return guid.Null
	})
	chainEvent = edt.NewTemplate("overhead.chain-event", 3, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if left := in.Param(0); left > 0 {
			behindEvent(c, edt.Params(left-1, in.Param(1), in.Param(2)))
		} else {
			over(c, in)
		}
		return guid.Null
	})
}

// over ends a chain: it satisfies the EDT that its parameters name.
func over(c *edt.Ctx, in edt.Args) { signal(c, guid.FromWords(in.Param(1), in.Param(2))) }

// behindEvent makes an event, an EDT and a dependence, and satisfies the event.
func behindEvent(c *edt.Ctx, params []uint64) {
	e := c.NewEvent(edt.Once)
	next := c.NewEDT(chainEvent, params)
	c.AddDependence(e, next, 0, datablock.RW)
	c.Satisfy(e, guid.Null)
}

func chainRows() []*Row {
	chain := func(first func(c *edt.Ctx, params []uint64)) graph {
		return graph{parts: chainLen, everyWorker: true, build: func(c *edt.Ctx, _ *lane, end guid.GUID) {
			hi, lo := end.Words()
			first(c, edt.Params(chainLen-1, hi, lo))
		}}
	}
	plain := chain(func(c *edt.Ctx, params []uint64) { c.NewEDT(chainPlain, params) }).row(
		"chain/plain", "an EDT that makes the next: create, run, end", nextByLast,
		each("function-call", 500, callNext), each("goroutine-waitgroup", 1000, goNext))
	plain.Forms = append(plain.Forms, askChains(50_000, program{"tbb-tasks", peers.TBB, "chain", nextByLast})...)
	event := chain(behindEvent).row("chain/event",
		"an EDT that makes the next behind a once event: two creations, a dependence, a satisfaction, run, end", builtEach,
		each("goroutine-channel", 1000, func(n int) int { return hop(n, func(f func()) { go f() }) }))
	event.Forms = append(event.Forms, askChains(chainLen,
		program{"tbb-flow", peers.TBB, "chain-once", builtOnce},
		program{"tbb-flow-light", peers.TBB, "chain-light", builtOnce},
		program{"tbb-flow-each", peers.TBB, "chain-each", builtEach},
		program{"omp-depend", peers.OpenMP, "chain", builtEach},
		program{"gomp-depend", peers.GOMP, "chain", builtEach},
		program{"starpu", peers.StarPU, "chain", builtEach})...)
	return []*Row{plain, event}
}

// callNext calls functions that each call the next.
//
//go:noinline
func callNext(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + callNext(n-1)
}

// goNext starts goroutines that each start the next.
func goNext(n int) (steps int) {
	ended := make(chan struct{})
	var step func(left int)
	step = func(left int) {
		steps++
		if left == 1 {
			close(ended)
			return
		}
		go step(left - 1)
	}
	go step(n)
	<-ended
	return steps
}

// hop sends a count to and fro between two goroutines; start starts the other.
func hop(n int, start func(func())) int {
	there, back := make(chan int), make(chan int)
	start(func() {
		for v := range there {
			back <- v + 1
		}
		close(back)
	})
	v := 0
	for range n / 2 {
		there <- v + 1
		v = <-back
	}
	close(there)
	<-back
	return v
}
