package overhead

import (
	"fmt"
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func fanRows() []*Row {
	var out, in []*Row
	for _, n := range []int{2, 8, 64, 1000, 10_000, 100_000} {
		out, in = append(out, fanOut(n)), append(in, fanIn(n))
	}
	return append(out, in...)
}

// fanOutRoot makes EDTs that wait for one event, and satisfies it.
var fanOutRoot = edt.NewTemplate("overhead.fan-out", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	e := c.NewEvent(edt.Once)
	for range in.Param(0) {
		c.NewEDT(bare[1], nil, edt.From(e, datablock.Null))
	}
	c.Satisfy(e, guid.Null)
	return guid.Null
})

func fanOut(n int) *Row {
	return inScopeRow(fmt.Sprintf("fan-out/n=%d", n),
		"one of n EDTs behind one event, made, triggered and run in a finish scope",
		n, fanOutRoot, n, plus(ran(n), anEvent, satisfied), ofFew("goroutine-channel", n, gate)...)
}

// gate starts n goroutines that wait for a channel to be closed, and waits for them.
func gate(n int) int {
	open := make(chan struct{})
	var wait sync.WaitGroup
	var passed atomic.Int64
	for range n {
		wait.Go(func() {
			<-open
			passed.Add(1)
		})
	}
	close(open)
	wait.Wait()
	return int(passed.Load())
}

// fanInPart satisfies a slot of the EDT that all parts meet in.
var fanInPart = edt.NewTemplate("overhead.fan-in-part", 3, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	c.AddDependence(guid.Null, guid.FromWords(in.Param(0), in.Param(1)), int(in.Param(2)), datablock.Null)
	return guid.Null
})

// fanInSink has as many slots as there are parts.
var fanInSink = edt.NewTemplate("overhead.fan-in", 3, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
	expect("slots of a fan-in", in.Param(0), uint64(len(in.Deps())))
	over(c, in)
	return guid.Null
})

func fanIn(n int) *Row {
	return graph{
		parts: n,
		build: func(c *edt.Ctx, end guid.GUID) {
			hi, lo := end.Words()
			sink, _ := c.Spawn(fanInSink, &edt.Spec{Params: edt.Params(uint64(n), hi, lo), DepCount: n})
			hi, lo = sink.Words()
			for k := range n {
				c.NewEDT(fanInPart, edt.Params(hi, lo, uint64(k)))
			}
		},
		counts: plus(ran(n+1), times(uint64(n+1), dependence)),
	}.row(fmt.Sprintf("fan-in/n=%d", n), "one of n EDTs, each of which satisfies a slot of one EDT, made and run",
		ofFew("goroutine-waitgroup", n, goroutines)...)
}
