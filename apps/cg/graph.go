package cg

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
	"ocr/task/par"
)

// A half is the parameters of an EDT that computes half an iteration of a slab.
type half struct {
	Size   int                 // of the grid
	Factor float64             // alpha or beta
	Part   task.Event[float64] // takes the slab's part of the sum that follows
}

var (
	// advance moves along the direction, and copies the planes that the neighbours need.
	advance = task.Define3("cg.advance", func(c *edt.Ctx, p half, own, first, last task.RW[float64]) {
		s := slabOf(own.Slice(), p.Size)
		part := s.advance(p.Factor)
		copy(first.Slice(), s.first())
		copy(last.Slice(), s.last())
		trial.Release(c) // to the next half
		par.Set(c, p.Part, part)
	})
	// direct computes the next direction; below and above are planes of the neighbours.
	direct = task.Define3("cg.direct", func(c *edt.Ctx, p half, own task.RW[float64], below, above task.RO[float64]) {
		s := slabOf(own.Slice(), p.Size)
		part := s.direct(p.Factor, below.Slice(), above.Slice())
		trial.Release(c)
		par.Set(c, p.Part, part)
	})
)

// A slabNames is the blocks of a slab and the place of its EDTs: neighbours have the same place, or the next.
type slabNames struct {
	Vectors     task.Block[float64]
	First, Last task.Block[float64] // copies of the residual's first and last plane
	At          edt.Affinity
}

// A sumBlock is the block of the EDT that adds up.
type sumBlock = task.Headed[sums, slabNames]

type sums struct {
	numbers
	Size   int
	Result task.Event[sumBlock] // satisfied with the block at the end
}

// sum adds up the slabs' parts, always in the same order, starts the next half, and goes on as the next sum.
var sum = task.DeclareN[task.Nothing, task.RW[sumBlock], par.Value[float64]]("cg.sum")

var _ = sum.Body(func(c *edt.Ctx, p task.Nothing, own task.RW[sumBlock], parts task.List[par.Value[float64]]) {
	k, total := task.Head(own), 0.0
	for i := range parts.Len() {
		total += parts.At(i).Take(c)
	}
	if k.next(total); k.Done {
		own.SendTo(c, k.Result)
		return
	}
	sum.Again(c, p, task.Source[sumBlock]{}, k.start(c, task.Rest(own)))
})

// start creates the EDTs of the next half. It returns the sources of their parts.
func (k *sums) start(c *edt.Ctx, slabs []slabNames) (parts []task.Source[float64]) {
	for i, s := range slabs {
		part, at := par.Future[float64](c), task.Opt{At: s.At}
		parts = append(parts, part.From())
		if !k.Direct {
			advance.New(c, half{k.Size, k.Alpha, part}, s.Vectors.From(), s.First.From(), s.Last.From(), at)
			continue
		}
		below, above := task.None[float64](), task.None[float64]()
		if i > 0 {
			below = slabs[i-1].Last.From()
		}
		if i < len(slabs)-1 {
			above = slabs[i+1].First.From()
		}
		direct.New(c, half{k.Size, k.Beta, part}, s.Vectors.From(), below, above, at)
	}
	return parts
}

// buildGraph starts the first half and the first sum. It returns the sources of the result: the numbers, the slabs, and
// the blocks to destroy.
func buildGraph(c *edt.Ctx, cfg Config, slabs []slabNames) []edt.Source {
	block, k, names := task.MakeHeaded[sums, slabNames](c, len(slabs))
	*k = sums{cfg.numbers(), cfg.Size, task.Counted[sumBlock](c, 1)}
	copy(names, slabs)
	results, planes := []edt.Source{edt.From(k.Result.GUID, datablock.RO)}, []edt.Source{}
	for _, s := range slabs {
		results = append(results, edt.From(s.Vectors.GUID, datablock.RO))
		planes = append(planes, edt.From(s.First.GUID, datablock.Null), edt.From(s.Last.GUID, datablock.Null))
	}
	parts := k.start(c, slabs)
	block.Release(c)
	sum.New(c, task.Nothing{}, block.From(), parts)
	return append(results, planes...)
}
