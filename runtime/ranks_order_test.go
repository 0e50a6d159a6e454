package runtime

import (
	"fmt"
	goruntime "runtime"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	rings "ocr/internal/rank/ring"
)

// These programs rely on the order of calls that blocks in place give: they are right on one rank.

// orderUsers is how many EDTs use the block of such a program.
const orderUsers = 24

// misplaced counts the items that came in another order than they were sent.
var misplaced atomic.Int64

var (
	// orderTurn has a block for itself, counts its turn there, and sends that number to a channel.
	orderTurn = edt.NewTemplate("runtime_test.orderTurn", 2, 1, does(func(c *edt.Ctx, in edt.Args) {
		turns := datablock.Slice[uint64](in.Dep(0))
		item, bytes := c.NewBlock(8)
		bytes[0] = byte(turns[0])
		turns[0]++
		c.Release(item)
		c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), item)
	}))
	// orderItem gets the item of its own number.
	orderItem = edt.NewTemplate("runtime_test.orderItem", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		if uint64(in.Dep(0).Bytes()[0]) != in.Param(0) {
			misplaced.Add(1)
		}
		counted.Add(1)
		c.DestroyBlock(in.Dep(0).GUID())
	}))
	// orderUse makes an EDT wait for an event that has triggered, and then counts down a word of a block that several EDTs
	// have. The last one destroys the event.
	orderUse = edt.NewTemplate("runtime_test.orderUse", 2, 1, does(func(c *edt.Ctx, in edt.Args) {
		event := guid.FromWords(in.Param(0), in.Param(1))
		waiter := c.NewEDT(orderWaiter, nil)
		c.AddDependence(event, waiter, 0, datablock.Null)
		if atomic.AddUint64(&datablock.Slice[uint64](in.Dep(0))[0], ^uint64(0)) == 0 {
			c.DestroyEvent(event)
		}
	}))
	// orderFirst sends an item, gives up its block, and says so to orderMaker past the runtime.
	orderFirst = edt.NewTemplate("runtime_test.orderFirst", 3, 1, does(func(c *edt.Ctx, in edt.Args) {
		sendItem(c, in)
		c.Release(in.Dep(0).GUID())
		released.Store(true)
	}))
	// orderMaker creates the next EDT that has the block, on its own rank.
	orderMaker = edt.NewTemplate("runtime_test.orderMaker", 2, 1, does(func(c *edt.Ctx, in edt.Args) {
		for !released.Load() {
			goruntime.Gosched()
		}
		c.NewEDT(orderNext, edt.Params(in.Param(0), in.Param(1), 1), edt.From(in.Dep(0).GUID(), datablock.RW))
	}))
	orderNext   = edt.NewTemplate("runtime_test.orderNext", 3, 1, does(sendItem))
	orderWaiter = edt.NewTemplate("runtime_test.orderWaiter", 0, 1, does(func(*edt.Ctx, edt.Args) { counted.Add(1) }))
)

// orderPrograms are main EDTs, by what must hold.
var orderPrograms = []struct {
	name string
	main func(c *edt.Ctx, _ edt.Args)
}{
	{"items are in the order of the turns", func(c *edt.Ctx, _ edt.Args) {
		block, _ := c.NewBlock(64)
		c.Release(block)
		channel := c.NewChannel(edt.Unbounded)
		hi, lo := channel.Words()
		for k := range orderUsers {
			c.NewEDT(orderItem, edt.Params(uint64(k)), edt.From(channel, datablock.RW))
		}
		for k := range orderUsers {
			c.NewEDTAt(c.Place(k%c.Workers()), orderTurn, edt.Params(hi, lo), edt.From(block, datablock.EW))
		}
	}},
	{"the event is destroyed last", func(c *edt.Ctx, _ edt.Args) {
		block, bytes := c.NewBlock(64)
		datablock.SliceOf[uint64](bytes)[0] = orderUsers
		c.Release(block)
		event := c.NewEvent(edt.Sticky)
		c.Satisfy(event, guid.Null)
		hi, lo := event.Words()
		for k := range orderUsers {
			c.NewEDTAt(c.Place(k%c.Workers()), orderUse, edt.Params(hi, lo), edt.From(block, datablock.RW))
		}
	}},
}

// released is whether orderFirst has given up its block.
var released atomic.Bool

// sendItem sends the number in parameter 2 to the channel in the parameters before.
func sendItem(c *edt.Ctx, in edt.Args) {
	item, bytes := c.NewBlock(8)
	bytes[0] = byte(in.Param(2))
	c.Release(item)
	c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), item)
}

// TestNextHolderOverRanks has two EDTs of different ranks send to the same channel. The second gets a block in mode RW
// from the first, and nothing else orders them. The engines delay messages.
func TestNextHolderOverRanks(t *testing.T) {
	for home := range 3 {
		t.Run(fmt.Sprintf("block of rank %d", home), func(t *testing.T) {
			for seed := range uint64(sized(40, 1000)) {
				counted.Store(0)
				misplaced.Store(0)
				released.Store(false)
				job := late(ringEngines(3, rings.DefaultLines), seed, 500)
				err := runEngines(t, t.Context(), job, 1, does(func(c *edt.Ctx, _ edt.Args) {
					channel := c.NewChannel(edt.Unbounded)
					hi, lo := channel.Words()
					for k := range uint64(2) {
						c.NewEDT(orderItem, edt.Params(k), edt.From(channel, datablock.RW))
					}
					block := c.NewBlockNear(64, c.Place(home))
					c.NewEDTAt(c.Place(1), orderFirst, edt.Params(hi, lo, 0), edt.From(block, datablock.RW))
					c.NewEDTAt(c.Place(2), orderMaker, edt.Params(hi, lo), edt.From(block, datablock.Null))
				}))
				if err != nil || counted.Load() != 2 || misplaced.Load() != 0 {
					t.Fatalf("seed %d: %v, %d items of 2, %d out of order", seed, err, counted.Load(), misplaced.Load())
				}
			}
		})
	}
}

// TestCallsInOrderOverRanks runs the programs over some ranks of some workers.
func TestCallsInOrderOverRanks(t *testing.T) {
	for _, p := range orderPrograms {
		for ranks := 2; ranks <= 4; ranks++ {
			for workers := 1; workers <= 3; workers++ {
				t.Run(fmt.Sprintf("%s/%d ranks of %d workers", p.name, ranks, workers), func(t *testing.T) {
					for range sized(12, 340) {
						counted.Store(0)
						misplaced.Store(0)
						err := runRanks(t, ranks, workers, does(p.main))
						if err != nil || counted.Load() != orderUsers || misplaced.Load() != 0 {
							t.Fatalf("%v, %d EDTs of %d, %d items out of order", err, counted.Load(), orderUsers, misplaced.Load())
						}
					}
				})
			}
		}
	}
}
