package stencil2d

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

// A place is the position of a tile, which reports show of its EDTs.
type place struct{ Row, Column int32 }

// A tile is the block of a tile: its state, and its points (kernel.go).
type tile = task.Headed[state, float64]

// A state is what an EDT of a tile passes to the next.
type state struct {
	Step, Steps int32
	Extent      extent
	Links       [sides]link
	Done        task.Event[tile] // satisfied with the tile's block at the end; null in the recorded form
}

// A link is the channels between a tile and a neighbour, both the zero Event at the grid's border.
type link struct{ In, Out task.Event[float64] }

// step computes one step of a tile. Its slots are the tile, and a halo for each side, none at the grid's border.
var step = task.DeclareN[place, task.RW[tile], task.RW[float64]]("stencil2d.step")

var _ = step.Body(func(c *edt.Ctx, p place, own task.RW[tile], halos task.List[task.RW[float64]]) {
	s, recorded := task.Head(own), task.Head(own).Done.IsNull()
	if s.Step == s.Steps {
		return // recorded: the second of two steps, and only one was left
	}
	s.step(task.Rest(own), halos)
	switch last := s.Step == s.Steps; {
	case recorded: // edges pass the halos on
	case last:
		s.end(c, own, halos)
	default:
		var next [sides]task.Source[float64] // a side without a neighbour keeps its slot without a block
		for side := range sides {
			if !halos.At(side).IsNull() {
				next[side] = s.Links[side].In.From()
			}
		}
		step.Again(c, p, task.Source[tile]{}, next[:])
		for side := range sides {
			if halo := halos.At(side); !halo.IsNull() {
				halo.SendTo(c, s.Links[side].Out)
			}
		}
	}
})

// step computes a step from the points and the halos, and fills the halos with the sides of the new grid.
func (s *state) step(points []float64, halos task.List[task.RW[float64]]) {
	e, step := s.Extent, int(s.Step)
	from, to := e.grids(points, step)
	for side := range sides {
		e.put(from, side, halos.At(side).Slice())
	}
	e.relax(points, step)
	for side := range sides {
		e.take(to, side, 0, halos.At(side).Slice())
	}
	s.Step++
}

// end sends the tile's block to Done. It destroys the halos on its slots, and the channels that bring the neighbours'
// halos.
func (s *state) end(c *edt.Ctx, own task.RW[tile], halos task.List[task.RW[float64]]) {
	for side := range sides {
		if halo := halos.At(side); !halo.IsNull() {
			halo.Destroy(c)
			s.Links[side].In.Destroy(c)
		}
	}
	own.SendTo(c, s.Done)
}

// A setup is what Main creates for a tile: its block, which Main holds, the halos of the first step, and the place of
// its EDTs. Each worker has an equal number of neighbouring tiles, row by row, so few neighbours of a tile are on
// another.
type setup struct {
	block  task.Block[tile]
	state  *state
	points []float64
	halos  [sides]task.Block[float64]
	at     edt.Affinity
}

// sources returns the halos as sources of an EDT's slots.
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

func (c Config) place(tile int) place {
	return place{int32(tile / c.perSide()), int32(tile % c.perSide())}
}

// buildGraph links the tiles, and creates the first EDT of each.
func buildGraph(c *edt.Ctx, cfg Config, tiles []setup) (results []edt.Source, end func(*edt.Ctx)) {
	for k, t := range tiles {
		t.state.Done = task.Counted[tile](c, 1)
		results = append(results, edt.From(t.state.Done.GUID, datablock.RO))
		for side := range sides {
			if other, ok := cfg.neighbour(k, side); ok {
				// A tile is at most one step ahead of its neighbour, so at most two halos are in the channel.
				to := task.Channel[float64](c, 2, t.at)
				t.state.Links[side].In, tiles[other].state.Links[opposite(side)].Out = to, to
			}
		}
	}
	for _, t := range tiles {
		t.block.Release(c)
	}
	for k, t := range tiles {
		step.New(c, cfg.place(k), t.block.From(), t.sources(), task.Opt{At: t.at})
	}
	return results, func(*edt.Ctx) {}
}

// recordGraph records a graph of two steps, and runs it.
func recordGraph(c *edt.Ctx, cfg Config, tiles []setup) (results []edt.Source, end func(*edt.Ctx)) {
	g, done := task.NewGraph(c), task.Counted[task.Nothing](c, 1)
	first := make([]task.Node, len(tiles))
	for k, t := range tiles {
		t.block.Release(c)
		first[k] = step.Add(g, cfg.place(k), t.block.From(), t.sources())
		first[k].SetHint(edt.Hint{Affinity: t.at})
		results = append(results, edt.From(t.block.GUID, datablock.RO))
	}
	for k, t := range tiles {
		after := []task.Node{first[k]}
		for side, halo := range t.halos {
			if other, ok := cfg.neighbour(k, side); ok {
				results = append(results, edt.From(halo.GUID, datablock.Null))
				after, t.halos[side] = append(after, first[other]), tiles[other].halos[opposite(side)]
			}
		}
		second := step.Add(g, cfg.place(k), t.block.From(), t.sources())
		second.SetHint(edt.Hint{Affinity: t.at})
		second.After(after...)
	}
	g.Run(c, (cfg.Steps+1)/2, done)
	return append(results, edt.From(done.GUID, datablock.Null)), g.Destroy
}
