package edt

import "ocr/guid"

// Unordered are uses of a block in no order that a program means; see [Ctx.AllowUnordered].
type Unordered uint8

const (
	// ExclusiveWriters: EDTs that change the block may come in any order if mode EW keeps them apart, as those that add
	// to a sum. Check mode has "unordered exclusive writers" for it.
	ExclusiveWriters Unordered = 1 << iota
	// ReadsAndWrites: EDTs may read the block while others change it in no order with them, as those that use
	// different bytes of it, or to which an old value is as good. Check mode has "unordered read and write" for it.
	ReadsAndWrites
)

// AllowUnordered says that a program is right though nothing orders EDTs that use a block so. It is advice for
// observers that look for races, which cannot know it: say why at the call. It must come before another EDT can have
// the block. What it does not name is still looked for: the sum's reader, for example, must come after those that add.
func (c *Ctx) AllowUnordered(block guid.GUID, uses Unordered) {
	if c.isAway(block, guid.KindBlock) { // its observers are on another rank: there is no check mode over ranks
		return
	}
	c.block("allow unordered", block, ErrStale)
	if c.obs != nil {
		c.obs.BlockUnordered(block, uses)
	}
}
