package edt

import (
	"fmt"
	"sync/atomic"

	"ocr/guid"
)

// A glance reads the records of a graph that runs. Workers write them meanwhile, most
// of them without synchronisation, so everything is copied out first, in functions
// that the race detector is told to leave alone, and kept only if the record held the
// same object before and after.
type glance struct {
	g        *Graph
	blocked  map[uint32]blockWait
	labelled map[slotOf]guid.GUID
	outputs  map[uint64]uint32   // event's low GUID word -> EDT whose output it is
	feeders  map[uint64][]uint64 // event -> events that it waits for
}

func (g *Graph) newGlance() *glance {
	l := &glance{
		g: g, blocked: g.blockWaiters(), labelled: g.labels.awaited(),
		outputs: make(map[uint64]uint32), feeders: make(map[uint64][]uint64),
	}
	g.tasks.Peek(func(i uint32) {
		if t, ok := l.task(i); ok && t.out != 0 {
			l.outputs[t.out] = i
		}
	})
	g.events.Peek(l.feed)
	return l
}

// listLimit bounds how many waiters of one event are followed: a list that changes
// meanwhile need not end.
const listLimit = 1 << 16

// feed notes the events that wait for event i.
func (l *glance) feed(i uint32) {
	e, ok := l.event(i)
	if !ok {
		return
	}
	if e.typ == scopeEvent {
		if e.out != 0 {
			l.feeders[e.out] = append(l.feeders[e.out], e.Low(i))
		}
		return
	}
	for ref, n := e.head, 0; ref != 0 && ref&headKind == 0 && n < listLimit; n++ {
		var dst uint64
		ref, dst = l.next(ref)
		if dst != 0 {
			l.feeders[dst] = append(l.feeders[dst], e.Low(i))
		}
	}
}

// next returns the waiter after ref, and which event ref makes wait, if any.
func (l *glance) next(ref uint64) (after, dst uint64) {
	i := uint32(ref)
	if ref&refNode == 0 {
		t := l.g.tasks.Find(i)
		n := uint32(ref>>refSlotShift) & MaxDeps
		if t == nil || t.depc > inlineSlots && l.g.spills.Find(spillOf(t)) == nil || n >= t.depc {
			return 0, 0
		}
		return peekLink(l.g, t, n) & refMask, 0
	}
	if n := l.g.nodes.Find(i); n != nil {
		return peekNode(n)
	}
	return 0, 0
}

// waiting describes an EDT that cannot run.
func (l *glance) waiting(i uint32, t *task) WaitingEDT {
	id := guid.FromWords(l.g.highEDT, t.Low(i))
	w := WaitingEDT{EDT: id, Template: l.g.nameOf(t), Site: l.g.sites.of(guid.KindEDT, i)}
	if b, ok := l.blocked[i]; ok {
		w.Missing = append(w.Missing, MissingSlot{b.slot, b.lacks})
	}
	for n, s := range peekSlots(l.g, i, t) {
		if len(w.Missing) == slotsShown {
			w.Missing = append(w.Missing, MissingSlot{n, "and perhaps more from here on"})
			break
		}
		switch s.state() {
		case slotOpen:
			lacks := "not connected"
			if label, ok := l.labelled[slotOf{id, n}]; ok {
				lacks = fmt.Sprintf("label %v, no object created", label)
			}
			w.Missing = append(w.Missing, MissingSlot{n, lacks})
		case slotWaiting, slotLost:
			w.Missing = append(w.Missing, MissingSlot{n, l.source(s.word)})
		}
	}
	return w
}

// source says which event feeds a slot, and who is to satisfy that.
func (l *glance) source(lo uint64) string {
	e, ok := l.event(uint32(lo))
	if !ok || !e.Is(lo) {
		return l.g.describeGone(lo)
	}
	what := l.g.describeEvent(uint32(lo), &e)
	if i, ok := l.outputs[lo]; ok {
		if t, ok := l.task(i); ok {
			what += fmt.Sprintf("; it is the output of EDT %v of template %s, which %s",
				guid.FromWords(l.g.highEDT, t.Low(i)), l.g.nameOf(&t), t.phase)
		}
	}
	for n, from := range l.feeders[lo] {
		if n == 3 {
			return what + fmt.Sprintf(" and %d more", len(l.feeders[lo])-n)
		}
		if f, ok := l.event(uint32(from)); ok {
			what += fmt.Sprintf("; %v event %v is to satisfy it", f.typ, guid.FromWords(l.g.highEvent, from))
		}
	}
	return what
}

func (p phase) String() string {
	switch p {
	case phaseWaiting:
		return "waits"
	case phaseRunnable:
		return "acquires its blocks"
	case phaseReady:
		return "is ready"
	case phaseRunning:
		return "runs"
	}
	return "is gone"
}

// task copies the record of an EDT that is alive.
func (l *glance) task(i uint32) (t task, ok bool) {
	r := l.g.tasks.Find(i)
	if r == nil {
		return t, false
	}
	t = peekTask(r)
	return t, t.phase != phaseFree && t.phase != phaseZombie && t.Is(peekLow(r, i))
}

// event copies the record of an event or scope that is alive.
func (l *glance) event(i uint32) (e event, ok bool) {
	r := l.g.events.Find(i)
	if r == nil {
		return e, false
	}
	e = peekEvent(r)
	return e, e.typ != 0
}

func (g *Graph) nameOf(t *task) string {
	if tmpl := g.template(t); tmpl != nil {
		return tmpl.name
	}
	return "?"
}

//go:norace
func (g *Graph) peekWorker(c *Ctx) WorkerState {
	w := WorkerState{Worker: c.worker, Ran: c.n.EDTRun}
	if c.current != nil {
		i := c.currentIndex
		if t := g.tasks.Find(i); t != nil {
			copied := *t
			w.EDT = guid.FromWords(g.highEDT, copied.Low(i))
			w.Template = g.nameOf(&copied)
		}
	}
	return w
}

//go:norace
func peekTask(r *task) task { return *r }

//go:norace
func peekLow(r *task, i uint32) uint64 { return r.Low(i) }

//go:norace
func peekEvent(r *event) event { return *r }

//go:norace
func peekNode(r *node) (next, dst uint64) { return r.next, r.dst }

//go:norace
func spillOf(t *task) uint32 { return uint32(t.slots[0].word) }

//go:norace
func peekLink(g *Graph, t *task, n uint32) uint64 {
	if t.depc <= inlineSlots {
		return t.slots[n&(inlineSlots-1)].link
	}
	if slots := g.spills.At(spillOf(t)).slots; int(n) < len(slots) {
		return slots[n].link
	}
	return 0
}

// peekSlots copies the slots of an EDT whose record was copied to t. Spilled slots are
// read only if the EDT is still the same: then their list does not change.
//
//go:norace
func peekSlots(g *Graph, i uint32, t *task) []slot {
	if t.depc <= inlineSlots {
		return append([]slot(nil), t.slots[:t.depc]...)
	}
	sp := g.spills.Find(uint32(t.slots[0].word))
	if sp == nil || atomic.LoadUint32(&g.tasks.At(i).need) == 0 || !g.tasks.At(i).Is(t.Low(i)) || len(sp.slots) < int(t.depc) {
		return nil
	}
	return append([]slot(nil), sp.slots[:t.depc]...)
}
