package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/block"
	"ocr/internal/dep"
)

func (c *Ctx) executeObserved(tmpl *Template) Ready {
	self := c.Self()
	c.obs.EDTBegin(self, tmpl, Args{c})
	ret := tmpl.fn(c, Args{c})
	c.obs.EDTReturned(self)
	next := c.finish(ret)
	c.obs.EDTEnded(self)
	return next
}

// takeDeps describes the EDT's blocks to its body, how many there may be.
func (c *Ctx) takeDeps(t *edtRecord) {
	n := int(t.depc)
	if cap(c.deps) < n {
		c.deps = make([]dep.State, n, 2*n)
	}
	c.describe(c.g.slotsOf(t))
}

// notInOrder, as the number of dependences released in order, is larger than any index.
const notInOrder = MaxDeps + 1

// describe describes slots in deps, for which there is room. If their blocks are held in mode RW by
// the slot, or come in mode Null, it calls nothing, so all that it needs stays in registers.
func (c *Ctx) describe(slots []slot) {
	if len(c.deps) != len(slots) {
		c.deps = c.deps[:len(slots)]
	}
	deps, held := c.deps[:len(slots)], 0
	for k := range slots {
		word, link := slots[k].word, slots[k].link
		d := &deps[k]
		switch {
		case acquiredRW(link):
			held++
			d.ID = guid.FromWords(c.highBlock, word)
			d.Addr, d.Size = block.AddressOf(link), c.blocks.At(uint32(word)).Size()
			d.Mode, d.Hold = uint8(datablock.RW), dep.Held
		case word == 0:
			*d = dep.State{}
		case link == filledNull:
			d.ID = guid.FromWords(c.highBlock, word)
			d.Addr, d.Size = 0, 0
			d.Mode, d.Hold = uint8(datablock.Null), dep.NotHeld
		default:
			c.describeFrom(k, held, slots)
			return
		}
	}
	c.nextDep, c.inOrder, c.held, c.anyShared, c.allRW = 0, 0, held, false, held == len(slots)
	if c.obs != nil {
		c.inOrder = notInOrder
	}
}

// describeFrom describes the slots from number n on. Of those before it, some are held.
//
//go:noinline
func (c *Ctx) describeFrom(n, held int, slots []slot) {
	all := uint64(0)
	deps := c.deps[:len(slots)]
	for k := n; k < len(slots); k++ {
		d := &deps[k]
		word, link := slots[k].word, slots[k].link
		switch {
		case word == 0:
			*d = dep.State{}
		case link&linkMode == uint64(datablock.Null)<<linkModeAt:
			*d = dep.State{ID: guid.FromWords(c.highBlock, word), Mode: uint8(datablock.Null)}
		default:
			all |= link
			held++
			d.ID = guid.FromWords(c.highBlock, word)
			d.Mode, d.Hold = uint8(link>>linkModeAt&7), holdOf(link)
			c.blocks.At(uint32(word)).ShowMemory(d, link&linkLine)
		}
	}
	c.nextDep, c.inOrder, c.held, c.anyShared, c.allRW = 0, 0, held, all&linkShared != 0, false
	if c.anyShared || c.obs != nil {
		c.inOrder = notInOrder
	}
}

// holdOf says what an EDT has of the block of a slot at its begin.
func holdOf(link uint64) dep.Hold {
	return dep.Held + dep.Hold(link/linkShared&1)*(dep.Shared-dep.Held)
}

// finish is the end of an EDT: its blocks are released, then its output event is
// satisfied, then it is destroyed, then it leaves its finish scope (OCR 1.2,
// §1.5).
func (c *Ctx) finish(ret guid.GUID) Ready {
	c.picks = true
	if c.held != 0 {
		c.releaseDeps()
	}
	if len(c.created) > 0 {
		c.releaseCreated()
	}
	t := c.current
	if hi, lo := ret.Words(); t.out|hi|lo != 0 {
		c.passReturn(t, ret)
	}
	if c.elsUsed {
		c.els, c.elsUsed = [elsWords]uint64{}, false
	}
	if c.again.stage != 0 {
		return c.goOnAs(c.currentIndex, t)
	}
	c.current = nil
	scope := t.scope
	if t.code&(flagLabel|flagSpill|runTemplate) == 0 && !c.edts.Full() && !t.Last() {
		t.phase = phaseFree
		t.Expire()
		c.edts.Give(c.currentIndex)
	} else {
		c.freeEDT(c.currentIndex, t)
	}
	if scope != 0 {
		c.tokens++ // c.scope is this scope: it was entered to run the EDT
	}
	return c.endBody()
}

// endBody returns what runs next on this worker.
func (c *Ctx) endBody() Ready {
	next := c.next
	c.next, c.picks = 0, false
	return next
}

// releaseDeps releases the dependences that the body has not released.
func (c *Ctx) releaseDeps() {
	n := 0
	if c.obs == nil {
		n = c.leaveRW()
	}
	for ; n < len(c.deps); n++ {
		c.releaseAtEnd(&c.deps[n])
	}
}

// leaveRW releases dependences up to the first that takes more than one try in mode RW, and
// returns which one that is. It calls nothing, so all that it needs stays in registers.
func (c *Ctx) leaveRW() int {
	held, deps := c.held, c.deps
	for k := range deps {
		d := &deps[k]
		if d.Hold == dep.NotHeld {
			continue
		}
		_, lo := d.ID.Words()
		if d.Hold != dep.Held || modeOf(d) != datablock.RW || !c.blocks.At(uint32(lo)).LeaveRW() {
			return k
		}
		if held--; held == 0 {
			break
		}
	}
	return len(deps)
}

// passReturn passes on what the body returned.
func (c *Ctx) passReturn(t *edtRecord, ret guid.GUID) {
	if t.out != 0 {
		c.satisfyOutput(t.out, ret)
	} else if t.code&flagFinish == 0 {
		c.checkReturn(ret)
	}
}

func (c *Ctx) releaseCreated() {
	for k := range c.created {
		c.releaseAtEnd(&c.created[k])
	}
	c.created, c.nextCreated = c.created[:0], 0
}

func (c *Ctx) releaseAtEnd(d *dep.State) {
	_, block := d.ID.Words()
	switch d.Hold {
	case dep.Held:
		c.releaseHold(block, modeOf(d))
	case dep.Downgraded:
		c.releaseHold(block, datablock.RO)
	}
}

// satisfyOutput satisfies the output event with what the body returned; if
// that is an event, the output event is chained to it.
func (c *Ctx) satisfyOutput(out uint64, ret guid.GUID) {
	hi, _ := ret.Words()
	if hi == c.highEvent || ret.IsLabel() {
		c.output(opReturn, out)
		c.dependOther(ret, guid.FromWords(c.highEvent, out), Decr, datablock.RW)
		return
	}
	c.fireOutput(opReturn, out, c.payload(opReturn, ret))
}

// Output events are satisfied at the end of a body, and at that of a finish scope.
const (
	opReturn = "return"
	opFinish = "finish"
)

// fireOutput satisfies an output event.
func (c *Ctx) fireOutput(op string, out, block uint64) {
	c.fire(op, guid.FromWords(c.highEvent, out), uint32(out), c.output(op, out), block, Decr)
	c.passOn()
}

// output looks up an output event.
func (c *Ctx) output(op string, out uint64) *event {
	e := c.g.events.Lookup(out)
	if e == nil {
		c.lostOutput(op, guid.FromWords(c.highEvent, out), ErrStale)
	}
	return e
}

// checkReturn makes a wrong return value an error also if nobody waits for it.
func (c *Ctx) checkReturn(ret guid.GUID) {
	hi, _ := ret.Words()
	if hi != c.highEvent && !ret.IsLabel() {
		c.payload(opReturn, ret)
	}
}
