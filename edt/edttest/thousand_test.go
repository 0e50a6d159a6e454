package edttest_test

import (
	"math/bits"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A ring has a cell on each rank, which sends to the next rank and waits for the previous one, step by step. Trees of
// EDTs set it up. All ranks are in one process, so bodies may share theRing, by which neighbours know each other's
// events.
type ring struct {
	steps int
	in    []guid.GUID // by rank: the channel for which its cell waits
	ran   int         // number of steps of all cells
}

var theRing *ring

var plantRing, beginRing, stepRing *edt.Template

// spread is the body of an EDT for a range of ranks: it creates an EDT for the upper half, on that half's first rank,
// and so on until its own range is one rank. Then it calls leaf.
func spread(t func() *edt.Template, leaf func(c *edt.Ctx, rank uint64)) edt.Func {
	return body(func(c *edt.Ctx, in edt.Args) {
		from, to := in.Param(0), in.Param(1)
		for ; to-from > 1; to = (from + to) / 2 {
			c.NewEDTAt(c.Bind(int(from+to)/2), t(), edt.Params((from+to)/2, to), edt.From(guid.Null, datablock.Null))
		}
		leaf(c, from)
	})
}

func init() {
	plantRing = edt.NewTemplate("edttest_test.plantRing", 2, 1, spread(func() *edt.Template { return plantRing },
		// A cell that begins late lets the cells before it send many steps ahead.
		func(c *edt.Ctx, rank uint64) { theRing.in[rank] = c.NewChannel(edt.Unbounded) }))
	beginRing = edt.NewTemplate("edttest_test.beginRing", 2, 1, spread(func() *edt.Template { return beginRing },
		func(c *edt.Ctx, rank uint64) { send(c, rank, 1) }))
	stepRing = edt.NewTemplate("edttest_test.stepRing", 2, 1, body(func(c *edt.Ctx, in edt.Args) {
		rank, step := in.Param(0), in.Param(1)
		theRing.ran++
		c.DestroyBlock(in.Dep(0).GUID())
		if step < uint64(theRing.steps) {
			send(c, rank, step+1)
			return
		}
		c.DestroyEvent(theRing.in[rank])
	}))
}

// send sends a block of a cell to the next cell, and makes this cell wait for a block.
func send(c *edt.Ctx, rank, step uint64) {
	b, _ := c.NewBlock(8)
	c.Release(b)
	c.Satisfy(theRing.in[(rank+1)%uint64(len(theRing.in))], b)
	c.NewEDT(stepRing, edt.Params(rank, step), edt.From(theRing.in[rank], datablock.RO))
}

// runRing runs a ring. It returns how many messages were sent for each EDT, and the largest number that one rank has
// sent.
func runRing(t *testing.T, ranks, steps int) (perEDT float64, most uint64) {
	t.Helper()
	theRing = &ring{steps: steps, in: make([]guid.GUID, ranks)}
	h := edttest.NewApart(2, ranks, edt.Config{Workers: 1})
	defer h.Graph.Close()
	testrun.OK(t, h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		all := edt.Params(0, uint64(ranks))
		_, planted := c.Spawn(plantRing, &edt.Spec{Params: all, Deps: []edt.Source{edt.From(guid.Null, datablock.Null)},
			Finish: true, Output: true})
		_, done := c.Spawn(beginRing, &edt.Spec{Params: all, Deps: []edt.Source{edt.From(planted, datablock.Null)},
			Finish: true, Output: true})
		start(c, "end", func(*edt.Ctx, edt.Args) {
			testrun.Equal(t, ranks*steps, theRing.ran, "steps at the end of the scope")
		}, edt.From(done, datablock.Null))
	})))
	all := uint64(0)
	for rank := range ranks {
		own, _ := h.Traffic(rank)
		all, most = all+own, max(most, own)
	}
	return float64(all) / float64(h.Graph.Counters().EDTRun), most
}

// With many ranks an EDT costs a rank as many messages as with 16, but for the depth of the trees: no rank is a hub.
func TestThousandRanks(t *testing.T) {
	ranks, steps := testrun.Sized(60, 100, 1000), 20
	few, mostOfFew := runRing(t, 16, steps)
	many, most := runRing(t, ranks, steps)
	deeper := bits.Len(uint(ranks-1)) - bits.Len(15)
	t.Logf("16 ranks: %.2f messages an EDT, at most %d by a rank; %d ranks: %.2f, at most %d", few, mostOfFew, ranks, many,
		most)
	const more, aLevel = 1.2, 8
	if limit := more*float64(mostOfFew) + aLevel*float64(deeper); many > more*few || float64(most) > limit {
		t.Errorf("%d ranks: want at most %.2f messages an EDT, and %.0f by a rank", ranks, more*few, limit)
	}
}
