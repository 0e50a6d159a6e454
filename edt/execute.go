package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
)

// runnable acquires the blocks of an EDT whose slots are all satisfied. If all are free, it hands the EDT to the host;
// otherwise the worker that grants the last block does so.
func (c *Ctx) runnable(i uint32, t *edtRecord) {
	if n := t.depc; n != 0 && !t.blockless() {
		t.phase = phaseRunnable
		if n > inlineSlots {
			c.acquireSlow(i, t, 0)
			return
		}
		a := c.viewFor(i)
		if from := c.acquireRW(i, t, a, noSlot); from != int(n) {
			a.edt = 0
			c.acquireSlow(i, t, from)
			return
		}
		if t.place != 0 && t.place != c.self {
			t.noteLines(a)
		}
	}
	c.ready(i, t)
}

// blockless reports whether no block came on any slot of an EDT whose slots are all satisfied. It returns false if the
// slots are in a spill, as slots[0] then has the index of the spill. Slots that the EDT lacks are zero in its record.
func (t *edtRecord) blockless() bool {
	s := &t.slots
	return s[0].word|s[1].word|s[2].word|s[3].word == 0
}

// ready hands an EDT that has all its blocks to the host, or puts it into the next-EDT slot. But of the EDTs that
// become ready at the end of a body, the worker keeps one and runs it next, while its data is in the cache: the first
// EDT without a priority that is unplaced or bound to this worker. From a call of Again until goOn, the worker keeps
// only an EDT that is bound to it: it will run the new EDT too, and thieves may take EDTs that are not bound.
func (c *Ctx) ready(i uint32, t *edtRecord) {
	t.phase = phaseReady
	k := Ready(i) | Ready(t.place)<<readyPlaceShift | Ready(uint8(t.prio))<<readyPrioShift
	if c.atReady != 0 {
		if c.atReady&readyReports != 0 {
			c.obs.EDTReady(c.g.edtGUID(i, t))
		}
		if c.atReady&readyPicks != 0 {
			if k = c.pick(k); k == 0 {
				return
			}
		}
	}
	if k == Ready(i) && c.nextSlot.EDT.Own() == 0 { // it may run anywhere, and has no priority
		c.nextSlot.EDT.Publish(uint64(k))
		if c.nextSlot.wanted() {
			c.nextSlot.Share()
		}
		return
	}
	c.host.Ready(k)
}

// pick keeps an EDT to run next, and returns 0. If it does not keep the EDT it returns k, for the host.
func (c *Ctx) pick(k Ready) Ready {
	if at := k.Where(); c.next == 0 && (at == uint32(c.self) || at == 0 && c.again.stage != againCalled) {
		c.next = k
		return 0
	}
	return k
}

// Execute runs a ready EDT, and returns an EDT that became ready at its end and should run next on this worker, 0 for
// none. The host calls it once for each EDT that it was handed by [Host.Ready], in a [NextSlot] or by Execute.
//
// A panic of the body, or a misuse in it, leaves Execute as a panic: the host recovers it and calls [Worker.Recovered].
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
		k := i % viewCount
		a := &c.views[k]
		switch {
		case a.edt == i && a.tag == t.Tag():
			c.inUse, c.deps = k, a.deps[:t.depc&(2*inlineSlots-1)]
			c.releasedUpTo, c.held = 0, a.held
		case t.blockless():
			c.deps = c.noBlocks[:t.depc&(2*inlineSlots-1)]
			c.releasedUpTo, c.held = noOrder, 0
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
	if ret := tmpl.fn(c, Args{c}); c.hasMoreAtEnd(t, ret) {
		return c.finishSlow(i, t, ret)
	}
	c.current = 0
	if !c.tryEnd(i, t) {
		c.endEDT(i, t)
	}
	return 0
}

// templateOf is [Ctx.template], and takeParams sets c.params. Neither is inlined: most EDTs do not need them, and
// Execute is shorter without them.
//
//go:noinline
func (c *Ctx) templateOf(t *edtRecord) *Template { return c.template(t) }

//go:noinline
func (c *Ctx) takeParams(t *edtRecord) { c.params = c.g.paramsOf(t) }

func (c *Ctx) executeObserved(i uint32, t *edtRecord, tmpl *Template) Ready {
	self := c.Self()
	c.releasedUpTo = noOrder // no fast paths: they report nothing
	recorded := c.hideControls()
	c.obs.EDTBegin(self, tmpl, Args{c})
	ret := tmpl.fn(c, Args{c})
	if recorded { // what the body has returned satisfies nothing; from here on the EDT is as any other
		c.again.stage = 0
		c.checkReturn(ret)
		ret = guid.Null
	}
	c.obs.EDTReturned(self)
	next := Ready(0)
	if c.hasMoreAtEnd(t, ret) {
		next = c.finishSlow(i, t, ret)
	} else {
		c.current = 0
		c.endEDT(i, t)
	}
	c.obs.EDTEnded(self)
	return next
}

// A body sees its blocks in deps. For most EDTs acquireRW writes a view of the blocks when it acquires them, while the
// values are in registers. The worker keeps the view in an entry of views until the EDT runs. If another EDT has taken
// the entry since, or another worker runs the EDT, describe writes a view when the EDT begins.

// A view describes the blocks of an EDT whose slots are in its record.
type view struct {
	tag, edt uint32 // the EDT's generation and index
	deps     [inlineSlots]dep.State
	held     int // how many of deps hold a block
}

// views has an entry for each EDT index modulo viewCount. The last entry replaces the one that the running EDT uses.
type views [viewCount + 1]view

const viewCount = 16

// viewFor returns the entry for an EDT other than the running one.
func (c *Ctx) viewFor(i uint32) *view {
	k := i % viewCount
	if k == c.inUse {
		k = viewCount
	}
	return &c.views[k]
}

// heldRW is the access of a slot that holds its block in mode RW.
const heldRW = dep.Access(dep.Held)<<8 | dep.Access(datablock.RW)

// noAccess is the access of a slot whose block came in mode Null.
const noAccess = dep.Access(datablock.Null)

// noOrder, as releasedUpTo, is larger than any index.
const noOrder = MaxDeps + 1

// describe describes the dependences of an EDT that has blocks and is not in views.
//
//go:noinline
func (c *Ctx) describe(i uint32, t *edtRecord) {
	c.inUse = i % viewCount
	a := &c.views[c.inUse]
	a.edt = 0
	slots, deps := c.g.slotsOf(t), a.deps[:]
	if len(slots) > len(deps) {
		if cap(c.many) < len(slots) {
			c.many = make([]dep.State, 2*len(slots))
		}
		deps = c.many
	}
	deps = deps[:len(slots)]
	c.deps = deps
	all, held := uint64(0), 0
	for k := range slots {
		d := &deps[k]
		word, link := slots[k].word, slots[k].link
		switch {
		case word == 0:
			*d = dep.State{}
		case link&linkMode == uint64(datablock.Null)<<linkModeAt:
			*d = dep.State{ID: guid.FromWords(c.highBlock, word), Access: noAccess}
		default:
			all |= link
			held++
			d.ID = guid.FromWords(c.highBlock, word)
			d.Access = dep.In(uint8(link>>linkModeAt&7), holdOf(link))
			c.blocks.At(uint32(word)).ShowMemory(d, link&linkLine)
		}
	}
	if c.g.ranks != nil {
		c.describeProxies(slots)
	}
	c.releasedUpTo, c.held = 0, held
	if all&linkShared != 0 {
		c.releasedUpTo = noOrder
	}
}

// holdOf returns the hold that an EDT has on the block of a slot when it begins.
func holdOf(link uint64) dep.Hold {
	return dep.Held + dep.Hold(link/linkShared&1)*(dep.Shared-dep.Held)
}

// noteLines notes, in the slots of an EDT that another worker is to run, where the memory of its blocks is. That worker
// can then read the bytes and the blocks' records at the same time.
func (t *edtRecord) noteLines(a *view) {
	a.edt = 0
	for n := range t.slots[:t.depc&(2*inlineSlots-1)] {
		t.slots[n].link |= block.LineOf(a.deps[n].Addr)
	}
}
