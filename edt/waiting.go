package edt

import (
	"fmt"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/graph/record"
)

// A waitReader says what EDTs wait for. When it is made it reads all records, to find out what will satisfy each event.
// Meanwhile no worker runs an EDT.
type waitReader struct {
	g       *Graph
	blocked map[uint32]blockedOn // EDT -> the block that it waits for
	outputs map[uint64]uint32    // event's low GUID word -> EDT whose output it is
	feeders map[uint64][]uint64  // event -> events that it waits for
	members map[uint32]*sample   // finish scope -> EDTs in it, those of inner scopes too
	remote  []remoteWaiter
}

// A blockedOn is the block for which an EDT waits, and the mode.
type blockedOn struct {
	low  uint64
	mode datablock.Mode
}

// A remoteWaiter is a slot of another rank that waits for an event.
type remoteWaiter struct {
	edt   guid.GUID
	slot  int
	event uint64 // low GUID word
}

// A sample counts EDTs, and has the first of them.
type sample struct {
	count int
	first uint32
}

func (g *Graph) newWaitReader() *waitReader {
	sr := &waitReader{
		g: g, blocked: make(map[uint32]blockedOn),
		outputs: make(map[uint64]uint32), feeders: make(map[uint64][]uint64),
		members: make(map[uint32]*sample),
	}
	g.blocks.Waiting(func(i uint32, w block.Waiter) {
		if w.EDT&block.ForRank == 0 {
			sr.blocked[w.EDT] = blockedOn{g.blocks.At(i).Low(i), w.Mode}
		}
	})
	g.edts.Each(sr.meet)
	g.events.Each(sr.feed)
	return sr
}

// meet notes which event and scopes wait for EDT i.
func (sr *waitReader) meet(i uint32, t *edtRecord) {
	if !t.phase.alive() || t.code&flagNode != 0 {
		return
	}
	if t.out != 0 {
		sr.outputs[t.out] = i
	}
	for s := t.scope; s != 0; {
		m := sr.members[s]
		if m == nil {
			m = &sample{first: i}
			sr.members[s] = m
		}
		m.count++
		e := sr.g.events.At(s)
		if e.typ != scopeEvent {
			break
		}
		s = e.parent
	}
}

// feed notes the events that wait for event i.
func (sr *waitReader) feed(i uint32, e *event) {
	switch e.typ {
	case 0, scopeProxy: // no other event waits for it
	case scopeEvent:
		if e.out != 0 {
			sr.feeders[e.out] = append(sr.feeders[e.out], e.Low(i))
		}
	case Channel:
		for _, ref := range sr.g.channels.Wanting(e.head.Look(), e.index.Get()) {
			sr.feedOne(ref, e.Low(i))
		}
	default:
		for ref := e.head.Look().Waiters(); ref != 0; {
			ref = sr.feedOne(ref, e.Low(i))
		}
	}
}

// feedOne notes the waiter ref of an event, and returns the next waiter.
func (sr *waitReader) feedOne(ref record.Ref, event uint64) (next record.Ref) {
	if !ref.IsNode() {
		return record.Next(&sr.g.slotAt(sr.g.edts.At(ref.Index()), ref.Slot()).link)
	}
	n := sr.g.nodes.At(ref.Index())
	switch dst := guid.FromWords(n.high, n.dst); {
	case n.high == 0:
		sr.feeders[n.dst] = append(sr.feeders[n.dst], event)
	case dst.Kind() == guid.KindEDT:
		sr.remote = append(sr.remote, remoteWaiter{dst, RemoteSlot(n.slot).Number(), event})
	}
	return record.Next(&n.link)
}

// waiting describes an EDT that cannot run.
func (sr *waitReader) waiting(i uint32, t *edtRecord) WaitingEDT {
	w := WaitingEDT{Who: sr.who(i, t), Site: sr.g.sites.Of(guid.KindEDT, i)}
	w.On = sr.g.rankText(w.EDT)
	if b, ok := sr.blocked[i]; ok {
		for _, s := range sr.g.slotsOf(t) {
			if uint32(s.word) == uint32(b.low) { // if the block was destroyed, only the slot still has its name
				b.low = s.word
			}
		}
		lacks := fmt.Sprintf("data block %v, not granted in mode %v", sr.g.blockGUID(b.low), b.mode)
		w.Missing = append(w.Missing, MissingSlot{Slot: -1, Lacks: lacks})
	}
	for n, s := range sr.g.slotsOf(t) {
		if s.state() == slotFilled {
			continue
		}
		if len(w.Missing) == slotsShown {
			w.Missing = append(w.Missing, MissingSlot{Slot: n, Lacks: "and perhaps more from here on"})
			break
		}
		w.Missing = append(w.Missing, MissingSlot{n, sr.g.slotName(t, n), sr.lacks(&s)})
	}
	return w
}

func (sr *waitReader) lacks(s *slot) string {
	switch {
	case s.state() == slotOpen:
		return "not connected"
	case s.link&linkRemote == 0:
		return sr.source(s.word)
	}
	from := guid.FromWords(sr.g.space.Of(int(uint16(s.link))).High(uint8(guid.KindEvent)), s.word)
	if s.state() == slotLost {
		return fmt.Sprintf("event %v, destroyed before it triggered", from)
	}
	return fmt.Sprintf("event %v of rank %d", from, from.Home())
}

// feedersShown is the largest number of events that a text names as sources of another event.
const feedersShown = 3

// source says which event feeds a slot, and what is to satisfy the event.
func (sr *waitReader) source(lo uint64) string {
	e := sr.g.events.Lookup(lo)
	if e == nil {
		return fmt.Sprintf("event %v, destroyed before it triggered", guid.FromWords(sr.g.highEvent, lo))
	}
	if e.typ == Counted && e.flags&eventInner != 0 { // see proxyEvent
		switch of := sr.feeders[lo]; {
		case len(of) > 0:
			return sr.source(of[0])
		case sr.g.ranks != nil:
			return "an event given to Again, of another rank or destroyed before it triggered"
		}
		return "an event given to Again, destroyed before it triggered"
	}
	what := sr.describe(uint32(lo), e)
	if i, ok := sr.outputs[lo]; ok {
		what += "; it is the output of " + sr.nameEDT(i)
	}
	for n, from := range sr.feeders[lo] {
		if n == feedersShown {
			return what + fmt.Sprintf(" and %d more", len(sr.feeders[lo])-n)
		}
		if f := sr.g.events.At(uint32(from)); f.typ == scopeEvent {
			what += sr.ofScope(sr.members[uint32(from)])
		} else {
			what += fmt.Sprintf("; %v event %v is to satisfy it", f.typ, guid.FromWords(sr.g.highEvent, from))
		}
	}
	return what
}

// describe says what an event is, and why it has not triggered.
func (sr *waitReader) describe(i uint32, e *event) string {
	id := guid.FromWords(sr.g.highEvent, e.Low(i))
	what := fmt.Sprintf("%v event %v, never satisfied", e.typ, id)
	switch e.typ {
	case Latch:
		what = fmt.Sprintf("%v event %v, count %d", e.typ, id, e.count.Value())
	case Channel:
		what = fmt.Sprintf("%v event %v, no satisfaction for this dependence", e.typ, id)
	}
	if at := sr.g.sites.Of(guid.KindEvent, i); at != "" {
		what += ", created at " + at
	}
	if from := sr.g.mail.about(e.Low(i)); from != "" {
		what += "; " + from
	}
	return what
}

// nameEDT names an EDT and says what it does.
func (sr *waitReader) nameEDT(i uint32) string {
	t := sr.g.edts.At(i)
	return fmt.Sprintf("%s, which %s", sr.who(i, t).text(), sr.phase(i, t))
}

// who names an EDT, without its rank.
func (sr *waitReader) who(i uint32, t *edtRecord) Who {
	tmpl := sr.g.template(t)
	return Who{EDT: sr.g.edtGUID(i, t), Template: tmpl.name, About: tmpl.About(sr.g.paramsOf(t), nil)}
}

// ofScope says which EDTs keep a finish scope open: their number and the first of them; "" if there is none.
func (sr *waitReader) ofScope(members *sample) string {
	if members == nil {
		return ""
	}
	who := sr.nameEDT(members.first)
	if members.count > 1 {
		who = fmt.Sprintf("%d EDTs, one of them %s,", members.count, who)
	}
	return fmt.Sprintf("; the finish scope of %s is to satisfy it", who)
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

// phase returns the phase of an EDT that is alive. An EDT that was granted its last block is ready, though its record
// does not say so.
func (sr *waitReader) phase(i uint32, t *edtRecord) phase {
	if _, waits := sr.blocked[i]; t.phase == phaseRunnable && !waits {
		return phaseReady
	}
	return t.phase
}
