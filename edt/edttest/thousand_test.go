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

// A row is a one-dimensional stencil with a cell on each rank, whose values are then summed by a tree. All is set up by
// trees as well. The ranks are in one process, so bodies may share it: by it neighbours know each other's events.
type row struct {
	ranks, steps int
	in           [][2]guid.GUID // by rank: the channels from the left and the right
	sum          uint32
}

var theRow *row

// first is the value of a cell before the first step.
func first(rank uint64) uint32 { return uint32(rank)*2654435761 + 1 }

// next is that of a cell after a step.
func next(left, own, right uint32) uint32 { return left + 3*own + right }

// oracle computes the sum sequentially.
func (r *row) oracle() (sum uint32) {
	values := make([]uint32, r.ranks+2)
	for k := range r.ranks {
		values[k+1] = first(uint64(k))
	}
	for range r.steps {
		last := uint32(0)
		for k := 1; k <= r.ranks; k++ {
			last, values[k] = values[k], next(last, values[k], values[k+1])
		}
	}
	for _, v := range values[1 : r.ranks+1] {
		sum += v
	}
	return sum
}

var plantRow, beginRow, cellOfRow, sumRow, addRow *edt.Template

// spread has an EDT of its template for each half of a range of ranks, on the first rank of the half, until a range is
// one rank.
func spread(t func() *edt.Template, leaf func(c *edt.Ctx, rank uint64)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		from, to := in.Param(0), in.Param(1)
		for ; to-from > 1; to = (from + to) / 2 {
			c.NewEDTAt(c.Bind(int(from+to)/2), t(), edt.Params((from+to)/2, to), edt.From(guid.Null, datablock.Null))
		}
		leaf(c, from)
		return guid.Null
	}
}

func init() {
	plantRow = edt.NewTemplate("edttest_test.plantRow", 2, 1, spread(func() *edt.Template { return plantRow },
		func(c *edt.Ctx, rank uint64) {
			for side := range theRow.in[rank] {
				theRow.in[rank][side] = c.NewChannel(2)
			}
		}))
	beginRow = edt.NewTemplate("edttest_test.beginRow", 2, 1, spread(func() *edt.Template { return beginRow },
		func(c *edt.Ctx, rank uint64) { cell(c, rank, 0, first(rank)) }))
	cellOfRow = edt.NewTemplate("edttest_test.cellOfRow", 3, 2, stepCell)
	sumRow = edt.NewTemplate("edttest_test.sumRow", 4, 1, sumRange)
	addRow = edt.NewTemplate("edttest_test.addRow", 2, 2, addHalves)
}

// cell sends a value of a cell to its neighbours, and has it wait for theirs.
func cell(c *edt.Ctx, rank, step uint64, v uint32) {
	deps := [2]edt.Source{edt.From(guid.Null, datablock.RO), edt.From(guid.Null, datablock.RO)}
	for side, neighbour := range [2]int{int(rank) - 1, int(rank) + 1} {
		if neighbour >= 0 && neighbour < theRow.ranks {
			deps[side] = edt.From(theRow.in[rank][side], datablock.RO)
			c.Satisfy(theRow.in[neighbour][1-side], valueBlock(c, v))
		}
	}
	c.NewEDT(cellOfRow, edt.Params(rank, step, uint64(v)), deps[:]...)
}

func valueBlock(c *edt.Ctx, v uint32) guid.GUID {
	g, b := c.NewBlock(8)
	datablock.SliceOf[uint32](b)[0] = v
	c.Release(g)
	return g
}

// take returns the value of a block and destroys it, 0 for no block.
func take(c *edt.Ctx, d *datablock.Dep) (v uint32) {
	if d.GUID().IsNull() {
		return 0
	}
	v = datablock.Slice[uint32](d)[0]
	c.DestroyBlock(d.GUID())
	return v
}

func stepCell(c *edt.Ctx, in edt.Args) guid.GUID {
	rank, step := in.Param(0), in.Param(1)+1
	v := next(take(c, in.Dep(0)), uint32(in.Param(2)), take(c, in.Dep(1)))
	if step < uint64(theRow.steps) {
		cell(c, rank, step, v)
		return guid.Null
	}
	for _, channel := range theRow.in[rank] {
		c.DestroyEvent(channel)
	}
	theRow.in[rank][0] = valueBlock(c, v)
	return guid.Null
}

// sumRange satisfies an event with the sum of a range of ranks, of which this is the first.
func sumRange(c *edt.Ctx, in edt.Args) guid.GUID {
	from, to, out := in.Param(0), in.Param(1), guid.FromWords(in.Param(2), in.Param(3))
	for ; to-from > 1; to = (from + to) / 2 {
		halves := [2]guid.GUID{c.NewEvent(edt.Once), c.NewEvent(edt.Once)}
		hi, lo := out.Words()
		c.NewEDT(addRow, edt.Params(hi, lo), edt.From(halves[0], datablock.RO), edt.From(halves[1], datablock.RO))
		hi, lo = halves[1].Words()
		c.NewEDTAt(c.Bind(int(from+to)/2), sumRow, edt.Params((from+to)/2, to, hi, lo), edt.From(guid.Null, datablock.Null))
		out = halves[0]
	}
	c.Satisfy(out, theRow.in[from][0])
	return guid.Null
}

func addHalves(c *edt.Ctx, in edt.Args) guid.GUID {
	c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), valueBlock(c, take(c, in.Dep(0))+take(c, in.Dep(1))))
	return guid.Null
}

// A rowCost is what a run of a row has sent.
type rowCost struct {
	perEDT float64
	most   uint64 // of one rank
}

// runRow runs a row and checks the sum.
func runRow(t *testing.T, ranks, steps int) (cost rowCost) {
	t.Helper()
	theRow = &row{ranks: ranks, steps: steps, in: make([][2]guid.GUID, ranks)}
	h := edttest.NewApart(2, ranks, edt.Config{Workers: 1})
	defer h.Graph.Close()
	err := h.Run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
		all := edt.Params(0, uint64(ranks))
		_, planted := c.Spawn(plantRow, &edt.Spec{Params: all, Deps: []edt.Source{edt.From(guid.Null, datablock.Null)},
			Finish: true, Output: true})
		_, done := c.Spawn(beginRow, &edt.Spec{Params: all, Deps: []edt.Source{edt.From(planted, datablock.Null)},
			Finish: true, Output: true})
		total := c.NewEvent(edt.Once)
		hi, lo := total.Words()
		c.NewEDT(sumRow, append(all, hi, lo), edt.From(done, datablock.Null))
		c.NewEDT(c.NewTemplate("total", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			theRow.sum = take(c, in.Dep(0))
			return guid.Null
		}), nil, edt.From(total, datablock.RO))
		return guid.Null
	})
	if want := theRow.oracle(); err != nil || theRow.sum != want {
		t.Fatalf("%d ranks: %v, sum %d, want %d", ranks, err, theRow.sum, want)
	}
	all := uint64(0)
	for _, r := range h.Reports() {
		own := uint64(0)
		for _, sent := range r.Sent {
			own += sent.Messages
		}
		all += own
		cost.most = max(cost.most, own)
	}
	cost.perEDT = float64(all) / float64(h.Graph.Counters().EDTRun)
	return cost
}

// TestThousandRanks: a stencil and a sum over many ranks are right, and cost a rank what they cost over 16, but for the
// depth of the trees: no rank is a hub.
func TestThousandRanks(t *testing.T) {
	ranks, steps := testrun.Sized(60, 100, 1000), 20
	few, many := runRow(t, 16, steps), runRow(t, ranks, steps)
	deeper := uint64(bits.Len(uint(ranks-1)) - bits.Len(15))
	t.Logf("16 ranks: %.2f messages an EDT, at most %d by a rank; %d ranks: %.2f, at most %d", few.perEDT, few.most, ranks,
		many.perEDT, many.most)
	const more, aLevel = 1.2, 8
	most := more*float64(few.most) + aLevel*float64(deeper)
	if many.perEDT > more*few.perEDT || float64(many.most) > most {
		t.Errorf("%d ranks: want at most %.2f messages an EDT, and %.0f by a rank", ranks, more*few.perEDT, most)
	}
}
