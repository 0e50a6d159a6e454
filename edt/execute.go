package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
)

// A body sees its blocks in deps. For most EDTs acquireRW writes the description when it acquires the
// blocks, while the values are in registers, and aheads keeps it until the EDT runs. If another EDT has
// taken that entry since, or another worker runs the EDT, describe writes it when the EDT begins.

// ahead describes the blocks of an EDT whose slots are in its record.
type ahead struct {
	tag, edt uint32 // the EDT's generation and index
	deps     [inlineSlots]dep.State
	held     int // how many of deps hold a block
}

// aheads has an entry for each EDT index modulo aheadLen. The last entry replaces the one that the running EDT uses.
type aheads [aheadLen + 1]ahead

const aheadLen = 16

// aheadFor returns the entry for an EDT other than the running one.
func (c *Ctx) aheadFor(i uint32) *ahead {
	k := i % aheadLen
	if k == c.inUse {
		k = aheadLen
	}
	return &c.aheads[k]
}

// heldRW is the access of a slot that holds its block in mode RW.
const heldRW = dep.Access(dep.Held)<<8 | dep.Access(datablock.RW)

// noAccess is the access of a slot whose block came in mode Null.
const noAccess = dep.Access(datablock.Null)

// notInOrder, as the number of dependences released in order, is larger than any index.
const notInOrder = MaxDeps + 1

// Execute runs a ready EDT, and returns an EDT that became ready at its end and should
// run next on this worker, 0 for none. The host calls it once for each EDT that it was
// handed by [Host.Ready], in a [NextSlot] or by Execute.
//
// A panic of the body, or a misuse in it, leaves Execute as a panic: the host recovers
// it and calls [Worker.Recovered].
func (w *Worker) Execute(r Ready) Ready {
	c := &w.ctx
	i := r.index()
	t := c.edts.At(i)
	if t.scope != c.scope {
		if t.scope&scopeOfGraph != 0 {
			return c.executeNode(i, t)
		}
		c.enterScope(t.scope)
	}
	t.phase = phaseRunning
	c.current = i
	var tmpl *Template
	if index := t.code & templateMask; int(index) < len(c.registry) {
		tmpl = c.registry[index]
	} else {
		tmpl = c.templateOf(t)
	}
	if n := tmpl.small; n > 0 {
		c.params = t.params[:n]
	} else if c.params = c.params[:0]; n < 0 {
		c.takeParams(t)
	}
	if t.depc != 0 {
		k := i % aheadLen
		a := &c.aheads[k]
		switch {
		case a.edt == i && a.tag == t.Tag():
			c.inUse, c.deps = k, a.deps[:t.depc&(2*inlineSlots-1)]
			c.inOrder, c.held = 0, a.held
		case t.blockless():
			c.deps = c.noBlocks[:t.depc&(2*inlineSlots-1)]
			c.inOrder, c.held = notInOrder, 0
		default:
			c.describe(i, t)
		}
	} else if len(c.deps) != 0 {
		c.deps, c.held = c.deps[:0], 0
	}
	c.n.EDTRun++
	if c.obs != nil {
		return c.executeObserved(i, t, tmpl)
	}
	if ret := tmpl.fn(c, Args{c}); c.moreToFinish(t, ret) {
		return c.finishMore(i, t, ret)
	}
	c.current = 0
	if !c.quickEnd(i, t) {
		c.endEDT(i, t)
	}
	return 0
}

// templateOf is [Ctx.template], and takeParams sets c.params; neither is inlined, so that what most EDTs do not need
// is out of the way.
//
//go:noinline
func (c *Ctx) templateOf(t *edtRecord) *Template { return c.template(t) }

//go:noinline
func (c *Ctx) takeParams(t *edtRecord) { c.params = c.g.paramsOf(t) }

func (c *Ctx) executeObserved(i uint32, t *edtRecord, tmpl *Template) Ready {
	self := c.Self()
	c.inOrder = notInOrder // no fast paths: they report nothing
	recorded := c.hideControls()
	c.obs.EDTBegin(self, tmpl, Args{c})
	ret := tmpl.fn(c, Args{c})
	if recorded {
		c.endHidden(ret)
		ret = guid.Null
	}
	c.obs.EDTReturned(self)
	next := c.finish(i, t, ret)
	c.obs.EDTEnded(self)
	return next
}

// finish ends the running EDT: it releases the blocks, then satisfies the output event,
// then destroys the EDT, which leaves its finish scope (OCR 1.2, §1.5).
func (c *Ctx) finish(i uint32, t *edtRecord, ret guid.GUID) Ready {
	if c.moreToFinish(t, ret) {
		return c.finishMore(i, t, ret)
	}
	c.current = 0
	c.endEDT(i, t)
	return 0
}

// moreToFinish reports whether the end of a body takes more than to free the record.
func (c *Ctx) moreToFinish(t *edtRecord, ret guid.GUID) bool {
	hi, lo := ret.Words()
	return hi|lo|t.out|uint64(len(c.created))|uint64(c.held) != 0 || c.again.stage != 0
}

// finishMore is finish for an EDT for which moreToFinish is true.
func (c *Ctx) finishMore(i uint32, t *edtRecord, ret guid.GUID) Ready {
	c.atReady |= readyPicks
	n := 0
	if c.obs == nil {
		n = c.leaveRW()
	}
	if n < len(c.deps) {
		c.releaseDeps(n)
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

// endEDT returns the EDT's token, and frees its record.
func (c *Ctx) endEDT(i uint32, t *edtRecord) {
	if !c.quickEnd(i, t) {
		if t.scope != 0 {
			c.tokens++ // c.scope is this scope: it was entered to run the EDT
		}
		c.freeEDT(i, t)
	}
}

// quickEnd is endEDT for most EDTs. Otherwise it reports false, and has done nothing.
func (c *Ctx) quickEnd(i uint32, t *edtRecord) bool {
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

// releaseDeps releases the dependences from slot n on that the body has not released.
func (c *Ctx) releaseDeps(n int) {
	for ; n < len(c.deps); n++ {
		d := &c.deps[n]
		if c.obs == nil || d.Access != heldRW {
			c.releaseAtEnd(d)
			continue
		}
		c.obs.BlockReleased(d.ID, datablock.RW, false)
		if _, lo := d.ID.Words(); !c.blocks.At(uint32(lo)).LeaveRW() {
			c.letGo(lo, datablock.RW)
		}
	}
}

// leaveRW releases dependences up to the first that needs more than one try in mode RW, and
// returns its slot. It calls nothing, so all that it needs stays in registers.
func (c *Ctx) leaveRW() int {
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
	if hold := d.Access.Hold(); hold == dep.Held || hold == dep.Downgraded {
		word, mode := c.wordOf(d), heldMode(d)
		if d.Access.Proxy() != 0 { // which may be gone then
			d.SetHold(dep.NotHeld)
		}
		c.releaseHold(word, mode)
	}
}

// satisfyOutput satisfies the output event with what the body returned; if
// that is an event, the output event is chained to it.
func (c *Ctx) satisfyOutput(out uint64, ret guid.GUID) {
	hi, _ := ret.Words()
	if hi == c.highEvent || c.isAway(ret, guid.KindEvent) {
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

// fireOutput satisfies an output event.
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

// checkReturn makes a wrong return value an error also if the EDT has no output event.
func (c *Ctx) checkReturn(ret guid.GUID) {
	hi, _ := ret.Words()
	if hi != c.highEvent && !c.isAway(ret, guid.KindEvent) && !c.isAway(ret, guid.KindBlock) {
		c.payload(opReturn, ret)
	}
}
