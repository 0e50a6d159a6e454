package cg

import (
	"ocr/apps/trial"
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
		trial.Release(c) // so that EDTs of the next half iteration can acquire the blocks
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

// A slabNames is the blocks of a slab and the place of its EDTs: neighbouring slabs have the same place, or near ones.
type slabNames struct {
	Vectors     task.Block[float64]
	First, Last task.Source[float64] // copies of the residual's first and last plane
	At          edt.Affinity
}

// A sumBlock is the block of the EDT that adds up.
type sumBlock = task.Headed[sums, slabNames]

type sums struct {
	numbers
	Result task.Event[sumBlock] // satisfied with the block at the end
}

// sum adds up the slabs' parts in order. It starts the next half iteration and becomes the EDT of its sum, or it ends.
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

// start creates the EDTs of the next half iteration, and returns the sources of the slabs' parts. slabs has a border
// before the first slab and behind the last.
func (k *sums) start(c *edt.Ctx, slabs []slabNames) (parts []task.Source[float64]) {
	for i, s := range slabs[1 : len(slabs)-1] {
		part, at := par.Future[float64](c), task.Opt{At: s.At}
		parts = append(parts, part.From())
		if k.Direct {
			direct.New(c, half{k.Cfg.Size, k.Beta, part}, s.Vectors.From(), slabs[i].Last, slabs[i+2].First, at)
		} else {
			advance.New(c, half{k.Cfg.Size, k.Alpha, part}, s.Vectors.From(), s.First, s.Last, at)
		}
	}
	return parts
}
