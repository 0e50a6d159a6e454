package overhead

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
)

// chainLen is how many EDTs of a chain are timed at a time.
const chainLen = 2000

// The EDTs of a chain have three parameters: how many follow, and in two words the EDT that the last one satisfies.
var chainPlain, chainEvent *edt.Template

func init() {
	chainPlain = edt.NewTemplate("overhead.chain-plain", 3, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if left := in.Param(0); left > 0 {
			c.NewEDT(chainPlain, edt.Params(left-1, in.Param(1), in.Param(2)))
		} else {
			signal(c, in)
		}
		return guid.Null
	})
	chainEvent = edt.NewTemplate("overhead.chain-event", 3, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if left := in.Param(0); left > 0 {
			behindEvent(c, edt.Params(left-1, in.Param(1), in.Param(2)))
		} else {
			signal(c, in)
		}
		return guid.Null
	})
}

func signal(c *edt.Ctx, in edt.Args) {
	c.AddDependence(guid.Null, guid.FromWords(in.Param(1), in.Param(2)), 0, datablock.Null)
}

// behindEvent creates an event and an EDT that waits for it, and satisfies the event.
func behindEvent(c *edt.Ctx, params []uint64) {
	e := c.NewEvent(edt.Once)
	next := c.NewEDT(chainEvent, params)
	c.AddDependence(e, next, 0, datablock.RW)
	c.Satisfy(e, guid.Null)
}

// chain returns a work each of whose rounds is a chain on the lane's worker. Function first creates its first EDT.
func chain(first func(c *edt.Ctx, params []uint64)) work {
	return work{ops: chainLen, open: func(c *edt.Ctx, l *lane) func(*edt.Ctx) {
		end := template(c, "overhead.chain-end", 1, l.end)
		return func(c *edt.Ctx) {
			hi, lo := c.NewEDTAt(l.home(c), end, nil).Words()
			first(c, edt.Params(chainLen-1, hi, lo))
		}
	}}
}

func chainRows() []*Row {
	plain := chain(func(c *edt.Ctx, params []uint64) { c.NewEDT(chainPlain, params) })
	return []*Row{
		row("chain/plain", "an EDT that makes the next: create, run, end", plain.as(nextByLast),
			each("goroutine", 1000, goNext)).chains(50_000, program("tbb-tasks", peers.TBB, "chain", nextByLast)),
		row("chain/event",
			"an EDT that makes the next behind a once event: two creations, a dependence, a satisfaction, run, end",
			chain(behindEvent).as(builtEach), each("goroutine-channel", 1000, hop)).chains(chainLen,
			program("tbb-flow", peers.TBB, "chain-once", builtOnce),
			program("tbb-flow-light", peers.TBB, "chain-light", builtOnce),
			program("tbb-flow-each", peers.TBB, "chain-each", builtEach),
			program("omp-depend", peers.OpenMP, "chain", builtEach),
			program("gomp-depend", peers.GOMP, "chain", builtEach),
			program("starpu", peers.StarPU, "chain", builtEach)),
	}
}

// goNext starts n goroutines, each of which starts the next.
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

// hop sends a count to and fro between two goroutines.
func hop(n int) (count int) {
	there, back := make(chan int), make(chan int)
	go func() {
		for v := range there {
			back <- v + 1
		}
	}()
	for range n / 2 {
		there <- count + 1
		count = <-back
	}
	close(there)
	return count
}
