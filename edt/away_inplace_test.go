package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// passedOn has an EDT on rank 1 pass a block of rank 0 on to a sticky event, for which one EDT waits, the user: its
// slot is between those of other sources. Then it calls more.
func (tr *trial) passedOn(c *edt.Ctx, block guid.GUID, before []edt.Source, after []edt.Source, user action,
	more func(c *edt.Ctx, event guid.GUID)) {
	tr.launchAt(c, 1, func(c *edt.Ctx, in edt.Args) {
		event := c.NewEvent(edt.Sticky)
		deps := append(append(append([]edt.Source{}, before...), rw(event)), after...)
		c.NewEDTAt(c.Bind(c.Worker()), c.NewTemplate("user", 0, len(deps), body(user)), nil, deps...)
		in.Dep(0).Bytes()[0] = 7
		c.PassDep(event, in.Dep(0))
		more(c, event)
	}, rw(block))
}

// TestPassedOnInPlace: an EDT that gets the hold of a block of another rank from the one that satisfies its event sees
// all its blocks, wherever their slots are, and the hold is given back.
func TestPassedOnInPlace(t *testing.T) {
	overRanks(t, 3, counting("users", 16, func(tr *trial, c *edt.Ctx, ran *tally) {
		for k := range 8 {
			block, other := c.NewBlockNoAcquire(8), c.NewBlockNoAcquire(16)
			var before, after []edt.Source
			add := func(list *[]edt.Source, bit int) {
				if k&bit != 0 {
					*list = append(*list, rw(other))
				}
			}
			add(&before, 1)
			add(&after, 2)
			if k == 3 { // not twice
				after[0] = rw(guid.Null)
			}
			if k&4 != 0 {
				after = append(after, rw(c.NewBlockNoAcquire(24)))
			}
			tr.passedOn(c, block, before, after, func(c *edt.Ctx, in edt.Args) {
				ran.add()
				for n := range in.Deps() {
					if d := in.Dep(n); d.GUID() == block && (d.Size() != 8 || d.Bytes()[0] != 7) || d.GUID() == other &&
						d.Size() != 16 {
						tr.Errorf("case %d: slot %d has %v with %v", k, n, d.GUID(), d.Bytes())
					}
				}
				if d := in.Dep(len(before)); d.GUID() != block {
					tr.Errorf("case %d: %v came, want %v", k, d.GUID(), block)
				}
				tr.launchAt(c, 0, func(*edt.Ctx, edt.Args) { ran.add() }, edt.From(block, datablock.EW))
			}, func(*edt.Ctx, guid.GUID) {})
		}
	}))
}

// TestPassedOnAndDestroyed: the EDT that got a block so destroys it, while another has it in a slot by the same event.
func TestPassedOnAndDestroyed(t *testing.T) {
	overRanks(t, 6, counting("users", 2, func(tr *trial, c *edt.Ctx, ran *tally) {
		block := c.NewBlockNoAcquire(8)
		gate := guid.Null
		tr.passedOn(c, block, nil, nil, func(c *edt.Ctx, _ edt.Args) {
			ran.add()
			c.DestroyBlock(block)
			c.Satisfy(gate, guid.Null)
		}, func(c *edt.Ctx, event guid.GUID) {
			gate = c.NewEvent(edt.Sticky)
			c.NewEDTAt(c.Bind(c.Worker()), c.NewTemplate("late", 0, 2, body(func(_ *edt.Ctx, in edt.Args) {
				ran.add()
				if in.Dep(0).Bytes()[0] != 7 {
					tr.Errorf("the block has %d", in.Dep(0).Bytes()[0])
				}
			})), nil, rw(event), rw(gate))
		})
	}))
}
