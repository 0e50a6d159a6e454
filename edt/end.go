package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
)

// hasMoreAtEnd reports whether the end of a body does more than free the record of the EDT.
func (c *Ctx) hasMoreAtEnd(t *edtRecord, ret guid.GUID) bool {
	hi, lo := ret.Words()
	return hi|lo|t.out|uint64(len(c.created))|uint64(c.held) != 0 || c.again.stage != 0
}

// finishSlow ends a running EDT for which hasMoreAtEnd is true: it releases the blocks, then satisfies the output
// event, then destroys the EDT, which leaves its finish scope (OCR 1.2, §1.5).
func (c *Ctx) finishSlow(i uint32, t *edtRecord, ret guid.GUID) Ready {
	c.atReady |= readyPicks
	n := 0
	if c.obs == nil {
		n = c.releaseRW()
	}
	for ; n < len(c.deps); n++ { // those that the body has not released
		c.releaseAtEnd(&c.deps[n])
	}
	if len(c.created) > 0 {
		c.releaseCreated()
	}
	if hi, lo := ret.Words(); t.out|hi|lo != 0 {
		c.passReturn(t, ret)
	}
	if c.again.stage != 0 {
		c.goOn(i, t)
		c.again.stage = 0
	} else {
		c.endEDT(i, t)
	}
	next := c.next
	c.next, c.current = 0, 0
	c.atReady &^= readyPicks
	return next
}

// releaseRW releases the blocks in slot order, each by one try in mode RW. It returns the first slot whose block is
// held in another way or is not released by the try, or the number of slots if there is none. It calls nothing, so its
// values stay in registers.
func (c *Ctx) releaseRW() int {
	held, deps := c.held, c.deps
	for k := range deps {
		d := &deps[k]
		_, lo := d.ID.Words()
		switch {
		case d.Access == heldRW:
			if !c.blocks.At(uint32(lo)).LeaveRW() {
				return k
			}
			if held--; held == 0 {
				return len(deps)
			}
		case d.Access.Hold() != dep.NotHeld:
			return k
		}
	}
	return len(deps)
}

func (c *Ctx) releaseCreated() {
	for k := range c.created {
		c.releaseAtEnd(&c.created[k])
	}
	c.created, c.nextCreated = c.created[:0], 0
}

func (c *Ctx) releaseAtEnd(d *dep.State) {
	if hold := d.Access.Hold(); hold == dep.Held || hold == dep.Downgraded {
		word, mode := c.wordOf(d), heldMode(d)
		if d.Access.Proxy() != 0 { // after the release the proxy may be freed
			d.SetHold(dep.NotHeld)
		}
		c.observeRelease(word, mode)
		c.release(word, mode)
	}
}

// endEDT gives the EDT's token back to its finish scope, and frees the EDT's record.
func (c *Ctx) endEDT(i uint32, t *edtRecord) {
	if !c.tryEnd(i, t) {
		if t.scope != 0 {
			c.tokens++ // Execute has made the scope of the EDT c.scope
		}
		c.freeEDT(i, t)
	}
}

// tryEnd is endEDT for most EDTs. For the others it does nothing and returns false.
func (c *Ctx) tryEnd(i uint32, t *edtRecord) bool {
	if t.code&(flagSpill|runTemplate) != 0 || c.edts.Full() || t.Last() {
		return false
	}
	if t.scope != 0 {
		c.tokens++
	}
	t.phase = phaseFree
	t.Advance()
	c.edts.Give(i)
	return true
}

// freeEDT gives a record back: the EDT's GUID is stale from here on.
func (c *Ctx) freeEDT(i uint32, t *edtRecord) {
	if code := t.code; code&(flagSpill|runTemplate) != 0 {
		if code&runTemplate != 0 {
			c.countMade(code, -1)
		}
		if code&flagSpill != 0 {
			c.freeSpill(t)
		}
	}
	t.phase = phaseFree
	if t.Expire() {
		c.edts.Put(i)
	}
}

// freeSpill frees the spill of an EDT that has one. The place keeps the lists for the next EDT.
func (c *Ctx) freeSpill(t *edtRecord) {
	i := uint32(t.params[0])
	if t.depc > inlineSlots {
		i = uint32(t.slots[0].word)
	}
	if c.places.At(i).Expire() {
		c.places.Put(i)
	}
}

// passReturn satisfies the output event with the block that the body returned. If the body returned an event, the
// output event waits for that event. If the EDT has no output event, and opens no finish scope, passReturn only checks
// what the body returned.
func (c *Ctx) passReturn(t *edtRecord, ret guid.GUID) {
	out := t.out
	if out == 0 {
		if t.code&flagFinish == 0 {
			c.checkReturn(ret)
		}
		return
	}
	if hi, _ := ret.Words(); hi == c.highEvent || c.isRemote(ret, guid.KindEvent) {
		c.output(opReturn, out)
		c.dependOther(ret, guid.FromWords(c.highEvent, out), Decr, datablock.RW)
		return
	}
	c.fireOutput(opReturn, out, c.payload(opReturn, ret))
}

// The operations that satisfy output events, for errors: the end of a body, and the end of a finish scope.
const (
	opReturn = "return"
	opFinish = "finish"
)

func (c *Ctx) fireOutput(op string, out, block uint64) {
	c.fire(op, guid.FromWords(c.highEvent, out), uint32(out), c.output(op, out), block, Decr)
	c.passOn()
}

func (c *Ctx) output(op string, out uint64) *event {
	e := c.g.events.Lookup(out)
	if e == nil {
		c.lostOutput(op, guid.FromWords(c.highEvent, out), ErrStale)
	}
	return e
}

// checkReturn ends the run if the body of an EDT without an output event returned anything but an event, a block or
// Null.
func (c *Ctx) checkReturn(ret guid.GUID) {
	if !c.isEvent(ret) && !c.isRemote(ret, guid.KindBlock) {
		c.payload(opReturn, ret)
	}
}
