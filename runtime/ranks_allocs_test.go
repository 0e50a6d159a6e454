package runtime

import (
	goruntime "runtime"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A ping goes to and fro between the workers of two ranks, pingHops times.
const pingHops = 3000

var (
	pingSides [2]guid.GUID // a channel of each rank
	pingBytes int          // of the block that goes along, 0 if none does

	pingSwap, pingCreate, pingWait *edt.Template

	// pingMeet starts the side of worker 1.
	pingMeet = edt.NewTemplate("runtime_test.pingMeet", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
		pingSides[1] = c.NewChannel(2)
		c.NewEDTAt(c.Bind(1), pingSwap, edt.Params(pingHops-1), edt.From(pingSides[1], datablock.RW))
		block := guid.Null
		if pingBytes > 0 {
			block = c.NewBlockNoAcquire(pingBytes)
		}
		c.Satisfy(pingSides[0], block)
	}))
)

func init() {
	// pingSwap creates the next EDT of this side, then satisfies the channel for which the other side's EDT waits.
	pingSwap = edt.NewTemplate("runtime_test.pingSwap", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		left, side, block := in.Param(0), c.Worker(), in.Dep(0).GUID()
		if left == 0 {
			return
		}
		if !block.IsNull() {
			datablock.Slice[uint64](in.Dep(0))[0]++
			c.Release(block)
		}
		if left > 1 {
			c.NewEDTAt(c.Bind(side), pingSwap, edt.Params(left-2), edt.From(pingSides[side], datablock.RW))
		}
		c.Satisfy(pingSides[1-side], block)
	}))
	// pingCreate creates an EDT on the other side, which waits for nothing.
	pingCreate = edt.NewTemplate("runtime_test.pingCreate", 1, 0, does(func(c *edt.Ctx, in edt.Args) {
		if left := in.Param(0); left > 0 {
			c.NewEDTAt(c.Bind(1-c.Worker()), pingCreate, edt.Params(left-1))
		}
	}))
	// pingWait creates an EDT on the other side, which waits for an event of this side.
	pingWait = edt.NewTemplate("runtime_test.pingWait", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		if left := in.Param(0); left > 0 {
			e := c.NewEvent(edt.Once)
			c.NewEDTAt(c.Bind(1-c.Worker()), pingWait, edt.Params(left-1), edt.From(e, datablock.RW))
			c.Satisfy(e, guid.Null)
		}
	}))
}

// TestRanksAllocations: the messages that create, connect and satisfy EDTs of other ranks, and those that move blocks,
// allocate nothing.
func TestRanksAllocations(t *testing.T) {
	swap := starting(func(c *edt.Ctx) {
		pingSides[0] = c.NewChannel(2)
		c.NewEDTAt(c.Bind(0), pingSwap, edt.Params(pingHops), edt.From(pingSides[0], datablock.RW))
		c.NewEDTAt(c.Bind(1), pingMeet, nil)
	})
	for name, start := range map[string]edt.Func{
		"satisfy": swap,
		"block":   swap,
		"create":  starting(func(c *edt.Ctx) { c.NewEDTAt(c.Bind(1), pingCreate, edt.Params(pingHops)) }),
		"wait": starting(func(c *edt.Ctx) {
			c.NewEDTAt(c.Bind(1), pingWait, edt.Params(pingHops), edt.From(guid.Null, datablock.Null))
		}),
	} {
		pingBytes = map[string]int{"block": 4096}[name]
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		testrun.OK(t, runRanks(t, 2, 1, start), name)
		goruntime.ReadMemStats(&after)
		if n := after.Mallocs - before.Mallocs; n > pingHops { // a run allocates too
			t.Errorf("%s: %d allocations for %d hops", name, n, pingHops)
		}
	}
}
