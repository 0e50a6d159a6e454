package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestPass: the waiters get the block that is passed, and other EDTs that wait for it have their turn, in every mode,
// whether the hold can be handed over or not.
func TestPass(t *testing.T) {
	for _, event := range []edt.EventType{edt.Sticky, edt.Once} {
		for _, giver := range modes[:4] {
			for _, taker := range modes {
				for waiters := range 3 {
					t.Run(fmt.Sprintf("%v, %v to %d in %v", event, giver, waiters, taker), func(t *testing.T) {
						for special := range passSpecials {
							if special != passTwice || taker == datablock.RW {
								underSeeds(t, testrun.Sized[uint64](2, 2, 4), func(tr *trial) edt.Func {
									return passProgram(tr, event, giver, taker, waiters, special)
								})
							}
						}
					})
				}
			}
		}
	}
}

// Variants of a program in which an EDT passes a block on to slot 1 of other EDTs. Those EDTs have further blocks on
// slots 0 and 2.
const (
	passWanted0  = iota // slot 0's block is held by the EDT that passes, and wanted by another in mode EW
	passWanted1         // the block that is passed is wanted in mode EW
	passWanted2         // the same with slot 2's block
	passTwice           // slot 0 also has the block that is passed
	passTooEarly        // slot 2 waits for an event that is satisfied later
	passPlain
	passSpecials
)

func passProgram(tr *trial, typ edt.EventType, giver, taker datablock.Mode, waiters, special int) edt.Func {
	ran, after := tr.times("takers", waiters), tr.times("exclusive after", 1)
	wanted := special <= passWanted2
	others := tr.times("others", map[bool]int{true: 1}[wanted])
	return body(func(c *edt.Ctx, _ edt.Args) {
		var h holders // of the block that is passed
		words := [3]uint64{0, 1, 2}
		blocks, event := [3]guid.GUID{wordBlock(c, 0), wordBlock(c, 1), wordBlock(c, 2)}, c.NewEvent(typ)
		last := blocks[2]
		if special == passTooEarly {
			last = c.NewEvent(edt.Sticky)
		}
		if special == passTwice {
			blocks[0], words[0] = blocks[1], 1
		}
		for range waiters {
			launch(c, func(_ *edt.Ctx, in edt.Args) {
				ran.next()
				if taker != datablock.Null {
					h.enter(tr, taker)
					defer h.leave(taker)
				}
				if tr.ranks == 0 && special == passWanted1 && taker != datablock.RO && taker != datablock.Null &&
					others.get() == 0 {
					tr.Errorf("has the block before the one that waited for it")
				}
				for n := range blocks {
					d := in.Dep(n)
					if d.GUID() != blocks[n] || d.Bytes() != nil && wordOf(d) != words[n] ||
						(d.Bytes() == nil) != (d.Mode() == datablock.Null) {
						tr.Errorf("slot %d came with %v in mode %v", n, d.GUID(), d.Mode())
					}
				}
			}, rw(blocks[0]), edt.From(event, taker), rw(last))
		}
		deps := []edt.Source{edt.From(blocks[1], giver)}
		if special == passWanted0 || special == passWanted2 {
			deps = append(deps, rw(blocks[special]))
		}
		launch(c, func(c *edt.Ctx, in edt.Args) {
			h.enter(tr, giver)
			if wanted {
				launch(c, func(*edt.Ctx, edt.Args) {
					others.next()
					if special == passWanted1 {
						h.enter(tr, datablock.EW)
						h.leave(datablock.EW)
					}
				}, edt.From(blocks[special], datablock.EW))
			}
			h.leave(giver)
			c.Pass(event, 0)
			if in.Dep(0).Bytes() != nil {
				tr.Errorf("the bytes are there after the block was passed")
			}
			if special == passTooEarly {
				c.Satisfy(last, blocks[2])
			}
			launch(c, func(*edt.Ctx, edt.Args) { after.next() }, edt.From(blocks[1], datablock.EW))
		}, deps...)
	})
}

// TestPassHandsOver: the only waiter gets the hold before EDTs that want the block later. This holds for any slot, also
// if the waiter has the block twice.
func TestPassHandsOver(t *testing.T) {
	for _, twice := range []bool{false, true} {
		for slot := range 4 {
			t.Run(fmt.Sprintf("slot %d, twice %v", slot, twice), func(t *testing.T) {
				const rounds = 10
				everywhere(t, counting("rounds", rounds, func(tr *trial, c *edt.Ctx, ran *tally) {
					after := tr.times("exclusive after", 1)
					var blocks [4]guid.GUID
					var deps [4]edt.Source
					for n := range blocks {
						blocks[n] = wordBlock(c, uint64(n))
					}
					if twice {
						blocks[(slot+1)%4] = blocks[slot]
					}
					for n := range deps {
						deps[n] = rw(blocks[n])
					}
					var round action
					round = func(c *edt.Ctx, in edt.Args) {
						for n := range blocks {
							if d := in.Dep(n); d.GUID() != blocks[n] || d.Bytes() == nil {
								tr.Errorf("slot %d has %v", n, d.GUID())
							}
						}
						datablock.Slice[uint64](in.Dep(slot))[0]++
						if ran.next() == rounds {
							launch(c, func(*edt.Ctx, edt.Args) { after.next() }, ew(blocks[slot]))
							return
						}
						e := c.NewEvent(edt.Sticky)
						deps[slot] = rw(e)
						launch(c, round, deps[:]...)
						c.Pass(e, slot)
					}
					launch(c, round, deps[:]...)
					tr.after(func() {
						testrun.Equal(tr, rounds-1, tr.counters.EventSatisfied, "counted %+v", tr.counters)
					})
				}))
			})
		}
	}
}
