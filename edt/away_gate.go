package edt

import (
	"slices"
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/core/relaxed"
)

// Blocks in place order calls. An EDT that has its blocks is held back at its *gate* until what the last holders' ranks
// have sent by then is handled. And what an EDT sends is handled before the call returns, if other EDTs can see at once
// what it writes next. docs/ranks.md has the argument.

// gates has the EDTs that have their blocks, and must not begin yet.
//
// Concurrency: any worker adds an EDT; the courier takes it out. A worker that polls loads closed.
type gates struct {
	mu     sync.Mutex
	all    []gated
	closed atomic.Int64 // the length of all
}

type gated struct {
	edt    uint32
	stamps []block.Stamp // none is known to be clear
}

// gate reports whether an EDT that has its blocks must not begin yet. It looks at them only when the EDT has them all:
// others may join one while the EDT acquires the next. So it looks at blocks that no other rank knew when the EDT got
// them, too.
func (c *Ctx) gate(i uint32, t *edtRecord) bool {
	shared, me := c.g.away.leases.shared, c.g.away.me
	var stamps []block.Stamp
	slots := c.g.slotsOf(t)
	for k := range slots {
		s := &slots[k]
		if s.word == 0 || s.mode() == datablock.Null {
			continue
		}
		r := c.blocks.At(uint32(s.word))
		if home := r.InPlace(); home != nil {
			r = home
		} else if r.Private() {
			continue
		}
		stamps = shared.Before(r, me, s.mode(), stamps)
	}
	if len(stamps) == 0 {
		return false
	}
	t.phase = phaseRunnable
	g := &c.g.away.gates
	g.mu.Lock()
	g.all = append(g.all, gated{i, stamps})
	g.closed.Store(int64(len(g.all)))
	g.mu.Unlock()
	return true
}

// passes reports whether gate would report false, for most EDTs whose slots are in their record.
func (c *Ctx) passes(t *edtRecord) bool {
	if t.depc > inlineSlots {
		return false
	}
	for k := range t.slots[:t.depc&(2*inlineSlots-1)] {
		s := &t.slots[k]
		if s.word == 0 {
			continue
		}
		r := c.blocks.At(uint32(s.word))
		if r.Private() {
			continue
		}
		if home := r.InPlace(); home != nil {
			r = home
		}
		if k, ok := r.Unmixed(); !ok || s.mode() == datablock.Null || !c.blocks.Passes(k) {
			return false
		}
	}
	return true
}

// putBehind has an EDT wait until the message is handled that has made it runnable: another EDT may have given up one
// of its blocks behind that message. It reports true.
func (c *Ctx) putBehind(i uint32, t *edtRecord) bool {
	t.phase = phaseRunnable
	c.behind = append(c.behind, i)
	return true
}

// openBehind goes on with these EDTs.
func (c *Ctx) openBehind() {
	for _, i := range c.behind {
		c.ready(i, c.edts.At(i))
	}
	c.behind = c.behind[:0]
}

// openGates hands the EDTs to the host that may begin by now. It is for the courier.
func (c *Ctx) openGates() {
	g, shared := &c.g.away.gates, c.g.away.leases.shared
	var open []uint32
	g.mu.Lock()
	g.all = slices.DeleteFunc(g.all, func(k gated) bool {
		if slices.ContainsFunc(k.stamps, func(s block.Stamp) bool { return !shared.Clear(s) }) {
			return false
		}
		open = append(open, k.edt)
		return true
	})
	g.mu.Unlock()
	c.atReady &^= readyGates
	for _, i := range open {
		c.ready(i, c.edts.At(i))
	}
	c.atReady |= readyGates
	g.mu.Lock()
	g.closed.Store(int64(len(g.all))) // not before they are ready: the run is not over
	g.mu.Unlock()
}

// noteHandled counts a message of another rank that is handled.
func (r *away) noteHandled(from int, kind uint8) {
	if kind &^= noted; r.leases.shared != nil && kind < msgControl && strongMessages[kind] {
		handled := &r.leases.shared.Said(from).Handled
		relaxed.Store64(handled, atomic.LoadUint64(handled)+1) // no two ranks handle strong messages of one at a time
	}
}

// orderWords waits until what this rank has sent is handled, if the EDT has a block in mode RW that others have too.
// The caller has no lock.
func (c *Ctx) orderWords() {
	if c.current != 0 && c.g.away.leases.shared != nil && (c.joins(c.deps) || c.joins(c.created)) {
		c.awaitHandled()
	}
}

// joins reports whether one of these blocks is held in mode RW, and other EDTs have it too, or have had it meanwhile.
func (c *Ctx) joins(all []dep.State) bool {
	for k := range all {
		d := &all[k]
		if hold := d.Access.Hold(); modeOf(d) != datablock.RW || hold != dep.Held && hold != dep.OfGraph {
			continue
		}
		r := c.blocks.At(uint32(c.wordOf(d)))
		if home := r.InPlace(); home != nil {
			r = home
		}
		if r.Mixed() {
			return true
		}
	}
	return false
}

// awaitHandled waits until what this rank has sent is handled.
func (c *Ctx) awaitHandled() {
	said := c.g.away.leases.shared.Said(c.g.away.me)
	for sent := atomic.LoadUint64(&said.Sent); atomic.LoadUint64(&said.Handled) < sent; {
		c.awaitMessage()
	}
}
