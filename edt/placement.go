package edt

import "ocr/guid"

// An Affinity says where an EDT runs: anywhere (the zero value), preferably on a
// worker, or only there. [Ctx.Place] and [Ctx.Bind] make one.
type Affinity uint16

const strictBit = 1 << 15

// MaxWorkers is the largest number of workers that an Affinity can tell apart.
const MaxWorkers = strictBit - 1

// PlaceOn prefers a worker: once that worker has taken the EDT up, idle workers may still steal it.
func PlaceOn(worker int) Affinity { return Affinity(worker + 1) }

// BindTo is strict: only that worker runs the EDT.
func BindTo(worker int) Affinity { return Affinity(worker+1) | strictBit }

// Worker returns the worker's number, -1 for anywhere.
func (a Affinity) Worker() int { return int(a&^strictBit) - 1 }

// Strict reports whether only that worker may run the EDT.
func (a Affinity) Strict() bool { return a&strictBit != 0 }

// Places returns how many workers have a processor of their own: workers 0 to Places()-1 do. It is the number to spread
// work over; with more workers than processors it is the number of processors. With several ranks it is [Ctx.Workers].
func (c *Ctx) Places() int { return c.g.placesInAll }

// Place returns the affinity that prefers a worker: 0 to [Ctx.Workers] - 1. Another number ends the run ([ErrHint]).
func (c *Ctx) Place(worker int) Affinity {
	c.checkWorker("place", worker)
	return PlaceOn(worker)
}

// Bind returns the affinity that binds an EDT to a worker: no other worker runs it. For the numbers see [Ctx.Place].
func (c *Ctx) Bind(worker int) Affinity {
	c.checkWorker("bind", worker)
	return BindTo(worker)
}

func (c *Ctx) checkWorker(op string, worker int) {
	if worker < 0 || worker >= c.g.workersInAll {
		c.misuse(op, ErrHint, guid.Null, "worker %d, the run has 0 to %d", worker, c.g.workersInAll-1)
	}
}

// A Hint advises where and when an EDT should run. It never changes the results of a program. Only a strict affinity is
// binding: no other worker runs the EDT. The EDTs of a template inherit its hint (OCR 1.2, B.1).
type Hint struct {
	// Priority is -128 to 127, 0 by default. EDTs with a higher one run earlier.
	Priority int8
	// Affinity is where the EDT should run.
	Affinity Affinity
}

// SetHint sets the hint of an EDT of this rank that has not become runnable. The run ends if the EDT is runnable
// ([ErrRunnable]), is on another rank ([ErrHint]) or has ended ([ErrStale]).
func (c *Ctx) SetHint(edt guid.GUID, h Hint) {
	c.checkPlace("set hint", h.Affinity)
	if c.isRemote(edt, guid.KindEDT) {
		c.misuse("set hint", ErrHint, edt, "the EDT lives on rank %d: set its hint there, or when it is created", edt.Home())
	}
	t := c.waitingEDT("set hint", edt)
	t.prio, t.place = h.Priority, c.placeHere(h.Affinity)
}

// checkPlace ends the run if an affinity names no worker of the run.
func (c *Ctx) checkPlace(op string, a Affinity) {
	if a != 0 {
		c.checkWorker(op, a.Worker())
	}
}

// waitingEDT returns the record of an EDT that has not become runnable. It ends the run for any other GUID.
func (c *Ctx) waitingEDT(op string, g guid.GUID) *edtRecord {
	if hi, _ := g.Words(); hi != c.highEDT {
		c.wrongKind(op, g, guid.KindEDT)
	}
	t := c.lookup(op, g, ErrStale)
	if t.phase != phaseWaiting {
		c.misuse(op, ErrRunnable, g, "")
	}
	return t
}

// placeHere turns a place over all ranks, as programs know it, into a place in a record, on this rank. A place on
// another rank becomes 0, any worker, because EDTs do not change their rank.
func (c *Ctx) placeHere(a Affinity) Affinity {
	r := c.g.ranks
	if r == nil || a == 0 {
		return a
	}
	n := c.g.config.Workers
	if a.Worker()/n != r.Rank {
		return 0
	}
	return Affinity(a.Worker()%n+1) | a&strictBit
}
