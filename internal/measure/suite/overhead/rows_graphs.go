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

// fanWidth is how many EDTs wait for one event, or satisfy one EDT.
const fanWidth = 1000

func graphRows() []*Row {
	return []*Row{
		// Only the row of few EDTs has these two forms: a StarPU task takes microseconds, a goroutine 3 KiB.
		manyRow(1000, whole("goroutine-waitgroup", 1000, goroutines),
			program("starpu", peers.StarPU, "independent", oneMakes)),
		manyRow(100_000),
		row("fan-out/n=1000", "one of n EDTs behind one event, made, triggered and run in a finish scope",
			scoped(fanWidth, func(c *edt.Ctx) {
				e := c.NewEvent(edt.Once)
				for range fanWidth {
					c.NewEDT(bare[1], nil, edt.From(e, datablock.Null))
				}
				c.Satisfy(e, guid.Null)
			}).as("")),
		row("fan-in/n=1000", "one of n EDTs, each of which satisfies a slot of one EDT, made and run",
			work{ops: fanWidth, alone: true, open: fanIn}.as(""), whole("goroutine-waitgroup", fanWidth, goroutines)),
	}
}

func manyRow(n int, beside ...Form) *Row {
	makesAll := scoped(n, func(c *edt.Ctx) {
		for range n {
			c.NewEDT(bare[0], nil)
		}
	})
	return row(fmt.Sprintf("edt-create-run/n=%d", n),
		"one of n independent EDTs made by another in a finish scope, from its creation to its end",
		makesAll.as(oneMakes), beside...).programs(n, sumTo(n), []int{n},
		program("tbb-task_group", peers.TBB, "independent", oneMakes),
		program("omp-task", peers.OpenMP, "independent", oneMakes),
		program("gomp-task", peers.GOMP, "independent", oneMakes),
		program("tbb-parallel_for", peers.TBB, "independent-loop", inALoop),
		program("omp-taskloop", peers.OpenMP, "independent-loop", inALoop))
}

func goroutines(n int) int {
	var wait sync.WaitGroup
	var ran atomic.Int64
	for range n {
		wait.Go(func() { ran.Add(1) })
	}
	wait.Wait()
	return int(ran.Load())
}

// fanIn creates an EDT, and for each of its slots an EDT that satisfies the slot.
func fanIn(c *edt.Ctx, l *lane) func(*edt.Ctx) {
	meet := template(c, "overhead.fan-in", fanWidth, l.end)
	part := c.NewTemplate("overhead.fan-in-part", 3, 0, satisfySlot)
	return func(c *edt.Ctx) {
		hi, lo := c.NewEDT(meet, nil).Words()
		for k := range uint64(fanWidth) {
			c.NewEDT(part, edt.Params(hi, lo, k))
		}
	}
}

// satisfySlot is the body of an EDT that satisfies a slot of another EDT: its first three parameters name EDT and slot.
func satisfySlot(c *edt.Ctx, in edt.Args) guid.GUID {
	c.AddDependence(guid.Null, guid.FromWords(in.Param(0), in.Param(1)), int(in.Param(2)), datablock.Null)
	return guid.Null
}
