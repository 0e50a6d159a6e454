package stencil2d

import (
	"ocr/edt"
	"ocr/task"
)

// A place is what reports say of a tile's EDTs.
type place struct{ Row, Column int32 }

// A tile is the block of a tile: two grids, each with a ring, of which a step reads one and writes the other.
type tile = task.Headed[state, float64]

// A state is what a tile's EDT leaves to the next.
type state struct {
	Step, Steps int32
	Extent      extent
	Links       [sides]link
	Part        channel          // takes the tile's part of each step's residual
	Parts       [2]float64       // recorded form: the parts of the last even step, and of the last odd one
	Done        task.Event[tile] // takes the tile when all is done
}

// A link is the channels between a tile and a neighbour, both the zero Event at the grid's border.
type link struct{ In, Out task.Event[float64] }

type halos = task.List[task.RW[float64]]

// step does one step of a tile. Its slots are the tile, and a halo for each side that has a neighbour.
var step = task.DeclareN[place, task.RW[tile], task.RW[float64], task.After]("stencil2d.step")

var _ = step.Body(func(c *edt.Ctx, p place, own task.RW[tile], halos halos, _ task.List[task.After]) {
	s := task.Head(own)
	part, sum := task.Make[float64](c, 1)
	to, residual := s.relax(own, halos)
	sum[0] = residual
	s.Part.Send(c, part)
	s.Step++
	if s.Step == s.Steps {
		s.end(c, own, halos)
		return
	}
	// A side without a neighbour keeps its slot without a block.
	var next [sides]task.Source[float64]
	for side := range sides {
		if !halos.At(side).IsNull() {
			next[side] = s.Links[side].In.From()
		}
	}
	step.Again(c, p, task.Source[tile]{}, next[:], nil)
	for side := range sides {
		if halo := halos.At(side); !halo.IsNull() {
			s.Extent.take(to, side, 0, halo.Slice())
			halo.SendTo(c, s.Links[side].Out)
		}
	}
})

// relax does the step of the tile, with what the halos bring.
func (s *state) relax(own task.RW[tile], halos halos) (to []float64, residual float64) {
	from, to := s.Extent.grids(task.Rest(own), int(s.Step))
	for side := range sides {
		if halo := halos.At(side); !halo.IsNull() {
			s.Extent.put(from, side, halo.Slice())
		}
	}
	return to, s.Extent.relax(from, to)
}

// end sends the tile out. Each neighbour has one of the two halos, and one of the two channels, to destroy.
func (s *state) end(c *edt.Ctx, own task.RW[tile], halos halos) {
	for side := range sides {
		if halo := halos.At(side); !halo.IsNull() {
			halo.Destroy(c)
			s.Links[side].In.Destroy(c)
		}
	}
	own.SendTo(c, s.Done)
}

// A setup is what Main makes of a tile: its block, which Main holds, and the halos of the first step.
type setup struct {
	block task.Block[tile]
	state *state
	halos [sides]task.Block[float64]
}

// sources are the halos as the sources of an EDT's slots. A side without a neighbour has none.
func (t *setup) sources() (list []task.Source[float64]) {
	for _, halo := range t.halos {
		if halo.IsNull() {
			list = append(list, task.None[float64]())
		} else {
			list = append(list, halo.From())
		}
	}
	return list
}

// at is the worker that a tile prefers. Each has an equal run of tiles, row by row, so few neighbours of a tile are
// elsewhere. A worker that has nothing to do steals from the others.
func (cfg Config) at(c *edt.Ctx, tile int) edt.Affinity {
	return c.Place(tile * c.Places() / cfg.tiles())
}

// buildGraph makes the first EDTs: one for each tile, and those that reduce. It returns the events that bring the tiles
// and the residuals. A channel is where the EDT is that waits for it.
func buildGraph(c *edt.Ctx, cfg Config, tiles []setup) (grids []task.Event[tile], residuals task.Event[sum]) {
	for k, t := range tiles {
		grids = append(grids, task.Counted[tile](c, 1))
		t.state.Done = grids[k]
		for side := range sides {
			if other, ok := cfg.neighbour(k, side); ok {
				// A tile is at most one step ahead of its neighbour, which has yet to wait for the last halo.
				to := task.Channel[float64](c, 2, cfg.at(c, k))
				t.state.Links[side].In, tiles[other].state.Links[opposite(side)].Out = to, to
			}
		}
	}
	residuals = reduceTiles(c, cfg, tiles)
	for _, t := range tiles {
		t.block.Release(c)
	}
	for k, t := range tiles {
		step.NewWith(c, task.Opt{At: cfg.at(c, k)}, cfg.place(k), t.block.From(), t.sources(), nil)
	}
	return grids, residuals
}
