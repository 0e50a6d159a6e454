package stencil2d

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// The recorded form: a graph of two steps is recorded once and run again and again, as a halo is after two steps back
// at the tile that had it. Edges are in place of the channels. A node does what step does, and leaves its part of the
// residual in its tile; one more node adds up the parts of both steps when all tiles are done. If the number of steps
// is odd, a graph of one step follows.

var recordedStep = task.DefineN("stencil2d.step_recorded",
	func(_ *edt.Ctx, _ place, own task.RW[tile], halos halos, _ task.List[task.After]) {
		s := task.Head(own)
		to, residual := s.relax(own, halos)
		s.Parts[s.Step%2] = residual
		s.Step++
		for side := range sides {
			if halo := halos.At(side); !halo.IsNull() {
				s.Extent.take(to, side, 0, halo.Slice())
			}
		}
	})

// recordedReduce adds up the residuals of the last steps. Its parameter is how many.
var recordedReduce = task.DefineN("stencil2d.reduce_recorded",
	func(_ *edt.Ctx, steps int, own task.RW[sum], tiles task.List[task.RO[tile]], _ task.List[task.After]) {
		r, residuals := task.Head(own), task.Rest(own)
		for range steps {
			for k := range tiles.Len() {
				residuals[r.Step] += task.Head(tiles.At(k)).Parts[r.Step%2]
			}
			r.Step++
		}
	})

// recordSteps records one step or two.
func recordSteps(c *edt.Ctx, cfg Config, tiles []setup, sum task.Source[sum], steps int) *task.Graph {
	g := task.NewGraph(c)
	var before []task.Node
	var blocks []task.Source[tile]
	for step := range steps {
		nodes := make([]task.Node, len(tiles))
		for k, t := range tiles {
			var after []task.Node
			for side := range sides {
				if other, ok := cfg.neighbour(k, side); ok && step > 0 {
					t.halos[side] = tiles[other].halos[opposite(side)]
					after = append(after, before[other])
				}
			}
			n := recordedStep.Add(g, cfg.place(k), t.block.From(), t.sources(), nil)
			n.SetHint(edt.Hint{Affinity: cfg.at(c, k)})
			if n.After(after...); step > 0 {
				n.After(before[k])
			} else {
				blocks = append(blocks, t.block.From())
			}
			nodes[k] = n
		}
		before = nodes
	}
	recordedReduce.Add(g, steps, sum, blocks, nil).After(before...)
	return g
}

// runSteps records and runs the steps that are left, and then satisfies done.
func (a *App) runSteps(c *edt.Ctx, tiles []setup, sum task.Source[sum], left int, done task.Event[task.Nothing]) {
	length := min(left, 2)
	g := recordSteps(c, a.cfg, tiles, sum, length)
	a.graphs = append(a.graphs, g)
	if left%length == 0 {
		g.Run(c, left/length, done)
		return
	}
	pairs := task.Once[task.Nothing](c)
	t := c.NewTemplate("stencil2d.last_step", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.runSteps(c, tiles, sum, left%length, done)
		return guid.Null
	})
	c.NewEDT(t, nil, edt.From(pairs.GUID, datablock.Null))
	c.DestroyTemplate(t)
	g.Run(c, left/length, pairs)
}

// MainRecorded is [App.Main] for the recorded form.
func (a *App) MainRecorded() edt.Func {
	return a.main(func(c *edt.Ctx, tiles []setup) (result []edt.Source) {
		own, _, _ := task.MakeHeaded[reduction, float64](c, a.cfg.Steps)
		own.Release(c)
		done := task.Counted[task.Nothing](c, 1)
		read := func(block guid.GUID) { result = append(result, edt.From(block, datablock.RO)) }
		read(own.GUID)
		for _, t := range tiles {
			t.block.Release(c)
			read(t.block.GUID)
		}
		for _, t := range tiles {
			for _, halo := range t.halos {
				read(halo.GUID)
			}
		}
		a.runSteps(c, tiles, own.From(), a.cfg.Steps, done)
		return append(result, edt.From(done.GUID, datablock.Null))
	})
}
