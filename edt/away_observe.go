package edt

import (
	"encoding/binary"
	"slices"

	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/rank"
)

// An observer can add a note to each message that it observes, for the observers on the receiving rank: at the end of
// the tail, with its length behind it. docs/ranks.md, "Observers".

// note has the observer add its note to a message. The caller holds the lock.
func (c *Ctx) note(from, block guid.GUID, to int, m *rank.Message) {
	if note := c.obs.MessageSent(to, from, aboutOf(m), block); len(note) > 0 {
		m.Tail = slices.Concat(m.Tail, note, binary.LittleEndian.AppendUint32(nil, uint32(len(note))))
		m.Kind |= noted
	}
}

// aboutOf returns the object that a message is for, Null if that has no name yet or is none.
func aboutOf(m *rank.Message) guid.GUID {
	switch m.Kind {
	case msgCreate, msgScope, msgQuery, msgAnswer:
		return guid.Null
	case msgDepend:
		return getGUID(m, 2)
	}
	return getGUID(m, 0)
}

// sendNumbered sends the creation of an EDT.
func (c *Ctx) sendNumbered(to int, m *rank.Message) (serial uint64) {
	r := c.g.away
	if c.obs == nil {
		return r.SendNumbered(to, m, strongMessages[msgCreate])
	}
	r.noting.Lock()
	defer r.noting.Unlock()
	c.note(guid.Null, guid.Null, to, m)
	return r.SendNumbered(to, m, strongMessages[msgCreate])
}

// handleNoted is handle for a message with a note.
func (c *Ctx) handleNoted(from int, m *rank.Message) (handled bool) {
	plain := *m
	end := len(m.Tail) - 4
	begin := end - int(binary.LittleEndian.Uint32(m.Tail[end:]))
	plain.Kind, plain.Tail = m.Kind&^noted, m.Tail[:begin:begin]
	if c.obs != nil {
		c.obs.MessageCame(from, m.Tail[begin:end])
		defer c.obs.MessageDone()
	}
	return c.handle(from, &plain)
}

// observeRemote reports an EDT that was created for another rank.
func (c *Ctx) observeRemote(i uint32, t *edtRecord, tmpl *Template) {
	if t.scope != 0 {
		c.obs.ScopeEntered(c.g.eventGUID(c.events.At(t.scope).Low(t.scope)))
	}
	c.obs.EDTCreated(c.g.edtGUID(i, t), tmpl, int(t.depc))
}

// observeArrival reports the bytes of a block, which has this record.
func (c *Ctx) observeArrival(r *block.Record, bytes int) {
	if c.obs == nil {
		return
	}
	var t *Template
	if w := r.First(); w.EDT != 0 && w.EDT&block.ForRank == 0 {
		t = c.g.template(c.edts.At(w.EDT))
	}
	c.obs.BlockArrived(t, bytes)
}

// observeClosed reports that nothing is left here in a scope of another rank, and returns its name here.
func (c *Ctx) observeClosed(i uint32, e *event) guid.GUID {
	if c.obs == nil {
		return guid.Null
	}
	scope := c.g.eventGUID(e.Low(i))
	c.obs.ScopeClosed(scope, guid.Null)
	return scope
}

// sendObserved sends the reports of this rank's observers to those of rank 0.
func (r *away) sendObserved() {
	if o := r.courier.obs; o != nil {
		if told := o.RankEnded(); len(told) > 0 {
			r.sendUp(&rank.Message{Kind: msgObserved, Count: 1, Words: [7]uint64{uint64(r.me)}, Tail: told})
		}
	}
}
