package graphtest

import (
	"ocr/datablock"
	"ocr/edt"
)

// These functions check and release the blocks that a node holds.

// look returns hashes of the node's blocks that no other node may write while this node holds them.
func (x *Execution) look(i int, in edt.Args) []uint64 {
	seen := make([]uint64, len(in.Deps()))
	for k := range seen {
		if x.steady(i, k, in.Dep(k)) {
			seen[k] = mixWords(0, datablock.Slice[uint64](in.Dep(k)))
		}
	}
	return seen
}

// lookAgain checks, at the end of the body, that the blocks which the node still holds have not changed.
func (x *Execution) lookAgain(i int, in edt.Args, seen []uint64) {
	for k := range seen {
		d := in.Dep(k)
		if x.steady(i, k, d) && mixWords(0, datablock.Slice[uint64](d)) != seen[k] {
			x.problem("slot %d of node %d: the block changed while the node held it in mode %v", k, i, d.Mode())
		}
	}
}

// steady reports whether a block that the node holds cannot change: tables and private blocks are never written, and no
// block is written while it is held in mode Const.
func (x *Execution) steady(i, k int, d *datablock.Dep) bool {
	s := &x.p.Nodes[i].Slots[k]
	if d.Bytes() == nil {
		return false
	}
	return s.Mode == datablock.Const || s.Payload.Kind == private || x.p.Blocks[s.Payload.Block].Kind == table
}

// give releases or downgrades blocks in the middle of the body, and destroys those that only this node uses.
func (x *Execution) give(c *edt.Ctx, i int, in edt.Args) {
	for k, s := range x.p.Nodes[i].Slots {
		d := in.Dep(k)
		if s.First && s.Mode != datablock.Null {
			block := d.GUID()
			if s.Payload.Kind == shared {
				block = x.blocks[s.Payload.Block]
			}
			if s.Give == giveWrites || s.Give == giveTwice {
				c.Downgrade(block)
				x.checkDowngraded(c, i, k, d)
			}
			if s.Give == giveEarly || s.Give == giveTwice {
				c.Release(block)
			}
		}
		if s.Consume {
			c.DestroyBlock(d.GUID())
		}
	}
}

func (x *Execution) checkDowngraded(c *edt.Ctx, i, k int, d *datablock.Dep) {
	want := datablock.RO
	if d.Mode() == datablock.Const {
		want = datablock.Const
	}
	if m := c.BlockMode(d.GUID()); m != want || d.Bytes() == nil {
		x.problem("slot %d of node %d: mode %v after the downgrade from %v", k, i, m, d.Mode())
	}
}
