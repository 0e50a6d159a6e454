package taskbench

import (
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A steady is the part of the graph for a column's steady tasks. A task is steady if it has all inputs, passes its
// output on to all columns that it has inputs from, and creates an EDT. If links are mutual with one set of edges, and
// outputs are one pair, all tasks of a column but the first and the last two are. For such a task steadyTask does what
// task does, with the same checks, but without the lists of what may be missing.
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

// bufferWords are what a steady task writes: the GUID of the EDT that it has created, the step, and the column.
const bufferWords = guidWords + pairBytes/wordBytes

func (g *graph) hasSteady() bool {
	return g.ranks == nil && g.links == mutual && g.period == 1 && g.pairs == 2 && !g.more && g.verify
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
		s.steps = col.complete.and(col.wanted).and(steps{col.first, col.last - g.ahead})
		s.outputAt, s.source = col.outputAt, source(g.number, i)
		s.template, s.place = g.templates[col.slots[0]], g.places[i]
		for k, in := range col.inputs[0] {
			from := &col.takes[0][k]
			e := edge{from.source, from.outputAt, from.slot, slotOwn, datablock.RW, from.remote}
			if to := slices.IndexFunc(col.outputs[0], func(out output) bool { return out.to == in.from }); to >= 0 {
				e.to, e.mode = col.gives[0][to].slot, col.gives[0][to].mode
			}
			s.edges = append(s.edges, e)
		}
		// Null comes before RO.
		slices.SortStableFunc(s.edges[1:], func(a, b edge) int { return int(b.mode) - int(a.mode) })
	}
}

// steadyTask returns the body of tasks if some are steady. If one is not, or an input is wrong, task does it all.
//
//go:noinline
func (g *graph) steadyTask() edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		t, i := int(in.Param(paramStep)), int(in.Param(paramColumn))
		s, deps := &g.steady[i], in.Deps()
		peers := g.spare[c.Worker()].peers
		if !s.has(t) || g.flaw != nil && g.flaw.spoils(g, t, i) || !s.take(deps, peers, g.buffer(t-1), t) {
			return g.task(c, in)
		}
		g.Kernel.Run(int64(g.number), int64(t), int64(i), nil)
		id := c.NewEDTAt(s.place, s.template, edt.Params(uint64(t+g.ahead), uint64(i)))
		own := &deps[slotOwn]
		output := datablock.Slice[uint64](own)[s.outputAt+g.buffer(t):][:bufferWords]
		output[0], output[1] = id.Words()
		output[guidWords], output[guidWords+1] = uint64(t), s.source
		block := own.GUID()
		c.Release(block)
		edges := s.edges
		peers = peers[:len(edges)]
		for k := len(edges) - 1; k >= 0; k-- {
			c.AddDependence(block, peers[k], int(edges[k].to), edges[k].mode)
		}
		return guid.Null
	}
}

// take checks the inputs of a step, in buffer before of their rings, and lists the EDTs that
// will take the output. It calls nothing, so all that it needs stays in registers.
func (s *steady) take(deps []datablock.Dep, peers []guid.GUID, before, t int) bool {
	edges, last := s.edges, uint64(t-1)
	if len(deps) != len(edges) || len(peers) < len(edges) {
		return false
	}
	words := datablock.Slice[uint64](&deps[slotOwn])
	for k := range edges {
		e := &edges[k]
		d, from := &deps[e.slot], words
		if d.IsNull() {
			return false
		}
		if e.remote {
			from = datablock.Slice[uint64](d)
		}
		at := int(e.outputAt) + before
		input := from[at : at+bufferWords : at+bufferWords]
		if input[guidWords] != last || input[guidWords+1] != e.source {
			return false
		}
		peers[k] = getGUID(input, 0)
	}
	return true
}
