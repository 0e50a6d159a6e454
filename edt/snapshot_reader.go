package edt

import (
	"fmt"
	"runtime/debug"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/block"
)

// A glance reads the records of a graph that runs. Workers write them meanwhile, most
// of them without synchronisation, so everything is copied out first, in functions
// that the race detector is told to leave alone, and kept only if the record held the
// same object before and after.
type glance struct {
	g        *Graph
	blocked  map[uint32]wanted // EDT -> the block that it waits for
	labelled map[slotOf]guid.GUID
	outputs  map[uint64]uint32   // event's low GUID word -> EDT whose output it is
	feeders  map[uint64][]uint64 // event -> events that it waits for
	members  map[uint32]*crowd   // finish scope -> EDTs in it, those of inner scopes too
	holders  map[uint64]*crowd   // block -> EDTs that were given it
	links    []link
	traced   map[uint64]bool // events whose suppliers are among the links
	shown    map[uint64]bool // the same of blocks
}

// A wanted block is one that an EDT waits for.
type wanted struct {
	low  uint64
	mode datablock.Mode
}

// A crowd is EDTs, of which the first few are named.
type crowd struct {
	count int
	first []uint32
}

const crowdShown = 3

func (m *crowd) add(i uint32) {
	m.count++
	if len(m.first) < crowdShown {
		m.first = append(m.first, i)
	}
}

// addTo adds an EDT to a crowd of m, which it makes if there is none.
func addTo[K comparable](m map[K]*crowd, key K, i uint32) {
	c := m[key]
	if c == nil {
		c = new(crowd)
		m[key] = c
	}
	c.add(i)
}

func (g *Graph) newGlance() *glance {
	l := &glance{
		g: g, blocked: make(map[uint32]wanted), labelled: g.labels.awaited(),
		outputs: make(map[uint64]uint32), feeders: make(map[uint64][]uint64),
		members: make(map[uint32]*crowd), holders: make(map[uint64]*crowd), traced: make(map[uint64]bool), shown: make(map[uint64]bool),
	}
	g.blocks.Waiting(func(block uint32, w block.Waiter) {
		l.blocked[w.EDT] = wanted{peekBlock(g.blocks.At(block), block), w.Mode}
	})
	for _, w := range l.blocked {
		l.holders[w.low] = new(crowd)
	}
	g.edts.Peek(l.meet)
	g.events.Peek(func(i uint32) { careful(func() { l.feed(i) }) })
	return l
}

// careful calls f, which reads what others write, and bears a fault: a slice whose
// length and place were read at different times may reach beyond its memory.
func careful(f func()) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		v := recover()
		if _, isFault := v.(interface{ Addr() uintptr }); v != nil && !isFault {
			panic(v)
		}
	}()
	f()
}

// meet notes what EDT i owes to others.
func (l *glance) meet(i uint32) {
	t, ok := l.task(i)
	if !ok {
		return
	}
	if t.out != 0 {
		l.outputs[t.out] = i
	}
	for s, depth := t.scope, 0; s != 0 && depth < nestingShown; depth++ {
		addTo(l.members, s, i)
		e, ok := l.event(s)
		if !ok || e.typ != scopeEvent {
			break
		}
		s = e.parent
	}
	if len(l.holders) > 0 && (t.phase == phaseReady || t.phase == phaseRunning) {
		careful(func() { l.meetHolder(i, &t) })
	}
}

// meetHolder notes which of the blocks that others wait for an EDT was given.
func (l *glance) meetHolder(i uint32, t *edtRecord) {
	for _, s := range peekSlots(l.g, i, t) {
		if c := l.holders[s.word]; c != nil && s.state() == slotFilled && s.mode() != datablock.Null && s.link&linkShared == 0 {
			c.add(i)
		}
	}
}

// listLimit bounds how many waiters of one event are followed: a list that changes
// meanwhile need not end. nestingShown bounds how far out finish scopes are.
const (
	listLimit    = 1 << 16
	nestingShown = 64
)

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
	if ref&refNode != 0 {
		if n := l.g.nodes.Find(i); n != nil {
			return peekNode(n)
		}
		return 0, 0
	}
	r := l.g.edts.Find(i)
	if r == nil {
		return 0, 0
	}
	t := peekEDT(r)
	return peekLink(l.g, i, &t, uint32(ref>>refSlotShift)&MaxDeps) & refMask, 0
}

// waiting describes an EDT that cannot run.
func (l *glance) waiting(i uint32, t *edtRecord) WaitingEDT {
	id := l.edtGUID(i, t)
	w := WaitingEDT{EDT: id, Template: l.g.nameOf(t), Site: l.g.sites.of(guid.KindEDT, i)}
	if b, ok := l.blocked[i]; ok {
		w.Missing = append(w.Missing, MissingSlot{-1, l.wait(id, b)})
	}
	careful(func() {
		for n, s := range peekSlots(l.g, i, t) {
			if s.state() == slotFilled {
				continue
			}
			if len(w.Missing) == slotsShown {
				w.Missing = append(w.Missing, MissingSlot{n, "and perhaps more from here on"})
				break
			}
			w.Missing = append(w.Missing, MissingSlot{n, l.lacks(id, n, &s)})
		}
	})
	return w
}

// lacks says what slot n of an EDT waits for.
func (l *glance) lacks(id guid.GUID, n int, s *slot) string {
	to, label := edtParty(id), fmt.Sprintf("slot %d", n)
	if s.state() != slotOpen {
		l.link(l.eventParty(s.word), to, label)
		l.trace(s.word)
		return l.source(s.word)
	}
	name, ok := l.labelled[slotOf{id, n}]
	if !ok {
		l.link(party{openSlot, id, fmt.Sprint(n), "not connected"}, to, label)
		return "not connected"
	}
	l.link(party{labelled, name, "", "no object created"}, to, label)
	return fmt.Sprintf("label %v, no object created", name)
}

// wait says what it is that an EDT waits for a block to be given back by.
func (l *glance) wait(id guid.GUID, b wanted) string {
	block := l.g.blockGUID(b.low)
	p := party{heldBlock, block, "", "data block"}
	l.link(p, edtParty(id), "in mode "+b.mode.String())
	what := fmt.Sprintf("data block %v, not granted in mode %v", block, b.mode)
	c := l.holders[b.low]
	if !l.shown[b.low] {
		l.shown[b.low] = true
		for _, i := range c.first {
			l.linkEDT(i, p, "holds")
		}
	}
	return what + l.crowd("; it was given to %s", c)
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
			what += "; it is the output of " + l.nameEDT(i, &t)
		}
	}
	for n, from := range l.feeders[lo] {
		if n == crowdShown {
			return what + fmt.Sprintf(" and %d more", len(l.feeders[lo])-n)
		}
		f, ok := l.event(uint32(from))
		switch {
		case !ok || !f.Is(from):
		case f.typ == scopeEvent:
			what += l.crowd("; the finish scope of %s is to satisfy it", l.members[uint32(from)])
		default:
			what += fmt.Sprintf("; %v event %v is to satisfy it", f.typ&typeMask, guid.FromWords(l.g.highEvent, from))
		}
	}
	return what
}

// nameEDT names an EDT and says what it does.
func (l *glance) nameEDT(i uint32, t *edtRecord) string {
	return fmt.Sprintf("EDT %v of template %s, which %s", l.edtGUID(i, t), l.g.nameOf(t), t.phase)
}

// crowd names the first of a crowd in a sentence, "" where it is empty.
func (l *glance) crowd(sentence string, c *crowd) string {
	if c == nil {
		return ""
	}
	for _, i := range c.first {
		t, ok := l.task(i)
		if !ok {
			continue
		}
		who := l.nameEDT(i, &t)
		if c.count > 1 {
			who = fmt.Sprintf("%d EDTs, one of them %s,", c.count, who)
		}
		return fmt.Sprintf(sentence, who)
	}
	return ""
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
	return "has ended"
}

// task copies the record of an EDT that is alive.
func (l *glance) task(i uint32) (t edtRecord, ok bool) {
	r := l.g.edts.Find(i)
	if r == nil {
		return t, false
	}
	t = peekEDT(r)
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

// nameOf returns the name of an EDT's template, "?" if the EDT has ended since it was
// looked at, and its template has gone.
func (g *Graph) nameOf(t *edtRecord) string {
	if tmpl := g.template(t); tmpl != nil {
		return tmpl.name
	}
	return gone
}

const gone = "?"

func (l *glance) edtGUID(i uint32, t *edtRecord) guid.GUID {
	return guid.FromWords(l.g.highEDT, t.Low(i))
}

// Began returns how many EDTs a worker has begun, about. Any goroutine may call it
// until [Graph.Close] is called.
//
//go:norace
func (g *Graph) Began(worker int) uint64 { return g.ctxs[worker].n.EDTRun }

//go:norace
func (g *Graph) peekWorker(c *Ctx) WorkerState {
	w := WorkerState{Worker: c.worker, Ran: c.n.EDTRun}
	i := c.currentIndex
	if c.current == nil {
		return w
	}
	if r := g.edts.Find(i); r != nil {
		if t := *r; t.phase == phaseRunning {
			if name := g.nameOf(&t); name != gone {
				w.EDT, w.Template = guid.FromWords(g.highEDT, t.Low(i)), name
			}
		}
	}
	return w
}

//go:norace
func peekEDT(r *edtRecord) edtRecord { return *r }

//go:norace
func peekLow(r *edtRecord, i uint32) uint64 { return r.Low(i) }

//go:norace
func peekEvent(r *event) event { return *r }

//go:norace
func peekNode(r *node) (next, dst uint64) { return r.next, r.dst }

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
// where it is another by now: while it is the same its list stays where it is.
//
//go:norace
func peekSpill(g *Graph, i uint32, t *edtRecord) []slot {
	sp := g.spills.Find(uint32(t.slots[0].word))
	if sp == nil {
		return nil
	}
	slots := sp.slots
	now := peekEDT(g.edts.At(i))
	if now.Header != t.Header || now.slots[0].word != t.slots[0].word || now.phase == phaseFree {
		return nil
	}
	return slots
}
