package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/word"
)

// Values of parts are merged along a binary tree over the parts, so the order does not depend on which worker runs
// which EDT. An EDT that has added to its worker's lane stores the lane's value as the value of its part, and climbs
// the tree. At each node, the first EDT that arrives leaves; the second one merges the value of the right half into
// that of the left half, and climbs on. The EDT that comes to the root merges the result into laneParts.
//
// Concurrency: the EDT that climbs owns the value of its part, and at a node the second EDT that arrives owns both
// values. The arrivals at a node are counted by atomic additions, which order the two EDTs.

// partsHead is the number of words before the counts in a block of parts: the first index, the number of indexes of a
// part, the number of parts.
const partsHead = 3

// OrderScopeMemory makes a finish scope merge the values of n parts in their order. Part k has the indexes from first +
// k*each on, each of them. The running EDT is about to make the scope with this output event. An EDT that is in the
// scope, and in no scope inside it, stores the value of each part once by [Ctx.PutPart]. The call does nothing if the
// scope will have no memory on this rank, or if the owner of the memory needs no order.
func (c *Ctx) OrderScopeMemory(output guid.GUID, first, each, n int) {
	hi, lo := output.Words()
	if hi != c.highEvent || n == 0 || c.spread != 0 { // with spread, tests run the EDTs on all ranks
		return
	}
	e := c.g.events.Lookup(lo)
	if e == nil || e.flags&eventMemory == 0 {
		return
	}
	lanes := c.blocks.At(uint32(e.memory))
	part := ownerOf(lanes.FirstWord()).part
	if part == 0 {
		return
	}
	g := c.NewBlockNoAcquire(8*partsHead + (4*n+7)/8*8 + n*part)
	c.Synchronised(g)
	high, low := g.Words()
	copy(datablock.SliceOf[uint64](c.blocks.At(uint32(low)).Bytes()), []uint64{uint64(first), uint64(each), uint64(n)})
	copy(datablock.SliceOf[uint64](lanes.Bytes())[1:], []uint64{high, low})
}

// OrderedScope reports whether the innermost finish scope of the running EDT merges values in order.
func (c *Ctx) OrderedScope() bool {
	lanes := c.ownMemory()
	return lanes != nil && datablock.SliceOf[uint64](lanes.Bytes())[headPartsLow] != 0
}

// ownMemory returns the memory of the innermost finish scope, nil for none.
func (c *Ctx) ownMemory() *block.Record {
	if c.scope == 0 || c.events.At(c.scope).flags&eventMemory == 0 {
		return nil
	}
	return c.blocks.At(uint32(c.events.At(c.scope).memory))
}

// PutPart stores the value that the running EDT has added to its worker's lane, as the value of the part that begins
// with an index, and resets the lane. The innermost finish scope must be ordered (see [Ctx.OrderedScope]).
func (c *Ctx) PutPart(index int) {
	lanes := c.ownMemory()
	owner := lanes.FirstWord()
	p := partsIn(c.blocks.At(uint32(datablock.SliceOf[uint64](lanes.Bytes())[headPartsLow])), ownerOf(owner).part)
	own, k := c.laneOf(lanes, int(c.self&^strictBit)-1+lanesAhead), (index-p.first)/p.each
	copy(p.value(k), own)
	copy(own[:p.part], c.laneOf(lanes, laneZero))
	for step := 1; step < p.n; step *= 2 {
		left := k &^ (2*step - 1)
		if right := left + step; right < p.n {
			if p.came[right].Add(1) == 1 {
				return
			}
			mergeLanes(owner, p.value(left), p.value(right))
		}
		k = left
	}
	mergeLanes(owner, c.laneOf(lanes, laneParts), p.value(0))
}

// parts is a block of parts. The node of the tree whose right half begins with part k counts its arrivals in came[k].
type parts struct {
	first, each, n, part int
	came                 []word.Uint32
	values               []byte
}

func partsIn(r *block.Record, part int) parts {
	bytes := r.Bytes()
	head := datablock.SliceOf[uint64](bytes)
	n := int(head[2])
	counts := bytes[8*partsHead:]
	return parts{
		int(head[0]), int(head[1]), n, part, datablock.ElementsOf[word.Uint32](counts[:4*n]), counts[(4*n+7)/8*8:],
	}
}

func (p *parts) value(k int) []byte { return p.values[k*p.part:][:p.part] }
