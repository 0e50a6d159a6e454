package edt

import (
	"errors"
	"fmt"

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
		c.created = append(c.created, dep.State{})
	}
	c.created = c.created[:n+1]
	block.Describe(&c.created[n], g, r, datablock.RW, dep.Held)
}

// NewBlockNoAcquire creates a data block that the calling EDT does not hold (OCR DB_PROP_NO_ACQUIRE).
func (c *Ctx) NewBlockNoAcquire(size int) guid.GUID {
	g, _ := c.newBlock(size, false)
	if c.obs != nil {
		c.obs.BlockCreated(g, size, nil)
	}
	return g
}

// NewBlockNear is [Ctx.NewBlockNoAcquire] on the rank of a worker. With one rank the hint is only checked.
func (c *Ctx) NewBlockNear(size int, a Affinity) guid.GUID {
	c.checkPlace(opNewBlock, a)
	c.checkSize(size)
	if size > datablock.MaxSize {
		c.noMemory(opNewBlock, guid.Null, size, nil)
	}
	if to, ok := c.onOtherRank(a); ok {
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

// noMemory ends the run: there is no memory for a block. It says what is full.
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

// BlockMode returns the mode in which the calling EDT holds a block: [datablock.RO] after a downgrade. It ends the run
// if the EDT does not hold the block ([ErrNotHeld]).
func (c *Ctx) BlockMode(block guid.GUID) datablock.Mode {
	d := c.hold(block)
	if d == nil {
		c.notHeld("block mode", block)
	}
	return heldMode(d)
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
	// Otherwise check mode reports "unordered exclusive writers".
	ExclusiveWriters Unordered = 1 << iota
	// ReadsAndWrites: EDTs may read the block while others change it, such as EDTs that use different bytes of it, or
	// that can use an old value. Otherwise check mode reports "unordered read and write".
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
	if c.isRemote(block, guid.KindBlock) { // its observers are on another rank: there is no check mode over ranks
		return
	}
	c.block(op, block, ErrStale)
	if c.obs != nil {
		c.obs.BlockUnordered(block, uses)
	}
}
