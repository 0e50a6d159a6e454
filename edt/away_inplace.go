package edt

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/core/relaxed"
	"ocr/internal/rank"
)

// If the ranks have their blocks' memory in common, a rank uses a block of another one in place: it takes and gives
// back holds by compare-and-swap on the word of the record at home, in the block's own mode. The proxy is there for its
// name, its pins, and a word that no quick way takes. Messages are sent only if an EDT has to wait: WANT has home queue
// it, GRANTED says that home has taken the hold for it, and SERVE has home look at the queue, because the last hold in
// the way is given up. docs/ranks.md has the argument.

// An inPlaceWait is an EDT that waits for a block of another rank.
type inPlaceWait struct {
	word   uint64 // of the proxy
	mode   datablock.Mode
	cursor int // with which it goes on
}

// What the words of messages about blocks in place hold, behind the block's GUID.
const (
	wantEDT  = 2 // of WANT and GRANTED
	wantMode = 3
)

// passInPlace is [Ctx.pass] for a block that is used in place, if one EDT waits for the event, and one try does it.
// That EDT has the hold at home, and that of the proxy, and what the caller knows of the block.
func (c *Ctx) passInPlace(event guid.GUID, d *dep.State) bool {
	hi, low := event.Words()
	k := d.Access.Proxy()
	if hi != c.highEvent || d.Access != heldRW.OfProxy(k) || c.inOrder == notInOrder {
		return false
	}
	r, e := c.blocks.At(k), c.g.events.Lookup(low)
	home := r.InPlace()
	if home == nil || e == nil || e.typ != Sticky {
		return false
	}
	word, waiters := r.Low(k), atomic.LoadUint64(&e.head)
	i, n := uint32(waiters), waiters>>refSlotShift
	if waiters == 0 || waiters&headKind != 0 || n >= inlineSlots || !atomic.CompareAndSwapUint64(&e.head, waiters, word) {
		return false
	}
	r.Spread() // the event may bring it to others
	had := *d
	d.SetHold(dep.NotHeld)
	c.held--
	c.n.EventSatisfied++
	t := c.edts.At(i)
	s := &t.slots[n]
	// See pass.
	if atomic.LoadUint64(&s.link)&(refMask|linkMode) != uint64(datablock.RW)<<linkModeAt ||
		atomic.LoadUint32(&t.need) != 1 || t.depc > inlineSlots || !home.OnlyRW() {
		c.passTo(waiters, word)
		return true
	}
	s.word = word
	relaxed.Store64(&s.link, filledRW)
	t.phase = phaseRunnable
	a := c.aheadFor(i)
	from := c.acquireRW(i, t, a, int(n))
	a.deps[n] = had
	if from != int(t.depc) {
		a.edt = 0
		c.acquireBut(i, t, from, int(n))
		return true
	}
	if t.place != 0 && t.place != c.self {
		t.noteLines(a)
	}
	c.ready(i, t)
	return true
}

// blockInOrder is blockGUID for a block that the EDT has in a slot. It does not look at the generation: a worker that
// destroys a block which the EDT keeps may be changing that.
func (c *Ctx) blockInOrder(word uint64) guid.GUID {
	if r := c.blocks.At(uint32(word)); r.Proxy() {
		return c.g.proxyName(r, uint32(word))
	}
	return guid.FromWords(c.highBlock, word)
}

func (c *Ctx) sendInPlace(kind uint8, r *block.Record, edt, mode uint64) {
	id := c.g.proxyName(r, 0)
	m := about(kind, id, guid.FromWords(edt, mode), 0)
	m.Count = wantMode + 1
	c.sendMessage(guid.Null, id, id.Home(), m)
}

// handleWant queues an EDT of another rank.
func (c *Ctx) handleWant(m *rank.Message) {
	id := getGUID(m, 0)
	_, lo := id.Words()
	mode := datablock.Mode(m.Words[wantMode])
	w := block.Waiter{EDT: block.ForRank | uint32(m.Words[wantEDT]), Cursor: uint32(c.from), Mode: mode}
	r := c.g.blocks.Lookup(lo)
	if r == nil {
		c.misuse("acquire", ErrStale, id, "on rank %d", c.from)
	}
	if c.g.blocks.Wait(lo, r, w) == block.Granted {
		c.sendGranted(w)
	}
}

// sendGranted says that an EDT of another rank has the block for which it waits.
func (c *Ctx) sendGranted(w block.Waiter) {
	m := &rank.Message{Kind: msgGranted, Count: wantEDT + 1}
	m.Words[wantEDT] = uint64(w.EDT &^ block.ForRank)
	c.sendMessage(guid.Null, guid.Null, int(w.Cursor), m)
}

// handleGranted goes on for an EDT of this rank.
func (c *Ctx) handleGranted(m *rank.Message) {
	l, i := &c.g.away.leases, uint32(m.Words[wantEDT])
	l.mu.Lock()
	w := l.waits[i]
	delete(l.waits, i)
	l.mu.Unlock()
	c.acquireOrdered(i, c.edts.At(i), w.cursor)
}

// handleServe serves the queue of a block that another rank has left.
func (c *Ctx) handleServe(m *rank.Message) {
	_, lo := getGUID(m, 0).Words()
	if granted := c.blocks.Serve(uint32(lo), c.granted[:0]); len(granted) > 0 {
		c.granted = granted
		c.grant(granted)
	}
}

// placeProxy makes a new proxy that of a block in place. If this rank has no pin of it the block may be gone: an EDT in
// mode Null may get its name even so.
func (c *Ctx) placeProxy(r *block.Record, id guid.GUID, pinned bool) {
	_, lo := id.Words()
	shared := c.g.away.leases.shared
	if pinned {
		r.PlaceAt(shared.At(id.Home(), lo), id.Home(), lo)
	} else if home := shared.Lookup(id.Home(), lo); home != nil {
		r.PlaceAt(home, id.Home(), lo)
	}
}

// waitInPlace has an EDT wait for the block of a slot, which is used in place.
func (c *Ctx) waitInPlace(i uint32, r *block.Record, s *slot, cursor int) {
	r.Use()
	l := &c.g.away.leases
	l.mu.Lock()
	if l.waits == nil {
		l.waits = make(map[uint32]inPlaceWait)
	}
	l.waits[i] = inPlaceWait{s.word, s.mode(), cursor + 1}
	l.mu.Unlock()
	c.sendInPlace(msgWant, r, uint64(i), uint64(s.mode()))
}

// waitingInPlace adds the EDTs that wait for blocks of other ranks.
func (g *Graph) waitingInPlace(blocked map[uint32]blockedOn) {
	l := &g.away.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, w := range l.waits {
		blocked[i] = blockedOn{w.word, w.mode}
	}
}

// acquireInPlace is acquireInPlaceAway for slots in mode RW that are in the EDT's record.
func (c *Ctx) acquireInPlace(i uint32, t *edtRecord, n int) int {
	a := c.aheadFor(i)
	for ; n < int(t.depc); n++ {
		s, d := &t.slots[n&(inlineSlots-1)], &a.deps[n&(inlineSlots-1)]
		word := s.word
		if word == 0 || s.link != filledRW || hasBy(t, n, noSlot, word) {
			return n
		}
		r := c.blocks.At(uint32(word))
		home := r.InPlace()
		if home == nil {
			if !r.TryFirstRW() {
				return n
			}
			home = r
			d.ID, d.Access = guid.FromWords(c.highBlock, word), heldRW
		} else {
			if !tryAway(r, datablock.RW) {
				return n
			}
			d.ID, d.Access = c.g.proxyName(r, uint32(word)), heldRW.OfProxy(uint32(word))
		}
		if !r.Is(word) {
			return ^n
		}
		home.ShowMemory(d, 0)
	}
	if t.place == 0 || t.place == c.self {
		a.edt = i
	}
	c.ready(i, t)
	return atHost
}

// leaveInPlace gives up a hold of a block that is used in place, and has the home serve EDTs that wait for it.
func (c *Ctx) leaveInPlace(r *block.Record, mode datablock.Mode, used bool) {
	if c.blocks.LeaveInPlace(r.InPlace(), mode, used) {
		c.sendInPlace(msgServe, r, 0, 0)
	}
	r.Unuse()
}

// leaveKnown is releaseKnownAway of ranks that use blocks in place.
func (c *Ctx) leaveKnown(d *dep.State) bool {
	k := d.Access.Proxy()
	if d.Access != heldRW.OfProxy(k) {
		return false
	}
	if k == 0 {
		if _, lo := d.ID.Words(); !c.blocks.LeaveKnownRW(c.blocks.At(uint32(lo))) {
			return false
		}
	} else {
		r := c.blocks.At(k)
		if home := r.InPlace(); home == nil || !c.blocks.LeaveKnownRW(home) {
			return false
		}
		r.Unuse()
	}
	d.SetHold(dep.NotHeld)
	return true
}

// downgradeInPlace is leaveInPlace that keeps read access.
func (c *Ctx) downgradeInPlace(r *block.Record, mode datablock.Mode) {
	if c.blocks.LeaveToRead(r.InPlace(), mode) {
		c.sendInPlace(msgServe, r, 0, 0)
	}
}

// proxyName returns the name of the block for which a record stands; its index is needed only if the block is lent.
func (g *Graph) proxyName(r *block.Record, i uint32) guid.GUID {
	if r.InPlace() == nil {
		return g.away.leases.nameOf(i)
	}
	home, lo := r.NameInPlace()
	return guid.FromWords(g.space.Of(home).High(uint8(guid.KindBlock)), lo)
}
