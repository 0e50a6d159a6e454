package cg

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
	"ocr/task/par"
)

// A slabBlock is the block of a slab: the state of its EDTs, and its vectors.
type slabBlock = task.Headed[head, float64]

type head struct {
	Size   int
	Sum    member
	Links  [2]link               // to the slabs below and above; zero at an end of the grid
	Result task.Event[slabBlock] // satisfied with the block at the end
}

// A member is the channels between a slab and the sums.
type member struct {
	Part    task.Event[float64] // takes the slab's part of each sum
	Numbers task.Event[numbers] // brings the numbers computed from the sums
}

// A link is the channels between a slab and a neighbour. Two blocks, each with a plane, travel between the two.
type link struct{ In, Out task.Event[float64] }

// A sumBlock is the block of the sums, with their members in the order of the slabs.
type sumBlock = task.Headed[sums, member]

type sums struct {
	numbers
	Result task.Event[sumBlock] // satisfied with the block at the end
}

// where is the slab of an EDT.
type where struct{ Slab int }

var (
	half = task.Declare4[where, task.RW[slabBlock], task.RW[float64], task.RW[float64], par.Value[numbers]]("cg.half")
	sum  = task.DeclareN[task.Nothing, task.RW[sumBlock], par.Value[float64]]("cg.sum")
)

// half computes half an iteration of a slab, and goes on as the other half. Slots 1 and 2 have planes: the half that
// advances along the direction fills them for the neighbours, and the half that computes the next direction reads the
// neighbours' planes.
var _ = half.Body(func(c *edt.Ctx, p where, own task.RW[slabBlock], below, above task.RW[float64],
	latest par.Value[numbers]) {
	h, k := task.Head(own), latest.Take(c)
	s, planes := slabOf(task.Rest(own), h.Size), [2]task.RW[float64]{below, above}
	if k.Done {
		h.end(c, own, planes)
		return
	}
	part := s.half(&k, below.Slice(), above.Slice())
	if k.Direct {
		half.AgainLast(c, h.Sum.Numbers.From())
		par.Set(c, h.Sum.Part, part)
		return
	}
	var next [2]task.Source[float64] // a side without a neighbour keeps its slot without a block
	for side, l := range h.Links {
		if !planes[side].IsNull() {
			next[side] = l.In.From()
		}
	}
	half.Again(c, p, task.Source[slabBlock]{}, next[0], next[1], h.Sum.Numbers.From())
	for side, plane := range [2][]float64{s.first(), s.last()} {
		if to := planes[side]; !to.IsNull() {
			copy(to.Slice(), plane)
			to.SendTo(c, h.Links[side].Out)
		}
	}
	par.Set(c, h.Sum.Part, part)
})

// end sends the slab's block to its result. It destroys the planes on its slots, and the channels that bring the
// neighbours' planes.
func (h *head) end(c *edt.Ctx, own task.RW[slabBlock], planes [2]task.RW[float64]) {
	for side, l := range h.Links {
		if !planes[side].IsNull() {
			planes[side].Destroy(c)
			l.In.Destroy(c)
		}
	}
	h.Sum.Numbers.Destroy(c)
	own.SendTo(c, h.Result)
}

// sum adds up the slabs' parts, always in the same order, sends the numbers to the slabs, and goes on as the next sum.
var _ = sum.Body(func(c *edt.Ctx, p task.Nothing, own task.RW[sumBlock], parts task.List[par.Value[float64]]) {
	k, members, total := task.Head(own), task.Rest(own), 0.0
	for i := range parts.Len() {
		total += parts.At(i).Take(c)
	}
	if k.next(total); !k.Done {
		sum.Again(c, p, task.Source[sumBlock]{}, partsOf(members))
	}
	for _, m := range members {
		if k.Done {
			m.Part.Destroy(c)
		}
		par.Set(c, m.Numbers, k.numbers)
	}
	if k.Done {
		own.SendTo(c, k.Result)
	}
})

func partsOf(members []member) (sources []task.Source[float64]) {
	for _, m := range members {
		sources = append(sources, m.Part.From())
	}
	return sources
}

// A setup is the block of a slab, which Main holds, and the place of its EDTs: neighbours have the same place, or the
// next.
type setup struct {
	block task.Block[slabBlock]
	head  *head
	at    edt.Affinity
}

// buildGraph links the slabs, and creates their first EDTs and the first sum. It returns the events that bring the
// result: the numbers, and the slabs.
func buildGraph(c *edt.Ctx, cfg Config, slabs []setup) (results []edt.Source) {
	block, k, members := task.MakeHeaded[sums, member](c, len(slabs))
	*k = sums{cfg.numbers(), task.Counted[sumBlock](c, 1)}
	results = append(results, edt.From(k.Result.GUID, datablock.RO))
	for i, s := range slabs {
		members[i] = member{task.Channel[float64](c, 1), task.Channel[numbers](c, 1, s.at)}
		s.head.Sum, s.head.Result = members[i], task.Counted[slabBlock](c, 1)
		results = append(results, edt.From(s.head.Result.GUID, datablock.RO))
		par.Set(c, members[i].Numbers, k.numbers)
		if i > 0 {
			below, up, down := slabs[i-1], task.Channel[float64](c, 1, s.at), task.Channel[float64](c, 1, slabs[i-1].at)
			below.head.Links[1], s.head.Links[0] = link{down, up}, link{up, down}
		}
	}
	sum.New(c, task.Nothing{}, block.From(), partsOf(members))
	block.Release(c)
	for i, s := range slabs {
		planes, numbers := [2]task.Source[float64]{}, s.head.Sum.Numbers.From()
		for side, l := range s.head.Links {
			if planes[side] = task.None[float64](); !l.In.IsNull() {
				planes[side] = task.Reserve[float64](c, plane(cfg.Size), s.at).From()
			}
		}
		s.block.Release(c)
		half.New(c, where{i}, s.block.From(), planes[0], planes[1], numbers, task.Opt{At: s.at})
	}
	return results
}
