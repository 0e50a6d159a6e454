package edt

import (
	"unsafe"

	"ocr/internal/core/block"
)

// What follows reads records that workers write meanwhile, without synchronisation. The
// race detector leaves it alone. The callers check what they get: a record may
// be half of one object and half of the next.

// Began returns how many EDTs a worker has begun, about. Any goroutine may call it
// until [Graph.Close] is called.
//
//go:norace
func (g *Graph) Began(worker int) uint64 {
	if c := g.ctxs[worker].Load(); c != nil {
		return c.n.EDTRun
	}
	return 0
}

//go:norace
func (g *Graph) peekWorker(k int) WorkerState {
	c := g.ctxs[k].Load()
	w := WorkerState{Worker: g.firstWorker() + k}
	if c == nil {
		return w
	}
	w.Ran = c.n.EDTRun
	i := c.current
	if i == 0 {
		return w
	}
	if r := g.edts.Find(i); r != nil {
		if t := *r; t.phase == phaseRunning {
			if name := g.nameOf(&t); name != gone {
				w.EDT, w.Template, w.About = g.edtGUID(i, &t), name, g.peekAbout(i, &t)
			}
		}
	}
	return w
}

// peekHolder returns the event for which the EDT of an index waits with revocable holds, and the event's head then.
//
//go:norace
func (g *Graph) peekHolder(i uint32) (e *event, head uint64) {
	if t := g.edts.Find(i); t != nil && t.code&flagHolds != 0 {
		for n := range t.slots {
			if s := &t.slots[n]; s.link&linkState == slotWaiting {
				return g.events.Find(uint32(s.word)), slotRef(i, n) | refHolds
			}
		}
	}
	return nil, 0
}

//go:norace
func peekEDT(r *edtRecord) edtRecord { return *r }

//go:norace
func peekLow(r *edtRecord, i uint32) uint64 { return r.Low(i) }

//go:norace
func peekEvent(r *event) event { return *r }

//go:norace
func peekNode(r *node) (next, dst uint64) {
	if r.high != 0 { // of another rank
		return r.next, 0
	}
	return r.next, r.dst
}

//go:norace
func peekBlock(r *block.Record, i uint32) uint64 { return r.Low(i) }

// peekLink returns the link word of a slot of an EDT whose record was copied to t.
//
//go:norace
func peekLink(g *Graph, i uint32, t *edtRecord, n uint32) uint64 {
	if n >= t.depc {
		return 0
	}
	if t.depc <= inlineSlots {
		return t.slots[n&(inlineSlots-1)].link
	}
	if slots := peekSpill(g, i, t); int(n) < len(slots) {
		return slots[n].link
	}
	return 0
}

// peekSlots returns a copy of the slots of an EDT whose record was copied to t.
//
//go:norace
func peekSlots(g *Graph, i uint32, t *edtRecord) []slot {
	if t.depc <= inlineSlots {
		return t.slots[:t.depc]
	}
	slots := peekSpill(g, i, t)
	if len(slots) < int(t.depc) {
		return nil
	}
	copied := make([]slot, t.depc)
	for n := range copied { // not by copy, which tells the race detector
		copied[n] = slots[n]
	}
	return copied
}

// peekSpill returns the spilled slots of an EDT whose record was copied to t, nil
// if the record is another's by now: while it is the same EDT's, the list stays in place.
//
//go:norace
func peekSpill(g *Graph, i uint32, t *edtRecord) []slot {
	sp := g.spills.find(uint32(t.slots[0].word))
	if sp == nil {
		return nil
	}
	slots := sp.slots
	now := peekEDT(g.edts.At(i))
	if torn(slots) || now.Header != t.Header || now.slots[0].word != t.slots[0].word || now.phase == phaseFree {
		return nil
	}
	return slots
}

// torn reports whether a slice has the length of after its first assignment, and the place of before: none.
func torn[T any](s []T) bool { return len(s) > 0 && unsafe.SliceData(s) == nil }

// peekAbout returns what the template of an EDT, whose record was copied to t, says of it.
func (g *Graph) peekAbout(i uint32, t *edtRecord) string {
	tmpl := g.template(t)
	if tmpl == nil || tmpl.describe == nil {
		return ""
	}
	about := ""
	ignoreFault(func() { about = tmpl.About(peekParams(g, i, t), nil) })
	return about
}

// peekParams returns a copy of the parameters of an EDT whose record was copied to t.
//
//go:norace
func peekParams(g *Graph, i uint32, t *edtRecord) []uint64 {
	n := t.code >> paramShift & paramMask
	if n <= inlineParams {
		return t.params[:n]
	}
	sp := g.spills.find(uint32(t.params[0]))
	if sp == nil {
		return nil
	}
	params := sp.params
	if now := peekEDT(g.edts.At(i)); torn(params) || now.Header != t.Header || now.params[0] != t.params[0] ||
		now.phase == phaseFree {
		return nil
	}
	copied := make([]uint64, len(params))
	for n := range copied { // not by copy, which tells the race detector
		copied[n] = params[n]
	}
	return copied
}
