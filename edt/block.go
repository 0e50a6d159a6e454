package edt

import (
	"errors"
	"fmt"
	"slices"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
)

// NewBlock creates a data block of size zeroed bytes, aligned to a cache line. A block of size 0 has a GUID and no
// memory: its bytes are nil. The calling EDT holds the block in mode RW until it releases the block or ends; the bytes
// are valid until then. A negative size ends the run ([ErrSize]), as does a lack of memory ([ErrMemory]).
func (c *Ctx) NewBlock(size int) (guid.GUID, []byte) {
	if n := len(c.created); n < cap(c.created) && c.obs == nil {
		if i, r := c.blocks.CreateQuick(size); r != nil {
			c.n.BlockCreated++
			c.created = c.created[:n+1]
			d := &c.created[n]
			g := guid.FromWords(c.highBlock, r.Low(i))
			d.ID, d.Access = g, heldRW
			r.ShowMemory(d, 0)
			bytes := r.Bytes()
			clear(bytes)
			return g, bytes
		}
	}
	g, r := c.newBlock(size, true)
	c.noteCreated(g, r)
	if c.obs != nil {
		return g, c.obs.BlockCreated(g, size, r.Bytes())
	}
	return g, r.Bytes()
}

// noteCreated adds a block to those that the running EDT has created and holds.
func (c *Ctx) noteCreated(g guid.GUID, r *block.Record) {
	n := len(c.created)
	if n == cap(c.created) {
		c.growCreated()
		n = len(c.created)
	}
	c.created = c.created[:n+1]
	d := &c.created[n]
	d.ID, d.Access = g, heldRW
	r.ShowMemory(d, 0)
}

// growCreated makes room in the list: it removes the entries of blocks that the body has given up, and makes the list
// longer if these were few.
func (c *Ctx) growCreated() {
	c.created = slices.DeleteFunc(c.created, func(d dep.State) bool { return d.Access.Hold() == dep.NotHeld })
	if c.nextCreated = 0; len(c.created) >= cap(c.created)/2 {
		c.created = slices.Grow(c.created, len(c.created)+1)
	}
}

// NewBlockNoAcquire creates a data block that the calling EDT does not hold (OCR DB_PROP_NO_ACQUIRE).
func (c *Ctx) NewBlockNoAcquire(size int) guid.GUID {
	g, _ := c.newBlock(size, false)
	if c.obs != nil {
		c.obs.BlockCreated(g, size, nil)
	}
	return g
}

// NewBlockNear is [Ctx.NewBlockNoAcquire] on the rank of a worker. With one rank, the affinity is only checked.
func (c *Ctx) NewBlockNear(size int, a Affinity) guid.GUID {
	c.checkPlace(opNewBlock, a)
	c.checkSize(size)
	if size > datablock.MaxSize {
		c.noMemory(opNewBlock, guid.Null, size, nil)
	}
	if to, _, other := c.homeOf(a); other {
		return c.g.ranks.Ask(c, to, Act{Kind: ActNewBlock, On: number(uint64(size)), Slot: RemoteSlot(a)})
	}
	return c.NewBlockNoAcquire(size)
}

func (c *Ctx) newBlock(size int, acquire bool) (guid.GUID, *block.Record) {
	c.checkSize(size)
	i, r, err := c.blocks.Create(size, acquire)
	if err != nil {
		c.noMemory(opNewBlock, guid.Null, size, err)
	}
	c.n.BlockCreated++
	c.noteSite(guid.KindBlock, i)
	return guid.FromWords(c.highBlock, r.Low(i)), r
}

const opNewBlock = "create data block"

func (c *Ctx) checkSize(size int) {
	if size < 0 {
		c.misuse(opNewBlock, ErrSize, guid.Null, "%d bytes, need at least 0", size)
	}
}

// noMemory ends the run: there is no memory for a block. The error says which limit is reached.
func (c *Ctx) noMemory(op string, id guid.GUID, size int, err error) {
	why := fmt.Sprintf("all data blocks together may have %d, see runtime.Memory", c.g.config.Memory)
	if size > datablock.MaxSize {
		why = fmt.Sprintf("a data block may have %d", datablock.MaxSize)
	} else if errors.Is(err, block.ErrTooMany) {
		why = err.Error()
	}
	c.misuse(op, ErrMemory, id, "%d bytes: %s", size, why)
}

// block looks up the block that a call names.
func (c *Ctx) block(op string, g guid.GUID, stale *Condition) (uint32, *block.Record) {
	hi, lo := g.Words()
	if hi != c.highBlock {
		c.wrongKind(op, g, guid.KindBlock)
	}
	r := c.g.blocks.Lookup(lo)
	if r == nil || c.g.destroyedOverRanks(lo) {
		c.misuse(op, stale, g, "")
	}
	return uint32(lo), r
}

// hold finds the calling EDT's hold on a block, nil if it has none.
func (c *Ctx) hold(g guid.GUID) *dep.State {
	if last := len(c.created) - 1; last >= 0 && c.created[last].ID == g {
		if d := &c.created[last]; d.Access.Hold() != dep.NotHeld {
			return d
		}
		return nil
	}
	if d := findHold(c.deps, g, &c.nextDep); d != nil {
		return d
	}
	return findHold(c.created, g, &c.nextCreated)
}

// findHold searches a list from the entry after the last one found, because calls tend
// to go through the blocks in order.
func findHold(list []dep.State, g guid.GUID, next *int) *dep.State {
	at := *next
	for range list {
		if at >= len(list) {
			at = 0
		}
		d := &list[at]
		at++
		if d.ID == g && d.Access.Hold().Here() {
			*next = at
			return d
		}
	}
	return nil
}

// The functions below give up blocks of a running EDT. For an EDT that does not run yet see [Ctx.unacquire].

// Release releases a block before the end of the EDT, which must not use the bytes afterwards. Every EDT that a later
// call makes ready sees what this EDT wrote. The run ends if the EDT does not hold the block ([ErrNotHeld]).
func (c *Ctx) Release(block guid.GUID) {
	// Most EDTs release their dependences in order, each once, and no other EDT waits for these blocks.
	if k := c.releasedUpTo; uint(k) < uint(len(c.deps)) {
		d := &c.deps[k]
		if _, lo := block.Words(); d.ID == block && d.Access == heldRW && c.blocks.At(uint32(lo)).LeaveRW() {
			d.SetHold(dep.NotHeld)
			c.releasedUpTo = k + 1
			c.held--
			return
		}
	}
	c.releaseSlow(block)
}

// ReleaseDep is [Ctx.Release] for the block of one of the EDT's own dependences, as [Args.Dep] returns it. It saves
// the search for the block. own must not be a copy, because ReleaseDep writes to it: a copy ends the run.
func (c *Ctx) ReleaseDep(own *datablock.Dep) {
	d := block.Hide(own)
	if _, lo := d.ID.Words(); d.Access != heldRW || c.releasedUpTo == noOrder || !block.Among(c.deps, d) ||
		!c.blocks.At(uint32(lo)).LeaveRW() {
		c.releaseDepSlow(d)
		return
	}
	d.SetHold(dep.NotHeld)
	c.held--
}

func (c *Ctx) releaseDepSlow(d *dep.State) {
	if !block.Among(c.deps, d) {
		c.misuse("release", ErrNotHeld, d.ID, "a copy of a dependence, or one of another EDT: use Args.Dep, or &deps[k]")
	}
	switch d.Access.Hold() {
	case dep.NotHeld:
		slot := 0
		for &c.deps[slot] != d {
			slot++
		}
		cause, why := ErrNotHeld, "released before, or its mode gives no access"
		if d.ID.IsNull() {
			cause, why = ErrKind, "no block came"
		}
		c.misuse("release", cause, d.ID, "slot %d%s: %s", slot, inBrackets(c.g.slotName(c.running(), slot)), why)
	case dep.Shared:
		c.releaseSlow(d.ID)
	default:
		c.giveUp(d, d.ID)
	}
}

func (c *Ctx) releaseSlow(block guid.GUID) { c.giveUp(c.mustHold("release", block), block) }

// giveUp gives up the hold d of the running EDT on a block.
func (c *Ctx) giveUp(d *dep.State, block guid.GUID) {
	if d.Access.Hold() == dep.OfGraph {
		c.giveUpInGraph(d.ID)
		return
	}
	word, mode := c.wordOf(d), heldMode(d)
	c.drop(d, block)
	c.observeRelease(word, mode)
	c.release(word, mode)
}

// release releases a block that is held in a mode, and grants it to EDTs that wait for it.
func (c *Ctx) release(word uint64, mode datablock.Mode) {
	r := c.blocks.At(uint32(word))
	if mode != datablock.RW || !r.LeaveRW() {
		c.grant(c.blocks.Release(uint32(word), r, mode, c.granted[:0]))
	}
}

// wordOf returns the low GUID word of the record of a block that the EDT holds.
func (c *Ctx) wordOf(d *dep.State) uint64 {
	if i := d.Access.Proxy(); i != 0 {
		return c.blocks.At(i).Low(i)
	}
	return low(d.ID)
}

// drop marks a hold as given up, on every slot that shares it.
func (c *Ctx) drop(d *dep.State, block guid.GUID) {
	d.SetHold(dep.NotHeld)
	if last := len(c.created) - 1; last >= 0 && d == &c.created[last] {
		c.created = c.created[:last]
		return
	}
	if c.releasedUpTo != noOrder {
		return
	}
	for k := range c.deps {
		if s := &c.deps[k]; s.Access.Hold() == dep.Shared && s.ID == block {
			s.SetHold(dep.NotHeld)
		}
	}
}

// mustHold is hold for a call that needs the hold: without one the run ends.
func (c *Ctx) mustHold(op string, block guid.GUID) *dep.State {
	if d := c.hold(block); d != nil {
		return d
	}
	if hi, _ := block.Words(); hi != c.highBlock && !c.isRemote(block, guid.KindBlock) {
		c.wrongKind(op, block, guid.KindBlock)
	}
	c.misuse(op, ErrNotHeld, block, "by this EDT: released, sent or destroyed before, or never acquired")
	return nil
}

// Downgrade publishes what was written to a block and keeps read access (OCR 1.2, ocrDbDowngradeRelease). EDTs that
// wait for the block because of this hold can then acquire it. If the EDT holds the block only for reading, the call
// does nothing; if it does not hold the block, the run ends ([ErrNotHeld]).
func (c *Ctx) Downgrade(block guid.GUID) {
	d := c.mustHold("downgrade", block)
	if m := heldMode(d); m == datablock.RO || m == datablock.Const || d.Access.Hold() == dep.OfGraph {
		return
	}
	if c.obs != nil {
		c.obs.BlockReleased(block, modeOf(d), true)
	}
	i := uint32(c.wordOf(d))
	proxy := d.Access.Proxy()
	d.SetHold(dep.Downgraded)
	d.Access = d.Access.OfProxy(proxy)
	c.grant(c.blocks.Downgrade(i, c.blocks.At(i), modeOf(d), c.granted[:0]))
}

// BlockMode returns the mode in which the calling EDT holds a block: [datablock.RO] after a downgrade, but in a node of
// a recorded graph perhaps the mode before it. It ends the run if the EDT does not hold the block ([ErrNotHeld]).
func (c *Ctx) BlockMode(block guid.GUID) datablock.Mode {
	return heldMode(c.mustHold("block mode", block))
}

// modeOf returns the mode in which a block was acquired.
func modeOf(d *dep.State) datablock.Mode { return datablock.Mode(d.Access.Mode()) }

// heldMode returns the mode in which a block is held: RO after a downgrade.
func heldMode(d *dep.State) datablock.Mode {
	if d.Access.Hold() == dep.Downgraded {
		return datablock.RO
	}
	return modeOf(d)
}

// An Unordered is a set of uses of a block that a program leaves unordered; see [Ctx.AllowUnordered].
type Unordered uint8

const (
	// ExclusiveWriters: EDTs that change the block in mode EW may come in any order, such as EDTs that add to a sum.
	// Without ExclusiveWriters check mode reports "unordered exclusive writers".
	ExclusiveWriters Unordered = 1 << iota
	// ReadsAndWrites: EDTs may read the block while others change it, such as EDTs that use different bytes of it, or
	// that can use an old value. Without ReadsAndWrites check mode reports "unordered read and write".
	ReadsAndWrites
	// SharedBytes is what [Ctx.Synchronised] declares.
	SharedBytes
)

// AllowUnordered declares that a program is right although nothing orders these uses of a block. It is advice for
// observers that look for races; say at the call why the program is right. Call it before another EDT can acquire the
// block. Observers still look for all other unordered uses: for example, the reader of a sum must come after the EDTs
// that add to it.
func (c *Ctx) AllowUnordered(block guid.GUID, uses Unordered) {
	c.allow("allow unordered", block, uses)
}

// Synchronised declares that EDTs which hold a block at the same time order their accesses to it by themselves, as with
// [ocr/datablock/cell]. Observers that look for races then treat its bytes as shared. Call it before another EDT can
// acquire the block.
func (c *Ctx) Synchronised(block guid.GUID) { c.allow("synchronised", block, SharedBytes) }

func (c *Ctx) allow(op string, block guid.GUID, uses Unordered) {
	if c.isRemote(block, guid.KindBlock) { // the home rank has the block's observers; check mode needs one rank
		return
	}
	c.block(op, block, ErrStale)
	if c.obs != nil {
		c.obs.BlockUnordered(block, uses)
	}
}
