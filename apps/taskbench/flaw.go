package taskbench

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A flaw makes one task of a run go wrong, to test that tasks notice.
type flaw struct {
	graph, timestep, point int
	kind                   flawKind
}

type flawKind uint8

const (
	flawByte    flawKind = iota // a byte of the output's last pair is wrong
	flawStale                   // the output is not written: an old version is passed on
	flawGraph                   // the output is another graph's
	flawColumn                  // the output is another column's
	flawEdge                    // the first of its edges brings nothing
	flawStray                   // its slots for what is not there get something
	flawSlots                   // its EDT has a slot more
	flawScratch                 // it overwrites its scratch memory
	numFlaws
)

// at reports whether the flaw is one of a kind in a task.
func (f *flaw) at(kind flawKind, graph, timestep, point int) bool {
	return f.kind == kind && f.graph == graph && f.timestep == timestep && f.point == point
}

// spoil writes a wrong output, and reports whether it did.
func (g *graph) spoil(col *column, words, output []uint64, t, i int) bool {
	f := g.flaw
	switch {
	case f.at(flawByte, g.number, t, i):
		fill(output, t, source(g.number, i))
		output[len(output)-1] ^= 1 << 8
	case f.at(flawGraph, g.number, t, i):
		fill(output, t, source(g.number+1, i))
	case f.at(flawColumn, g.number, t, i):
		fill(output, t, source(g.number, i+1))
	case f.at(flawStale, g.number, t, i):
	case f.at(flawScratch, g.number, t, i):
		words[col.scratchAt]++
		return false
	default:
		return false
	}
	return true
}

// createSpoilt is create for the task that has the flaw, if that is in its EDT.
func (g *graph) createSpoilt(c *edt.Ctx, i, t int) (id guid.GUID, spoilt bool) {
	col := &g.columns[i]
	stray := g.flaw.at(flawStray, g.number, t, i)
	if !stray && !g.flaw.at(flawSlots, g.number, t, i) {
		return guid.Null, false
	}
	set, extra := g.setOf(t), 0
	if !stray {
		extra = 1
	}
	id = c.NewEDTAt(g.places[i], c.NewTemplate("taskbench.spoilt", numParams, col.slots[set]+extra, g.task), edt.Params(uint64(t), uint64(i)))
	for _, in := range col.others(set) {
		if !in.there.has(t) {
			c.AddDependence(g.blocks[col.tile], id, in.slot, datablock.Null)
		}
	}
	if !stray {
		c.AddDependence(guid.Null, id, col.slots[set], datablock.Null)
	}
	return id, true
}
