package overhead

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
)

// Chains: each EDT makes the next, at once or behind an event.
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

// behindEvent makes an event, an EDT and a dependence, and satisfies the event.
func behindEvent(c *edt.Ctx, params []uint64) {
	e := c.NewEvent(edt.Once)
	next := c.NewEDT(chainEvent, params)
	c.AddDependence(e, next, 0, datablock.RW)
	c.Satisfy(e, guid.Null)
}

func chainRows() []*Row {
	plain := chain{first: func(c *edt.Ctx, _ *lane, params []uint64) { c.NewEDT(chainPlain, params) }}
	plain.perOp = ran(1)
	event := chain{first: func(c *edt.Ctx, _ *lane, params []uint64) { behindEvent(c, params) }}
	event.perOp = plus(ran(1), anEvent, satisfied, dependence)
	return []*Row{
		{
			Name: "chain/plain", What: "an EDT that makes the next: create, run, end", measure: plain.measure,
			Does: nextByLast,
			Peers: []Peer{functionChain, goroutineChain,
				chained(program{"tbb-tasks", peers.TBB, "chain", nextByLast}, 50_000)},
		},
		{
			Name: "chain/event", Does: builtEach, measure: event.measure,
			What: "an EDT that makes the next behind a once event: two creations, a dependence, a satisfaction, run, end",
			Peers: []Peer{
				channelHops,
				chained(program{"tbb-flow", peers.TBB, "chain-once", builtOnce}, chainLen),
				chained(program{"tbb-flow-light", peers.TBB, "chain-light", builtOnce}, chainLen),
				chained(program{"tbb-flow-each", peers.TBB, "chain-each", builtEach}, chainLen),
				chained(program{"omp-depend", peers.OpenMP, "chain", builtEach}, chainLen),
				chained(program{"gomp-depend", peers.GOMP, "chain", builtEach}, chainLen),
				chained(program{"starpu", peers.StarPU, "chain", builtEach}, chainLen),
			},
		},
	}
}

// functionChain calls functions that each call the next.
var functionChain = loop("function-call", 500, callNext)

//go:noinline
func callNext(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + callNext(n-1)
}

// goroutineChain starts goroutines that each start the next.
var goroutineChain = loop("goroutine-waitgroup", peerLen, func(n int) (steps int) {
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
})

// channelHops passes a value on between two goroutines by channels; an operation is one
// way.
var channelHops = loop("goroutine-channel", peerLen, func(n int) int { return hop(n, func(f func()) { go f() }) })

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
