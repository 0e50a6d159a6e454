package taskbench

import (
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A steady part is what a column's steady tasks need to know: those that have all their
// inputs, pass their output on to all columns that they have inputs from, and create an EDT.
// If links are mutual with one set of edges and outputs are one pair, that are all tasks of
// a column but the first and the last two. So steadyTask does what task does, and asks less.
type steady struct {
	steps
	edges    []edge // the own one first, those from and to other tiles last
	outputAt int    // word of the first buffer
	source   uint64 // what an output says of itself
	template *edt.Template
	place    edt.Affinity
}

// An edge is an input, and the output that goes where it came from.
type edge struct {
	source   uint64         // what the input says of itself
	outputAt uint32         // word of its producer's first buffer
	slot     uint32         // that it comes on
	to       uint32         // slot that the output goes to
	mode     datablock.Mode // in which it goes there
	remote   bool           // the input is in another tile's block
}

// A buffer is what a steady task writes: the GUID of the EDT that it has created, the step,
// and the column.
type buffer [guidWords + pairBytes/wordBytes]uint64

func (g *graph) hasSteady() bool {
	return g.links == mutual && g.period == 1 && g.pairs == 2 && !g.more && g.verify
}

// makeSteady makes the parts of all columns, if there are steady tasks. With one set of edges
// that are mutual, every column takes its own output.
func (g *graph) makeSteady() {
	if !g.hasSteady() {
		return
	}
	g.steady = make([]steady, g.Width)
	for i := range g.columns {
		col := &g.columns[i]
		s := &g.steady[i]
		s.steps = col.quiet.and(col.busy).and(steps{col.first, col.last - g.ahead})
		s.outputAt, s.source, s.template, s.place = col.outputAt, source(g.number, i), g.templates[col.slots[0]], g.places[i]
		for k, in := range col.inputs[0] {
			from := &col.takes[0][k]
			e := edge{from.source, from.outputAt, from.slot, slotOwn, datablock.RW, from.remote}
			if to := slices.IndexFunc(col.outputs[0], func(out output) bool { return out.to == in.from }); to >= 0 {
				e.to, e.mode = col.gives[0][to].slot, col.gives[0][to].mode
			}
			s.edges = append(s.edges, e)
		}
		slices.SortStableFunc(s.edges[1:], func(a, b edge) int { return int(b.mode) - int(a.mode) }) // Null comes before RO
	}
}

// steadyTask is the body of tasks if some are steady. If one is not, or if anything about
// its inputs is wrong, task does it all.
func (g *graph) steadyTask(c *edt.Ctx, in edt.Args) guid.GUID {
	t, i := int(in.Param(paramStep)), int(in.Param(paramColumn))
	s, deps := &g.steady[i], in.Deps()
	edges := s.edges
	if !s.has(t) || len(deps) != len(edges) || g.flaw != nil && g.flaw.spoils(g, t, i) {
		return g.task(c, in)
	}
	words := datablock.Slice[uint64](&deps[slotOwn])
	peers := g.spare[c.Worker()].peers[:len(edges)]
	before := g.buffer(t - 1)
	for k := range edges {
		e := &edges[k]
		d, from := &deps[e.slot], words
		if d.IsNull() {
			return g.task(c, in)
		}
		if e.remote {
			from = datablock.Slice[uint64](d)
		}
		input := (*buffer)(from[int(e.outputAt)+before:])
		if input[guidWords] != uint64(t-1) || input[guidWords+1] != e.source {
			return g.task(c, in)
		}
		peers[k] = guid.FromWords(input[0], input[1])
	}
	g.Kernel.Run(int64(g.number), int64(t), int64(i), nil)
	output := (*buffer)(words[s.outputAt+g.buffer(t):])
	id := c.NewEDTAt(s.place, s.template, edt.Params(uint64(t+g.ahead), uint64(i)))
	output[0], output[1] = id.Words()
	output[guidWords], output[guidWords+1] = uint64(t), s.source
	block := deps[slotOwn].GUID()
	c.Release(block)
	for k := len(edges) - 1; k >= 0; k-- {
		c.AddDependence(block, peers[k], int(edges[k].to), edges[k].mode)
	}
	return guid.Null
}
