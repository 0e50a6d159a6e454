package overhead

import (
	"sync/atomic"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

const (
	thefts      = 64      // EDTs to be stolen at a time
	napping     = 200_000 // ns, not counted, in which the other worker gives up its search and sleeps before a hop
	pollsToRest = 1024    // polls before a thread yields its processor
)

func workerRows() []*Row {
	return []*Row{
		row("steal/gap=default",
			"an EDT that others steal, at most one each a microsecond, while its worker is busy: from creation to end",
			work{ops: thefts, alone: true, open: steal}.as(""), whole("goroutine", thefts, taken)).on(2),
		row("hand-off/to=spinning",
			"an EDT behind an event, bound to another worker, which looks for work: both created, made ready, begun there",
			handOff(200, 0)).on(2),
		row("hand-off/to=parked", "the same to a worker that sleeps", handOff(20, napping)).on(2),
	}
}

// steal returns rounds of EDTs that worker 0 creates and other workers take: a round lasts until they have taken 64
// (thefts). A round has one EDT more than that, as thieves may leave a single EDT alone.
func steal(c *edt.Ctx, l *lane) func(*edt.Ctx) {
	var stolen atomic.Int64
	loot := template(c, "overhead.loot", 0, func(c *edt.Ctx) {
		if c.Worker() != 0 {
			stolen.Add(1)
		}
	})
	return func(c *edt.Ctx) {
		due := stolen.Load() + thefts
		for range thefts + 1 {
			c.NewEDT(loot, nil)
		}
		for polls := 1; stolen.Load() < due && l.ctx.Err() == nil; polls++ {
			if polls%pollsToRest == 0 {
				sys.Yield()
			}
		}
		l.end(c)
	}
}

// taken starts goroutines that other processors take: it returns when they have run.
func taken(n int) int {
	var ran atomic.Int64
	for range n {
		go func() { ran.Add(1) }()
	}
	for int(ran.Load()) < n {
	}
	return int(ran.Load())
}

// handOff is a chain of EDTs that run on workers 0 and 1 in turn. Each waits for pause ns before it creates the next;
// the wait is not counted.
func handOff(hops int, pause int64) Form {
	return work{ops: hops, alone: true, open: func(c *edt.Ctx, l *lane) func(*edt.Ctx) {
		var next *edt.Template
		next = c.NewTemplate("overhead.hop", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			expect("worker of a hop", in.Param(0)%2, uint64(c.Worker()))
			if pause > 0 {
				l.began += spend(pause)
			}
			if left := in.Param(0); left > 0 {
				handOver(c, next, left-1)
			} else {
				l.end(c)
			}
			return guid.Null
		})
		return func(c *edt.Ctx) { handOver(c, next, uint64(hops-1)) }
	}}.as("")
}

// handOver creates an EDT for the other worker and satisfies its event.
func handOver(c *edt.Ctx, t *edt.Template, left uint64) {
	e := c.NewEvent(edt.Once)
	c.NewEDTAt(c.Bind(int(left%2)), t, edt.Params(left), edt.From(e, datablock.RW))
	c.Satisfy(e, guid.Null)
}

// spend waits for at least ns nanoseconds, and returns how long it has waited.
func spend(ns int64) (passed int64) {
	for start := trial.Now(); passed < ns; {
		passed = trial.Now() - start
	}
	return passed
}
