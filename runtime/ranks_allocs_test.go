package runtime

import (
	goruntime "runtime"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

// benchHops are the hops of a sample, and benchSamples the samples of a run.
const benchHops = 100

var benchSamples uint64 = 100

// A ping is one form of the chain.
type ping struct {
	name  string
	start edt.Func // on worker 0
	bytes int      // of the block that goes along
}

// pings are what a hop may be: a satisfaction of an event of the other worker's, for which an EDT waits there; the same
// with a block, which the EDT has in mode RW; the creation of an EDT there that waits for nothing, and of one that
// waits for an event of its creator.
var pings = []ping{
	{name: "satisfy", start: startSwap},
	{name: "create", start: startCreate},
	{name: "create-wait", start: startWait},
	{name: "block", start: startSwap, bytes: 4096},
}

// benchSides are the channel events of two workers, and benchBytes how large the block is that they swap. A worker
// knows the events from EDTs that have brought them: nothing else goes from one process to another.
var (
	benchSides [2]struct{ own, other guid.GUID }
	benchBytes int
)

// benchTimes are the times at which worker 0 has come to the end of a sample.
var benchTimes []int64

// swapTo makes the next EDT of this side, and makes that of the other side runnable.
func swapTo(c *edt.Ctx, left uint64, block guid.GUID) {
	side := &benchSides[c.Worker()]
	c.NewEDTAt(c.Bind(c.Worker()), benchSwap, edt.Params(left-1), edt.From(side.own, datablock.RW))
	c.Satisfy(side.other, block)
}

var (
	benchSwap, benchCreate, benchWait *edt.Template

	// benchMeet begins worker 1's side, benchMet goes back to worker 0.
	benchMeet = edt.NewTemplate("runtime_test.benchMeet", 2, 1, does(func(c *edt.Ctx, in edt.Args) {
		own := c.NewChannel(2)
		benchSides[1].own, benchSides[1].other = own, guid.FromWords(in.Param(0), in.Param(1))
		hi, lo := own.Words()
		c.NewEDTAt(c.Bind(1), benchSwap, edt.Params(benchSamples*benchHops-1), edt.From(own, datablock.RW))
		c.NewEDTAt(c.Bind(0), benchMet, edt.Params(hi, lo), edt.From(in.Dep(0).GUID(), datablock.Null))
	}))
	benchMet *edt.Template
)

func init() {
	benchMet = edt.NewTemplate("runtime_test.benchMet", 2, 1, does(func(c *edt.Ctx, in edt.Args) {
		benchSides[0].other = guid.FromWords(in.Param(0), in.Param(1))
		benchTimes = append(benchTimes, sys.Nanotime())
		swapTo(c, benchSamples*benchHops-1, in.Dep(0).GUID())
	}))
	benchSwap = edt.NewTemplate("runtime_test.benchSwap", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		left := in.Param(0)
		if benchOver(c, left) {
			return
		}
		block := in.Dep(0).GUID()
		if !block.IsNull() {
			datablock.Slice[uint64](in.Dep(0))[0]++
			c.Release(block)
		}
		swapTo(c, left-1, block)
	}))
	benchCreate = edt.NewTemplate("runtime_test.benchCreate", 1, 0, does(func(c *edt.Ctx, in edt.Args) {
		if left := in.Param(0); !benchOver(c, left) {
			c.NewEDTAt(c.Bind(1-c.Worker()), benchCreate, edt.Params(left-1))
		}
	}))
	benchWait = edt.NewTemplate("runtime_test.benchWait", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		if left := in.Param(0); !benchOver(c, left) {
			waitOn(c, 1-c.Worker(), left-1)
		}
	}))
}

func waitOn(c *edt.Ctx, worker int, left uint64) {
	e := c.NewEvent(edt.Once)
	c.NewEDTAt(c.Bind(worker), benchWait, edt.Params(left), edt.From(e, datablock.RW))
	c.Satisfy(e, guid.Null)
}

// benchOver notes the time on worker 0, at the end of a sample, and ends the run at the end of the chain.
func benchOver(c *edt.Ctx, left uint64) bool {
	if c.Worker() != 0 || left%benchHops != 0 {
		return false
	}
	benchTimes = append(benchTimes, sys.Nanotime())
	if left == 0 {
		c.Shutdown()
	}
	return left == 0
}

func startSwap(c *edt.Ctx, _ edt.Args) guid.GUID {
	block := guid.Null
	if benchBytes > 0 {
		block = c.NewBlockNoAcquire(benchBytes)
	}
	benchSides[0].own = c.NewChannel(2)
	hi, lo := benchSides[0].own.Words()
	c.NewEDTAt(c.Bind(1), benchMeet, edt.Params(hi, lo), edt.From(block, datablock.Null))
	return guid.Null
}

func startCreate(c *edt.Ctx, _ edt.Args) guid.GUID {
	benchTimes = append(benchTimes, sys.Nanotime())
	c.NewEDTAt(c.Bind(1), benchCreate, edt.Params(benchSamples*benchHops-1))
	return guid.Null
}

func startWait(c *edt.Ctx, _ edt.Args) guid.GUID {
	benchTimes = append(benchTimes, sys.Nanotime())
	waitOn(c, 1, benchSamples*benchHops-1) // main may be on any worker
	return guid.Null
}

// TestRanksAllocations: messages that create, connect and satisfy EDTs of other ranks allocate nothing, nor do those
// that move blocks.
func TestRanksAllocations(t *testing.T) {
	defer func(n uint64) { benchSamples = n }(benchSamples)
	benchSamples = 30
	for _, p := range pings {
		benchTimes, benchBytes = benchTimes[:0], p.bytes
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		testrun.OK(t, runRanks(t, 2, 1, p.start))
		goruntime.ReadMemStats(&after)
		all := benchSamples * benchHops
		n := after.Mallocs - before.Mallocs
		if n > all { // a run allocates too
			t.Errorf("%s: %d allocations for %d hops", p.name, n, all)
		}
	}
}
