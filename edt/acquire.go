package edt

import (
	"cmp"
	"slices"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
)

// The worker that satisfies an EDT's last slot acquires the EDT's blocks. If the slots are few, it first tries the
// blocks in slot order. If a try fails, the worker releases what it has acquired, and acquires the blocks in the order
// of their GUIDs: the EDT waits in the queue of each block that is not free, and the worker never waits. All EDTs of
// all ranks use this order, so no cycle of waiting EDTs can form. (An EDT that waits keeps its later blocks by holds in
// mode RO, which exclude no other EDT.)

// acquireSlow continues where acquireRW has stopped. from is the result of acquireRW, or 0 if the slots are in a spill.
func (c *Ctx) acquireSlow(i uint32, t *edtRecord, from int) {
	if t.depc > atOnce || !c.acquireAtOnce(i, t, from) {
		c.acquireOrdered(i, t, 0)
		return
	}
	c.ready(i, t)
}

// acquireRW acquires, in slot order, the blocks of an EDT whose slots are in its record, and describes them in a. It
// stops at the first slot that is in mode EW, RO or Const (over ranks also Null), whose block another slot holds, or
// whose block one try does not acquire. It returns the index of this slot, or the number of slots if it has not
// stopped. It returns ^n if the block of slot n was destroyed. The EDT already holds the block of the slot with index
// had, unless that is noSlot. acquireRW calls nothing, so its values stay in registers.
func (c *Ctx) acquireRW(i uint32, t *edtRecord, a *view, had int) (n int) {
	count := int(t.depc)
	a.edt, a.tag, a.held = i, t.Tag(), count
	for n = range inlineSlots {
		if n == count {
			return n
		}
		s, d := &t.slots[n], &a.deps[n]
		word, link := s.word, s.link
		if word == 0 {
			a.held--
			*d = dep.State{}
			continue
		}
		if link != filledRW {
			if link != c.nullLink {
				return n
			}
			a.held--
			d.ID, d.Access = guid.FromWords(c.highBlock, word), noAccess
			d.Addr, d.Size = 0, 0
			continue
		}
		r := c.blocks.At(uint32(word))
		if n != had {
			// If only readers hold the block, no other slot of this EDT holds it: such a slot would hold it in mode RW.
			if !r.TryFirstRW() && (hasBy(t, n, had, word) || !r.TryRW()) {
				return n
			}
			if !r.Is(word) {
				return ^n
			}
		}
		d.ID, d.Access = guid.FromWords(c.highBlock, word), heldRW
		d.Addr, d.Size = r.Memory()
	}
	return inlineSlots
}

// noSlot, as argument had of acquireRW, says that the EDT holds no block yet.
const noSlot = -1

// hasBy reports whether an EDT already holds the block of slot n: by the slot with index had, or by a slot before n.
func hasBy(t *edtRecord, n, had int, word uint64) bool {
	if had > n && t.slots[had&(inlineSlots-1)].word == word {
		return true
	}
	for k := range t.slots[:n&(inlineSlots-1)] {
		if e := &t.slots[k]; e.word == word && e.link != filledNull {
			return true
		}
	}
	return false
}

// atOnce is the largest number of slots for acquireAtOnce, which compares each block with all before it. If there are
// more slots, sorting is faster.
const atOnce = 16

// acquireAtOnce tries to acquire the blocks of an EDT with few slots, beginning with the slot at index from. If from is
// negative, the block of slot ^from was destroyed, and the run ends. If acquireAtOnce returns false, it has released
// all blocks of the EDT.
func (c *Ctx) acquireAtOnce(i uint32, t *edtRecord, from int) bool {
	slots := c.g.slotsOf(t)
	if from < 0 {
		c.staleBlock(i, t, ^from, slots[^from].word)
	}
next:
	for n := from; n < len(slots); n++ {
		s := &slots[n]
		word, link := s.word, s.link
		if word == 0 || link&linkMode == uint64(datablock.Null)<<linkModeAt {
			continue
		}
		for k := range slots[:n] {
			if e := &slots[k]; e.word == word && c.sharesBlock(i, t, e, s) {
				continue next
			}
		}
		r := c.blocks.At(uint32(word))
		if (link&linkMode != uint64(datablock.RW)<<linkModeAt || !r.TryRW()) && !r.TryAcquire(s.mode()) {
			c.unacquire(slots[:n])
			return false
		}
		if !r.Is(word) {
			c.staleBlock(i, t, n, word)
		}
		s.link = link | r.Line() // the memory's line, see noteLines
	}
	return true
}

// sharesBlock is for two slots with one block. If the earlier slot is in mode Null it returns false. If the slots have
// different modes it ends the run. Else it marks s as shared and returns true.
func (c *Ctx) sharesBlock(i uint32, t *edtRecord, earlier, s *slot) bool {
	if earlier.mode() == datablock.Null {
		return false
	}
	if earlier.mode() != s.mode() {
		c.mixedModes(i, t, earlier, s)
	}
	s.link |= linkShared
	return true
}

// unacquire gives up the blocks that were acquired for slots of an EDT that does not run yet.
func (c *Ctx) unacquire(slots []slot) {
	for k := range slots {
		s := &slots[k]
		if s.word != 0 && s.mode() != datablock.Null && s.link&linkShared == 0 {
			c.release(s.word, s.mode())
		}
		s.link &^= linkShared | linkLine
	}
}

// If an EDT waits for its last block, on one rank and without an observer, the Cursor of its block.Waiter has lastBlock
// and the EDT's place and priority. Then the worker that grants the block hands the EDT to the host without reading the
// EDT's record.
const (
	lastBlock     = 1 << 28
	lastPrioShift = readyPrioShift - readyPlaceShift
)

// acquireOrdered acquires the blocks of an EDT in the order of their GUIDs, beginning at index cursor of that order,
// and hands the EDT to the host when it has them all. Before the EDT waits for the first time, acquireOrdered calls
// keep for the later blocks, so that their memory stays if another EDT destroys them meanwhile.
func (c *Ctx) acquireOrdered(i uint32, t *edtRecord, cursor int) {
	order := c.blockOrder(i, t)
	slots := c.g.slotsOf(t)
	keeps := cursor > 0 // the EDT has waited
	for ; cursor < len(order); cursor++ {
		s := &slots[order[cursor]]
		r := c.blocks.At(uint32(s.word))
		kept := keeps
		if !(kept && r.TryKept(s.mode()) || !kept && r.TryAcquire(s.mode())) {
			if !keeps {
				c.keep(i, t, order[cursor+1:])
				keeps = true
			}
			w, word := block.Waiter{EDT: i, Cursor: uint32(cursor + 1), Mode: s.mode(), Kept: kept}, s.word
			if cursor+1 == len(order) && c.obs == nil && c.g.ranks == nil {
				// When the block is granted, the EDT's record is mostly in another worker's cache. So this worker notes the
				// cache line of the block's memory in the slot now. While the EDT waits the memory does not move.
				w.Cursor = lastBlock | uint32(t.place) | uint32(uint8(t.prio))<<lastPrioShift
				s.link |= r.Line()
			}
			switch c.g.blocks.Wait(word, r, w) { // from here on another worker may have the EDT, or destroy the block
			case block.Queued:
				return
			case block.QueuedLent:
				c.g.ranks.Want(c, word)
				return
			case block.Gone:
				c.staleBlock(i, t, int(order[cursor]), word)
			}
		}
		if !kept && !r.Is(s.word) { // the block is destroyed, and r may be another block's by now
			c.staleBlock(i, t, int(order[cursor]), s.word)
		}
	}
	c.ready(i, t)
}

// keep acquires, in mode RO, the blocks of the listed slots of an EDT that is about to wait for an earlier block: see
// [block.Record.Keep]. For a block of another rank it keeps the proxy.
func (c *Ctx) keep(i uint32, t *edtRecord, order []uint32) {
	slots := c.g.slotsOf(t)
	for _, n := range order {
		word := slots[n].word
		if r := c.blocks.At(uint32(word)); !(r.Keep() && r.Is(word)) {
			c.staleBlock(i, t, int(n), word)
		}
	}
}

// blockOrder returns the slots by which the EDT acquires its blocks, each block once, in the order of their GUIDs.
func (c *Ctx) blockOrder(i uint32, t *edtRecord) []uint32 {
	slots := c.g.slotsOf(t)
	order := c.order[:0]
	for n := range slots {
		if slots[n].word != 0 && slots[n].mode() != datablock.Null {
			order = append(order, uint32(n))
		}
	}
	c.order = order
	if len(order) < 2 {
		return order
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if c.g.ranks != nil && slots[a].word != slots[b].word {
			return c.blockInOrder(slots[a].word).Compare(c.blockInOrder(slots[b].word)) // the same on all ranks
		}
		return cmp.Or(cmp.Compare(slots[a].word, slots[b].word), cmp.Compare(a, b))
	})
	unique := order[:0]
	for _, n := range order {
		s := &slots[n]
		if last := len(unique) - 1; last >= 0 && slots[unique[last]].word == s.word {
			if slots[unique[last]].mode() != s.mode() {
				c.mixedModes(i, t, &slots[unique[last]], s)
			}
			s.link |= linkShared
			continue
		}
		unique = append(unique, n)
	}
	return unique
}

// grant resumes each EDT or rank that was granted a block: an EDT acquires its next blocks, or goes to the host.
func (c *Ctx) grant(granted []block.Waiter) {
	if len(granted) == 0 {
		return
	}
	c.granted = granted
	for _, w := range granted {
		if w.Cursor&lastBlock == 0 {
			if w.EDT&block.ForRank != 0 {
				c.g.ranks.Granted(c, w)
				continue
			}
			t := c.edts.At(w.EDT)
			if c.obs != nil {
				c.obs.EDTGranted(c.g.edtGUID(w.EDT, t))
			}
			c.acquireOrdered(w.EDT, t, int(w.Cursor))
			continue
		}
		k := Ready(w.EDT) | Ready(w.Cursor&(lastBlock-1))<<readyPlaceShift
		if c.atReady&readyPicks != 0 {
			k = c.pick(k)
		}
		if k != 0 {
			c.host.Ready(k)
		}
	}
}

func (c *Ctx) mixedModes(i uint32, t *edtRecord, a, b *slot) {
	c.misuse("acquire", ErrMixedModes, c.g.blockGUID(a.word), "%v and %v, by EDT %v of template %s",
		a.mode(), b.mode(), c.g.edtGUID(i, t), c.g.template(t).name)
}

func (c *Ctx) staleBlock(i uint32, t *edtRecord, n int, block uint64) {
	if c.again.stage == againNew && i == c.current {
		c.goneBlock(n, block)
	}
	why := ""
	if c.g.ranks != nil {
		why = acquiredFirst
	}
	c.misuse("acquire", ErrStale, c.g.blockGUID(block), "by slot %d of EDT %v, template %s%s",
		n, c.g.edtGUID(i, t), c.g.template(t).name, why)
}
