package edt

import (
	"fmt"
	"runtime/debug"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
)

// A snapshotReader reads the records of a graph that runs. Workers write them meanwhile, most
// of them without synchronisation, so everything is copied out first, in functions
// that the race detector leaves alone, and kept only if the record held the
// same object before and after.
type snapshotReader struct {
	g       *Graph
	blocked map[uint32]blockedOn // EDT -> the block that it waits for
	outputs map[uint64]uint32    // event's low GUID word -> EDT whose output it is
	feeders map[uint64][]uint64  // event -> events that it waits for
	members map[uint32]*sample   // finish scope -> EDTs in it, those of inner scopes too
	holders map[uint64]*sample   // block -> EDTs that were given it
}

// A blockedOn block is one that an EDT waits for.
type blockedOn struct {
	low  uint64
	mode datablock.Mode
}

// A sample counts EDTs and names the first few.
type sample struct {
	count int
	first []uint32
}

const sampleShown = 3

func (m *sample) add(i uint32) {
	m.count++
	if len(m.first) < sampleShown {
		m.first = append(m.first, i)
	}
}

// addTo adds an EDT to a sample of m, which it makes if there is none.
func addTo[K comparable](m map[K]*sample, key K, i uint32) {
	c := m[key]
	if c == nil {
		c = new(sample)
		m[key] = c
	}
	c.add(i)
}

func (g *Graph) newSnapshotReader() *snapshotReader {
	sr := &snapshotReader{
		g: g, blocked: make(map[uint32]blockedOn),
		outputs: make(map[uint64]uint32), feeders: make(map[uint64][]uint64),
		members: make(map[uint32]*sample), holders: make(map[uint64]*sample),
	}
	g.blocks.Waiting(func(i uint32, w block.Waiter) {
		if w.EDT&block.ForRank != 0 {
			return
		}
		sr.blocked[w.EDT] = blockedOn{peekBlock(g.blocks.At(i), i), w.Mode}
	})
	for _, w := range sr.blocked {
		sr.holders[w.low] = new(sample)
	}
	g.edts.Peek(sr.meet)
	g.events.Peek(func(i uint32) { ignoreFault(func() { sr.feed(i) }) })
	return sr
}

// ignoreFault calls f, which reads what others write, and bears a fault: a slice whose
// length and place were read at different times may reach beyond its memory.
func ignoreFault(f func()) {
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
func (sr *snapshotReader) meet(i uint32) {
	t, ok := sr.edt(i)
	if !ok || t.code&flagNode != 0 {
		return
	}
	if t.out != 0 {
		sr.outputs[t.out] = i
	}
	for s, depth := t.scope, 0; s != 0 && depth < nestingShown; depth++ {
		addTo(sr.members, s, i)
		e, ok := sr.event(s)
		if !ok || e.typ != scopeEvent {
			break
		}
		s = e.parent
	}
	if len(sr.holders) > 0 && (t.phase == phaseReady || t.phase == phaseRunning) {
		ignoreFault(func() { sr.meetHolder(i, &t) })
	}
}

// meetHolder notes which of the blocks that others wait for an EDT was given.
func (sr *snapshotReader) meetHolder(i uint32, t *edtRecord) {
	for _, s := range peekSlots(sr.g, i, t) {
		if c := sr.holders[s.word]; c != nil && s.state() == slotFilled && s.mode() != datablock.Null &&
			s.link&(linkShared|linkNamed) == 0 {
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
func (sr *snapshotReader) feed(i uint32) {
	e, ok := sr.event(i)
	if !ok {
		return
	}
	if e.typ == scopeEvent {
		if e.out != 0 {
			sr.feeders[e.out] = append(sr.feeders[e.out], e.Low(i))
		}
		return
	}
	for ref, n := e.head, 0; ref != 0 && ref&headKind == 0 && n < listLimit; n++ {
		var dst uint64
		ref, dst = sr.next(ref)
		if dst != 0 {
			sr.feeders[dst] = append(sr.feeders[dst], e.Low(i))
		}
	}
}

// next returns the waiter after ref, and which event ref makes wait, if any.
func (sr *snapshotReader) next(ref uint64) (after, dst uint64) {
	i := uint32(ref)
	if ref&refNode != 0 {
		if n := sr.g.nodes.Find(i); n != nil {
			return peekNode(n)
		}
		return 0, 0
	}
	r := sr.g.edts.Find(i)
	if r == nil {
		return 0, 0
	}
	t := peekEDT(r)
	return peekLink(sr.g, i, &t, uint32(ref>>refSlotShift)&MaxDeps) & refMask, 0
}

// waiting describes an EDT that cannot run.
func (sr *snapshotReader) waiting(i uint32, t *edtRecord) WaitingEDT {
	id := sr.g.edtGUID(i, t)
	w := WaitingEDT{EDT: id, Template: sr.g.nameOf(t), About: sr.g.peekAbout(i, t), Site: sr.g.sites.of(guid.KindEDT, i),
		On: sr.g.rankText(id)}
	if b, ok := sr.blocked[i]; ok {
		w.Missing = append(w.Missing, MissingSlot{Slot: -1, Lacks: sr.wait(b)})
	}
	ignoreFault(func() {
		for n, s := range peekSlots(sr.g, i, t) {
			if s.state() == slotFilled {
				continue
			}
			if len(w.Missing) == slotsShown {
				w.Missing = append(w.Missing, MissingSlot{Slot: n, Lacks: "and perhaps more from here on"})
				break
			}
			w.Missing = append(w.Missing, MissingSlot{n, sr.g.slotName(t, n), sr.lacks(&s)})
		}
	})
	return w
}

// lacks says what a slot waits for.
func (sr *snapshotReader) lacks(s *slot) string {
	if s.link&linkRemote != 0 && s.state() != slotOpen {
		from := guid.FromWords(sr.g.space.Of(int(uint16(s.link))).High(uint8(guid.KindEvent)), s.word)
		if s.state() == slotLost {
			return fmt.Sprintf("event %v, destroyed before it triggered", from)
		}
		return fmt.Sprintf("event %v of rank %d", from, from.Home())
	}
	if s.state() != slotOpen {
		return sr.source(s.word)
	}
	return "not connected"
}

// wait says what it is that an EDT waits for a block to be given back by.
func (sr *snapshotReader) wait(b blockedOn) string {
	what := fmt.Sprintf("data block %v, not granted in mode %v", sr.g.blockGUID(b.low), b.mode)
	return what + sr.inSentence("; it was given to %s", sr.holders[b.low])
}

// source says which event feeds a slot, and what is to satisfy that.
func (sr *snapshotReader) source(lo uint64) string {
	e, ok := sr.event(uint32(lo))
	if !ok || !e.Is(lo) {
		return fmt.Sprintf("event %v, destroyed before it triggered", guid.FromWords(sr.g.highEvent, lo))
	}
	what := sr.describe(uint32(lo), &e)
	if i, ok := sr.outputs[lo]; ok {
		if t, ok := sr.edt(i); ok {
			what += "; it is the output of " + sr.nameEDT(i, &t)
		}
	}
	for n, from := range sr.feeders[lo] {
		if n == sampleShown {
			return what + fmt.Sprintf(" and %d more", len(sr.feeders[lo])-n)
		}
		f, ok := sr.event(uint32(from))
		switch {
		case !ok || !f.Is(from):
		case f.typ == scopeEvent:
			what += sr.inSentence("; the finish scope of %s is to satisfy it", sr.members[uint32(from)])
		default:
			what += fmt.Sprintf("; %v event %v is to satisfy it", f.typ, guid.FromWords(sr.g.highEvent, from))
		}
	}
	return what
}

// describe says what an event is, and why it has not triggered.
func (sr *snapshotReader) describe(i uint32, e *event) string {
	id := guid.FromWords(sr.g.highEvent, e.Low(i))
	what := fmt.Sprintf("%v event %v, never satisfied", e.typ, id)
	switch e.typ {
	case Latch:
		what = fmt.Sprintf("%v event %v, count %d", e.typ, id, e.count)
	case Channel:
		what = fmt.Sprintf("%v event %v, no satisfaction for this dependence", e.typ, id)
	}
	if at := sr.g.sites.of(guid.KindEvent, i); at != "" {
		what += ", created at " + at
	}
	if from := sr.g.mail.externals.about(e.Low(i)); from != "" {
		what += "; " + from
	}
	return what
}

// nameEDT names an EDT and says what it does.
func (sr *snapshotReader) nameEDT(i uint32, t *edtRecord) string {
	return fmt.Sprintf("%s, which %s", edtText(sr.g.edtGUID(i, t), sr.g.nameOf(t), sr.g.peekAbout(i, t)), t.phase)
}

// inSentence names the first EDT of a sample in a sentence, "" if there is none.
func (sr *snapshotReader) inSentence(sentence string, c *sample) string {
	if c == nil {
		return ""
	}
	for _, i := range c.first {
		t, ok := sr.edt(i)
		if !ok {
			continue
		}
		who := sr.nameEDT(i, &t)
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

// edt copies the record of an EDT that is alive. One that was granted the last block that it
// waited for is ready, without a word of that in its record.
func (sr *snapshotReader) edt(i uint32) (t edtRecord, ok bool) {
	r := sr.g.edts.Find(i)
	if r == nil {
		return t, false
	}
	t = peekEDT(r)
	if _, waits := sr.blocked[i]; t.phase == phaseRunnable && !waits {
		t.phase = phaseReady
	}
	return t, t.phase.alive() && t.Is(peekLow(r, i))
}

// event copies the record of an event or scope that is alive.
func (sr *snapshotReader) event(i uint32) (e event, ok bool) {
	r := sr.g.events.Find(i)
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
