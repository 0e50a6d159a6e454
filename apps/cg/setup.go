package cg

import (
	"ocr/edt"
	"ocr/task"
)

// A system is the blocks that the graph is made on. The EDT that makes it holds the slabs.
type system struct {
	control task.Block[scalars]
	slabs   []task.Block[slabBlock]
	heads   []*head
}

// buildGraph links slabs and makes their first tasks, and the first sum. It returns the events that bring the
// slabs with the result. A slab prefers one worker for all its tasks, and neighbours prefer the same one or the next.
func buildGraph(c *edt.Ctx, s system, ranks [][]int) (results []task.Event[slabBlock]) {
	n := len(s.slabs)
	for i, h := range s.heads {
		h.Result = task.Counted[slabBlock](c, 1)
		if i > 0 {
			h.Below = s.heads[i-1].Last
		}
		if i < n-1 {
			h.Above = s.heads[i+1].First
		}
		results = append(results, h.Result)
	}
	var o task.Opt
	if len(ranks) > 1 {
		o.At = s.heads[middle(ranks)[0]].At
	}
	from := s.link(c, ranks, false)
	list := task.Of(c, from...)
	list.Release(c)
	newSum(c, o, sumOf{Residual: true}, s.control, list, from)
	for i, block := range s.slabs {
		h := *s.heads[i]
		block.Release(c)
		advanceTask.NewAt(c, h.At, where{i}, block.From(), orNone(h.First), orNone(h.Last), s.control.From())
	}
	return results
}

// orNone is the source of a block, or of nothing at an end of the grid.
func orNone(b task.Block[float64]) task.Source[float64] {
	if b.IsNull() {
		return task.None[float64]()
	}
	return b.From()
}
