//go:build mpi

package trialtest_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// These programs rely on the order that blocks establish between calls of different EDTs: it must hold over ranks as it
// does on one rank. An EDT that finds another order aborts the run, or destroys an event too early, which ends the run
// too.

// orderUsers is how many EDTs use the block of each program.
const orderUsers = 24

var (
	// orderTurn holds a block alone, counts its turn in it, and sends the number to a channel.
	orderTurn = edt.NewTemplate("trialtest.orderTurn", 2, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		turns := datablock.Slice[uint64](in.Dep(0))
		item, bytes := c.NewBlock(8)
		bytes[0] = byte(turns[0])
		turns[0]++
		c.Release(item)
		c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), item)
		return guid.Null
	})
	// orderItem receives the item with its own number.
	orderItem = edt.NewTemplate("trialtest.orderItem", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if uint64(in.Dep(0).Bytes()[0]) != in.Param(0) {
			c.Abort(1)
		}
		c.DestroyBlock(in.Dep(0).GUID())
		return guid.Null
	})
	// orderUse creates an EDT that waits for a triggered event. Then orderUse counts down a word of a block that several
	// EDTs share. The last one destroys the event.
	orderUse = edt.NewTemplate("trialtest.orderUse", 2, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		event := guid.FromWords(in.Param(0), in.Param(1))
		waiter := c.NewEDT(orderWaiter, nil)
		c.AddDependence(event, waiter, 0, datablock.Null)
		if atomic.AddUint64(&datablock.Slice[uint64](in.Dep(0))[0], ^uint64(0)) == 0 {
			c.DestroyEvent(event)
		}
		return guid.Null
	})
	orderWaiter = edt.NewTemplate("trialtest.orderWaiter", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
)

// orderPrograms are main EDTs, by the rule that they test. Each creates two EDTs a user.
var orderPrograms = []struct {
	name string
	main edt.Func
}{
	{"items are in the order of the turns", func(c *edt.Ctx, _ edt.Args) guid.GUID {
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
		return guid.Null
	}},
	{"the event is destroyed last", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		block, bytes := c.NewBlock(64)
		datablock.SliceOf[uint64](bytes)[0] = orderUsers
		c.Release(block)
		event := c.NewEvent(edt.Sticky)
		c.Satisfy(event, guid.Null)
		hi, lo := event.Words()
		for k := range orderUsers {
			c.NewEDTAt(c.Place(k%c.Workers()), orderUse, edt.Params(hi, lo), edt.From(block, datablock.RW))
		}
		return guid.Null
	}},
}

// callsInOrder runs the programs on ranks of 1, 2 and 3 workers.
func callsInOrder(t *testing.T, ranks int) {
	for _, p := range orderPrograms {
		for workers := 1; workers <= 3; workers++ {
			t.Run(fmt.Sprintf("%s on %d ranks of %d workers", p.name, ranks, workers), func(t *testing.T) {
				for range testrun.Sized(4, 40, 340) {
					report, err := tryRanks(t, ranks, p.main, runtime.Workers(workers))
					if n := report.Counters.EDTRun; err != nil || n != 2*orderUsers+1 {
						t.Fatalf("%v, %d EDTs have run, want %d", err, n, 2*orderUsers+1)
					}
				}
			})
		}
	}
}
