package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/block"
	"ocr/internal/dep"
)

func (c *Ctx) executeObserved(i uint32, t *edtRecord, tmpl *Template) Ready {
	self := c.Self()
	c.obs.EDTBegin(self, tmpl, Args{c})
	ret := tmpl.fn(c, Args{c})
	c.obs.EDTReturned(self)
	next := c.finish(i, t, ret)
	c.obs.EDTEnded(self)
	return next
}

// takeDeps describes the EDT's blocks to its body.
func (c *Ctx) takeDeps(t *edtRecord) {
	n := int(t.depc)
	if cap(c.deps) < n {
		c.deps = make([]dep.State, n, 2*n)
	}
	c.deps = c.deps[:n]
	c.nextDep, c.anyShared = 0, false
	deps, slots := c.deps, c.g.slotsOf(t)
	for k := range slots[:len(deps)] {
		s, d := &slots[k], &deps[k]
		mode := s.mode()
		if s.word == 0 || mode == datablock.Null {
			c.takeControl(d, s)
			continue
		}
		hold := dep.Held
		if s.link&linkShared != 0 {
			hold, c.anyShared = dep.Shared, true
		}
		block.DescribeHeld(d, c.g.highBlock, s.word, c.g.blocks.At(uint32(s.word)), s.link&linkLine, mode, hold)
	}
}

// takeControl describes a slot that gives no access to a block.
func (c *Ctx) takeControl(d *dep.State, s *slot) {
	*d = dep.State{}
	if s.word != 0 {
		block.Describe(d, c.g.blockGUID(s.word), nil, datablock.Null, dep.NotHeld)
	}
}

// finish is the end of an EDT: its blocks are released, then its output event is
// satisfied, then it is destroyed, then it leaves its finish scope (OCR 1.2,
// §1.5).
func (c *Ctx) finish(i uint32, t *edtRecord, ret guid.GUID) Ready {
	c.picks = true
	for k := range c.deps {
		if d := &c.deps[k]; d.Hold != dep.NotHeld {
			c.releaseAtEnd(d)
		}
	}
	if len(c.created) > 0 {
		c.releaseCreated()
	}
	if t.out != 0 {
		c.satisfyOutput(t.out, ret)
	} else if !ret.IsNull() && t.code&flagFinish == 0 {
		c.checkReturn(ret)
	}
	if c.elsUsed {
		c.els, c.elsUsed = [elsWords]uint64{}, false
	}
	if c.again.stage != 0 {
		return c.goOnAs(i, t)
	}
	c.current = nil
	scope := t.scope
	c.freeEDT(i, t)
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
	if hi == c.g.highEvent || ret.IsLabel() {
		c.output(opReturn, out)
		c.dependOther(ret, guid.FromWords(c.g.highEvent, out), Decr, datablock.RW)
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
	c.fire(op, guid.FromWords(c.g.highEvent, out), uint32(out), c.output(op, out), block, Decr)
	c.passOn()
}

// output looks up an output event.
func (c *Ctx) output(op string, out uint64) *event {
	e := c.g.events.Lookup(out)
	if e == nil {
		c.lostOutput(op, guid.FromWords(c.g.highEvent, out), ErrStale)
	}
	return e
}

// checkReturn makes a wrong return value an error also if nobody waits for it.
func (c *Ctx) checkReturn(ret guid.GUID) {
	hi, _ := ret.Words()
	if hi != c.g.highEvent && !ret.IsLabel() {
		c.payload(opReturn, ret)
	}
}
