package edt

import "ocr/guid"

// A Hint advises where and when an EDT should run. It never changes the results of
// a program. Only a strict affinity is binding: no other worker runs the EDT. The
// EDTs of a template inherit its hint (OCR 1.2, B.1).
type Hint struct {
	// Priority is -128 to 127, 0 by default. EDTs with a higher one run earlier.
	Priority int8
	// Affinity is where the EDT should run.
	Affinity Affinity
}

// SetHint sets the hint of an EDT that has not become runnable.
func (c *Ctx) SetHint(edt guid.GUID, h Hint) {
	c.checkPlace("set hint", h.Affinity)
	if c.isAway(edt, guid.KindEDT) {
		c.misuse("set hint", ErrHint, edt, "the EDT lives on rank %d: set its hint there, or when it is created", edt.Home())
	}
	t := c.waitingEDT("set hint", edt)
	t.prio, t.place = h.Priority, c.placeHere(h.Affinity)
}

// checkPlace ends the run if an affinity names no worker of the run.
func (c *Ctx) checkPlace(op string, a Affinity) {
	if w := a.Worker(); a == 0 || w >= 0 && w < c.g.workersInAll {
		return
	}
	c.misuse(op, ErrHint, guid.Null, "worker %d, the run has 0 to %d", a.Worker(), c.g.workersInAll-1)
}

// waitingEDT looks up an EDT that has not become runnable.
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

// globalPlace turns a place in a record, on this rank, into one over all ranks, as programs know it.
func (g *Graph) globalPlace(a Affinity) Affinity {
	if r := g.away; r != nil && a != 0 {
		a += Affinity(r.Rank * g.config.Workers)
	}
	return a
}

// placeHere is the inverse. A place on another rank becomes anywhere, because EDTs do not change their rank.
func (c *Ctx) placeHere(a Affinity) Affinity {
	r := c.g.away
	if r == nil || a == 0 {
		return a
	}
	n := c.g.config.Workers
	if a.Worker()/n != r.Rank {
		return 0
	}
	return Affinity(a.Worker()%n+1) | a&strictBit
}
