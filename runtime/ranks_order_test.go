package runtime

import (
	"fmt"
	goruntime "runtime"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// These programs rely on the order of calls that a block gives on one rank.

// misplaced counts items that arrived in another order than they were sent.
var misplaced atomic.Int64

var (
	// orderItem is the EDT for one item: it counts the item as misplaced if it has another number.
	orderItem = edt.NewTemplate("runtime_test.orderItem", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		if uint64(in.Dep(0).Bytes()[0]) != in.Param(0) {
			misplaced.Add(1)
		}
		counted.Add(1)
		c.DestroyBlock(in.Dep(0).GUID())
	}))
	// orderFirst sends an item. Parameter 3 says how it gives up its block: by Release, by ReleaseDep, at its end, at its
	// end after orderNext was created, or by another EDT of its rank that does it later. It then sets released, which
	// orderMaker awaits.
	orderFirst = edt.NewTemplate("runtime_test.orderFirst", 4, 1, does(func(c *edt.Ctx, in edt.Args) {
		sendItem(c, in)
		switch in.Param(3) {
		case 0:
			c.Release(in.Dep(0).GUID())
		case 1:
			c.ReleaseDep(in.Dep(0))
		case 4:
			c.NewEDT(orderBeside, nil, edt.From(in.Dep(0).GUID(), datablock.RW))
			return
		}
		released.Store(true)
		for in.Param(3) == 3 && !joined.Load() {
			goruntime.Gosched()
		}
	}))
	orderBeside = edt.NewTemplate("runtime_test.orderBeside", 0, 1, does(func(c *edt.Ctx, in edt.Args) {
		c.Release(in.Dep(0).GUID())
		released.Store(true)
	}))
	// orderMaker creates, on its own rank, the next EDT that acquires the block.
	orderMaker = edt.NewTemplate("runtime_test.orderMaker", 2, 1, does(func(c *edt.Ctx, in edt.Args) {
		for !released.Load() {
			goruntime.Gosched()
		}
		c.NewEDT(orderNext, edt.Params(in.Param(0), in.Param(1), 1), edt.From(in.Dep(0).GUID(), datablock.RW))
		joined.Store(true)
	}))
	orderNext = edt.NewTemplate("runtime_test.orderNext", 3, 1, does(sendItem))
)

// released: orderFirst has given up its block, or has sent its item. joined: orderNext has been created.
var released, joined atomic.Bool

// sendItem sends the number in parameter 2 to the channel in parameters 0 and 1.
func sendItem(c *edt.Ctx, in edt.Args) {
	item, bytes := c.NewBlock(8)
	bytes[0] = byte(in.Param(2))
	c.Release(item)
	c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), item)
}

// TestNextHolderOverRanks: two EDTs of different ranks send to the same channel. The second acquires a block in mode RW
// after the first, or beside it; nothing else orders them. The engines delay messages.
func TestNextHolderOverRanks(t *testing.T) {
	for home := range 3 {
		t.Run(fmt.Sprintf("block of rank %d", home), func(t *testing.T) {
			for seed := range uint64(sized(80, 1000)) {
				counted.Store(0)
				misplaced.Store(0)
				released.Store(false)
				joined.Store(false)
				job := late(loopEngines(3), seed, 500)
				err := runEngines(t, t.Context(), job, 1, does(func(c *edt.Ctx, _ edt.Args) {
					channel := c.NewChannel(edt.Unbounded)
					hi, lo := channel.Words()
					for k := range uint64(2) {
						c.NewEDT(orderItem, edt.Params(k), edt.From(channel, datablock.RW))
					}
					block := c.NewBlockNear(64, c.Place(home))
					c.NewEDTAt(c.Place(1), orderFirst, edt.Params(hi, lo, 0, seed%5), edt.From(block, datablock.RW))
					c.NewEDTAt(c.Place(2), orderMaker, edt.Params(hi, lo), edt.From(block, datablock.Null))
				}))
				if err != nil || counted.Load() != 2 || misplaced.Load() != 0 {
					t.Fatalf("seed %d: %v, %d items of 2, %d out of order", seed, err, counted.Load(), misplaced.Load())
				}
			}
		})
	}
}
