package stencil2d

import (
	"slices"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

// A sum is the block of the residuals, one for each step.
type sum = task.Headed[reduction, float64]

type reduction struct {
	Step int
	Done task.Event[sum] // takes the block when all is done
	Next channel         // takes each sum on to the next rank's EDT, but from the last
}

// A channel brings parts of the residual.
type channel = task.Event[float64]

// reduce adds up the residual of a step: the sum of the rank before, and a part from each tile of its rank. Its last
// list is a block with the channels of these.
var reduce = task.DeclareN[task.Nothing, task.RW[sum], task.RO[float64], task.RO[channel]]("stencil2d.reduce")

type (
	parts    = task.List[task.RO[float64]]
	channels = task.List[task.RO[channel]]
)

var _ = reduce.Body(func(c *edt.Ctx, p task.Nothing, own task.RW[sum], parts parts, from channels) {
	r, residuals, channels := task.Head(own), task.Rest(own), from.At(0).Slice()
	for k := range parts.Len() {
		residuals[r.Step] += parts.At(k).At(0)
		parts.At(k).Destroy(c)
	}
	if !r.Next.IsNull() {
		r.Next.Put(c, residuals[r.Step])
	}
	if r.Step++; r.Step < len(residuals) {
		reduce.Again(c, p, task.Source[sum]{}, sources(channels), nil)
		return
	}
	for _, e := range channels {
		e.Destroy(c)
	}
	from.At(0).Destroy(c)
	if r.Next.IsNull() {
		own.SendTo(c, r.Done)
	} else {
		own.Destroy(c)
	}
})

func sources[T any](events []task.Event[T]) (s []task.Source[T]) {
	for _, e := range events {
		s = append(s, e.From())
	}
	return s
}

// reduceTiles makes an EDT for each rank that has tiles: together they add up the parts in the order of the tiles.
func reduceTiles(c *edt.Ctx, cfg Config, tiles []setup) (residuals task.Event[sum]) {
	residuals = task.Counted[sum](c, 1)
	next, at := channel{}, func(k int) edt.Affinity { return cfg.at(c, k) }
	for rank, mine := range slices.Backward(trial.ByRank(c, len(tiles), at)) {
		if len(mine) == 0 {
			continue
		}
		var place edt.Affinity
		if rank > 0 {
			place = at(mine[0])
		}
		var from []channel
		own, r, _ := task.MakeHeaded[reduction, float64](c, cfg.Steps)
		if r.Done, r.Next = residuals, next; mine[0] > 0 {
			next = task.Channel[float64](c, edt.Unbounded, place)
			from = append(from, next)
		}
		for _, k := range mine {
			tiles[k].state.Part = task.Channel[float64](c, edt.Unbounded, place)
			from = append(from, tiles[k].state.Part)
		}
		own.Release(c)
		list := task.Of(c, from...)
		list.Release(c)
		reduce.NewWith(c, task.Opt{At: place}, task.Nothing{}, own.From(), sources(from), []task.Source[channel]{list.From()})
	}
	return residuals
}
