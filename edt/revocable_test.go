package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestHoldsAreRevoked: an EDT that has gone on, and waits for an event, lets others have the blocks that it held, as
// the event may depend on them. It gets them back, with what the others have written.
func TestHoldsAreRevoked(t *testing.T) {
	for name, between := range map[string]func(tr *trial, c *edt.Ctx, block, event guid.GUID){
		"exclusive": func(tr *trial, c *edt.Ctx, block, event guid.GUID) {
			takes(c, event, edt.From(block, datablock.EW))
		},
		"Const": func(tr *trial, c *edt.Ctx, block, event guid.GUID) {
			takes(c, event, edt.From(block, datablock.Const))
		},
		"beside another block": func(tr *trial, c *edt.Ctx, block, event guid.GUID) {
			takes(c, event, edt.From(block, datablock.EW), edt.From(wordBlock(c, 0), datablock.EW))
		},
		"a second waiter": func(tr *trial, c *edt.Ctx, block, event guid.GUID) {
			launch(c, nothing, rw(event))
			takes(c, event, edt.From(block, datablock.EW))
		},
		"shared": func(tr *trial, c *edt.Ctx, block, event guid.GUID) { takes(c, event, rw(block)) },
		"two":    takesTwice,
		"kept":   func(tr *trial, c *edt.Ctx, _, event guid.GUID) { c.Satisfy(event, wordBlock(c, 0)) },
		"handed over": func(tr *trial, c *edt.Ctx, block, event guid.GUID) { // the block that it holds itself
			launch(c, func(c *edt.Ctx, _ edt.Args) { c.Pass(event, 0) }, rw(block))
		},
	} {
		for _, early := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				everywhere(t, func(tr *trial) edt.Func { return revocableProgram(tr, early, between) })
			})
		}
	}
}

// takes launches an EDT that takes a block, adds one to its word if it may, and satisfies the event.
func takes(c *edt.Ctx, event guid.GUID, deps ...edt.Source) {
	launch(c, func(c *edt.Ctx, in edt.Args) {
		if d := in.Dep(0); d.Mode() != datablock.Const {
			datablock.Slice[uint64](d)[0]++
		}
		c.Release(in.Dep(0).GUID())
		c.Satisfy(event, wordBlock(c, 0))
	}, deps...)
}

// takesTwice has two EDTs wait for the block, of which the second satisfies the event.
func takesTwice(_ *trial, c *edt.Ctx, block, event guid.GUID) {
	first := c.NewEvent(edt.Sticky)
	launch(c, func(c *edt.Ctx, in edt.Args) {
		launch(c, func(c *edt.Ctx, _ edt.Args) { c.Satisfy(event, wordBlock(c, 0)) }, edt.From(block, datablock.EW),
			rw(first))
	}, edt.From(block, datablock.EW))
	takes(c, first, edt.From(block, datablock.EW))
}

const revocableRounds = 6

// revocableProgram has an EDT go on with a block. From round 3 on, when it has the block from the round before, the
// event depends on what between does with the block: while the EDT still runs (early), or once it may have ended.
func revocableProgram(tr *trial, early bool, between func(tr *trial, c *edt.Ctx, block, event guid.GUID)) edt.Func {
	ran := tr.times("rounds", revocableRounds)
	return body(func(c *edt.Ctx, _ edt.Args) {
		block, other := wordBlock(c, 0), wordBlock(c, 0)
		launch(c, func(c *edt.Ctx, in edt.Args) {
			round, word := ran.next(), &datablock.Slice[uint64](in.Dep(0))[0]
			if in.Dep(0).GUID() != block || in.Dep(1).GUID() != other || in.Dep(2).IsNull() || *word < uint64(round-1) {
				tr.Errorf("round %d has %v, %v, and %d", round, in.Dep(0).GUID(), in.Dep(1).GUID(), *word)
			}
			if *word++; round == revocableRounds {
				return
			}
			event, passed := c.NewEvent(edt.Sticky), c.NewEvent(edt.Sticky)
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				switch {
				case round < 3:
					c.Satisfy(event, wordBlock(c, 0))
				case !early:
					between(tr, c, block, event)
				}
			}, rw(passed))
			if early && round >= 3 {
				between(tr, c, block, event)
			}
			c.Again(edt.Change{Slot: 2, Source: event})
			c.Pass(passed, 2)
		}, rw(block), rw(other), rw(wordBlock(c, 0)))
	})
}

// TestRevocableHoldOfADestroyedBlock: a block that an EDT has held before it went on may not be destroyed while the EDT
// waits. The error is the same as without the hold.
func TestRevocableHoldOfADestroyedBlock(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		if tr.ranks != 0 {
			return body(nothing) // holds are not revocable there
		}
		tr.want = func(err error) {
			testrun.Is(tr, err, edt.ErrStale, "the end of the run")
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			block, again := wordBlock(c, 0), false
			launch(c, func(c *edt.Ctx, in edt.Args) {
				if again {
					tr.Errorf("runs with the destroyed block")
				}
				again = true
				event, passed := c.NewEvent(edt.Sticky), c.NewEvent(edt.Sticky)
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					c.Release(c.Args().Dep(0).GUID())
					launch(c, func(c *edt.Ctx, _ edt.Args) {
						c.DestroyBlock(block)
						c.Satisfy(event, wordBlock(c, 0))
					}, edt.From(block, datablock.Null))
				}, rw(passed))
				c.Again(edt.Change{Slot: 1, Source: event})
				c.Pass(passed, 1)
			}, rw(block), rw(wordBlock(c, 0)))
		})
	})
}
