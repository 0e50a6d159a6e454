package edt

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
)

// An EDT that goes on behind a sticky event keeps the holds of its other blocks while it waits, so that no worker
// writes to the blocks' records. Any worker can revoke these holds: an EDT that needs a block for itself may have to
// run before the event can trigger. docs/memory.md has the protocol, "Revocable holds".

// goOnHolding is finishMore for an EDT that goes on with another source for one slot, and whose blocks all came in mode
// RW. It keeps the holds if all but that slot's are left.
func (c *Ctx) goOnHolding(i uint32, t *edtRecord, ret guid.GUID) Ready {
	const flags = flagFinish | flagOwnOut | flagRemote | flagRevoked | flagHolds
	word, n, deps := c.again.event, c.again.last&(inlineSlots-1), c.deps
	if hi, lo := ret.Words(); hi|lo|t.out|uint64(len(c.created)) != 0 || n >= len(deps) || deps[n].Access == heldRW ||
		c.held != len(deps)-1 || t.Last() {
		return c.finishMore(i, t, ret, renewedNot)
	}
	if t.code&flags != flagHolds {
		return c.holdFirst(i, t, ret)
	}
	if word == 0 {
		return c.finishMore(i, t, ret, c.holdOthers())
	}
	e := c.events.At(uint32(word))
	if !e.Is(word) || atomic.LoadUint64(&e.head) != 0 {
		return c.finishMore(i, t, ret, renewedNot)
	}
	s, head := &t.slots[n], slotRef(i, n)|refHolds
	s.word, s.link = word, slotWaiting|uint64(datablock.RW)<<linkModeAt
	t.need, t.phase = 1, phaseWaiting
	t.Next()
	c.n.EDTCreated++
	// The event may trigger, and the new EDT begin, at once.
	if !atomic.CompareAndSwapUint64(&e.head, 0, head) {
		c.giveUp(t, 0)
		return c.finishMore(i, t, ret, renewedFinds)
	}
	if c.g.revokes.Load() {
		return c.revokeWanted(e, head)
	}
	return c.wentOn()
}

// wentOn ends the worker's part in an EDT that goes on, if there is no observer.
func (c *Ctx) wentOn() Ready {
	c.more, c.inUse = 0, aheadLen
	c.again.stage = 0
	next := c.next
	c.current, c.atReady, c.nextPlace, c.next = 0, 0, 0, 0
	return next
}

// holdOthers is for an EDT that goes on with a block: it is runnable at once, so it keeps its holds if no EDT waits for
// one of the blocks.
func (c *Ctx) holdOthers() renewed {
	if c.wanted() {
		return renewedNot
	}
	c.held = 0
	return renewedHolds
}

// revokeWanted revokes the holds that goOnHolding has left if a block is wanted: the EDT that wants it may have looked
// for them before they were revocable.
func (c *Ctx) revokeWanted(e *event, head uint64) Ready {
	if c.wanted() {
		c.revoke(e, head)
	}
	return c.wentOn()
}

// wanted reports whether EDTs wait for a block that the EDT has held to its end, or one was destroyed.
func (c *Ctx) wanted() bool {
	for k := range c.deps {
		d := &c.deps[k]
		if _, lo := d.ID.Words(); d.Access == heldRW && !c.blocks.At(uint32(lo)).OnlyRW() {
			return true
		}
	}
	return false
}

// holdFirst is goOnHolding for an EDT that has not gone on so before.
func (c *Ctx) holdFirst(i uint32, t *edtRecord, ret guid.GUID) Ready {
	if c.holdRevocably(i, t, c.again.last) {
		return c.goOnHolding(i, t, ret)
	}
	return c.finishMore(i, t, ret, renewedNot)
}

// holdRevocably makes the holds of all slots but n revocable, and notes the EDT in the blocks' records. It reports
// false, and has changed nothing that matters, if another EDT holds one of the blocks too.
func (c *Ctx) holdRevocably(i uint32, t *edtRecord, n int) bool {
	if t.code&(flagFinish|flagOwnOut|flagRemote|flagRevoked) != 0 || c.g.away != nil {
		return false
	}
	slots := c.g.slotsOf(t)
	for k := range slots {
		if k != n && !c.blocks.At(uint32(slots[k].word)).SetHolder(i) {
			return false
		}
	}
	for k := range slots {
		if k != n {
			slots[k].link = filledHeld
		}
	}
	t.code |= flagHolds
	return true
}

// giveUp makes the revocable holds of an EDT that does not wait ordinary ones, and releases those of slot from on.
func (c *Ctx) giveUp(t *edtRecord, from int) {
	t.code &^= flagHolds
	c.letGoAll(t.takeHolds(from))
}

// takeHolds makes revocable holds ordinary ones, and returns the blocks of those of slot from on.
func (t *edtRecord) takeHolds(from int) (words [inlineSlots]uint64) {
	for k := range t.slots {
		if s := &t.slots[k]; s.link&^linkLine == filledHeld {
			if s.link = filledRW; k >= from {
				words[k] = s.word
			}
		}
	}
	return words
}

// revoke takes the holds of the EDT away that waits as this head of an event says. If it does not any more, revoke
// does nothing.
func (c *Ctx) revoke(e *event, head uint64) {
	var words [inlineSlots]uint64
	c.g.revoking.Lock()
	if atomic.CompareAndSwapUint64(&e.head, head, head|headLocked) {
		t := c.edts.At(uint32(head))
		words = t.takeHolds(0)
		t.code = t.code&^flagHolds | flagRevoked
		atomic.StoreUint64(&e.head, head&^refHolds)
	}
	c.g.revoking.Unlock()
	c.letGoAll(words)
}

// revokeFrom revokes the holds of the EDT with this index, if it waits with them.
//
// Other workers look at blocks whose holds they have made revocable from now on: see revokeWanted.
func (c *Ctx) revokeFrom(holder uint32) {
	c.g.revokes.Store(true)
	if e, head := c.g.peekHolder(holder); e != nil {
		c.revoke(e, head)
	}
}

// letGoAll gives up holds in mode RW. The caller may be about to grant blocks: so c.granted stays as it is.
func (c *Ctx) letGoAll(words [inlineSlots]uint64) {
	granted := c.granted
	c.granted = nil
	for _, word := range words {
		if word != 0 {
			c.letGo(word, datablock.RW)
		}
	}
	c.granted = granted
}

// list returns the head of an event that is no channel, after it has revoked holds, and waited for a worker that
// revokes some.
func (c *Ctx) list(e *event) uint64 {
	for {
		h := atomic.LoadUint64(&e.head)
		switch {
		case h&(headKind|refHolds) == refHolds:
			c.revoke(e, h)
		case h&headKind == headLocked:
			c.g.awaitRevoker()
		default:
			return h
		}
	}
}

// awaitRevoker returns when no worker has a head locked that was locked before.
func (g *Graph) awaitRevoker() {
	g.revoking.Lock()
	//lint:ignore SA2001 the lock guards nothing here
	g.revoking.Unlock()
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
