package overhead

import (
	"fmt"
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
)

func graphRows() []*Row {
	return []*Row{manyRow(1000), manyRow(100_000), fanOutRow(1000), fanInRow(1000)}
}

// producer makes EDTs without slots.
var producer = edt.NewTemplate("overhead.producer", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	for range in.Param(0) {
		c.NewEDT(bare[0], nil)
	}
	return guid.Null
})

func manyRow(n int) *Row {
	row := below(producer, n).row(fmt.Sprintf("edt-create-run/n=%d", n),
		"one of n independent EDTs made by another in a finish scope, from its creation to its end", oneMakes)
	programs := []program{
		{"tbb-task_group", peers.TBB, "independent", oneMakes}, {"omp-task", peers.OpenMP, "independent", oneMakes},
		{"gomp-task", peers.GOMP, "independent", oneMakes},
		{"tbb-parallel_for", peers.TBB, "independent-loop", inALoop},
		{"omp-taskloop", peers.OpenMP, "independent-loop", inALoop},
		{"gomp-taskloop", peers.GOMP, "independent-loop", inALoop},
	}
	if n <= 1000 { // StarPU takes microseconds for each, and a goroutine some 3 KiB
		programs = append(programs, program{"starpu", peers.StarPU, "independent", oneMakes})
		row.Forms = append(row.Forms, whole("goroutine-waitgroup", n, goroutines))
	}
	row.Forms = append(row.Forms, ask(n, sumTo(n), []int{n}, programs...)...)
	return row
}

// goroutines starts n goroutines and waits for them.
func goroutines(n int) int {
	var wait sync.WaitGroup
	var ran atomic.Int64
	for range n {
		wait.Go(func() { ran.Add(1) })
	}
	wait.Wait()
	return int(ran.Load())
}

// fanOut makes EDTs that wait for one event, and satisfies it.
var fanOut = edt.NewTemplate("overhead.fan-out", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	e := c.NewEvent(edt.Once)
	for range in.Param(0) {
		c.NewEDT(bare[1], nil, edt.From(e, datablock.Null))
	}
	c.Satisfy(e, guid.Null)
	return guid.Null
})

func fanOutRow(n int) *Row {
	return below(fanOut, n).row(fmt.Sprintf("fan-out/n=%d", n),
		"one of n EDTs behind one event, made, triggered and run in a finish scope", "", whole("goroutine-channel", n, gate))
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

// fanIn has as many slots as there are parts.
var fanIn = edt.NewTemplate("overhead.fan-in", 3, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
	expect("slots of a fan-in", in.Param(0), uint64(len(in.Deps())))
	over(c, in)
	return guid.Null
})

func fanInRow(n int) *Row {
	return graph{parts: n, build: func(c *edt.Ctx, _ *lane, end guid.GUID) {
		hi, lo := end.Words()
		meet, _ := c.Spawn(fanIn, &edt.Spec{Params: edt.Params(uint64(n), hi, lo), DepCount: n})
		hi, lo = meet.Words()
		for k := range n {
			c.NewEDT(fanInPart, edt.Params(hi, lo, uint64(k)))
		}
	}}.row(fmt.Sprintf("fan-in/n=%d", n), "one of n EDTs, each of which satisfies a slot of one EDT, made and run", "",
		whole("goroutine-waitgroup", n, goroutines))
}
