package stencil2d

import (
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

// A place is the position of a tile, by which reports name its EDTs.
type place struct{ Row, Column int32 }

// A tile is the block of a tile: its state, and its points (kernel.go).
type tile = task.Headed[state, float64]

// A state is what an EDT of a tile passes to the next. Only the form with channels uses Links and Done.
type state struct {
	Step, Steps int
	Extent      extent
	Links       [sides]link
	Done        task.Latch // counts the tiles that have not ended
}

// A link is the channels between a tile and a neighbour, both the zero Event at the grid's border.
type link struct{ In, Out task.Event[float64] }

func (s *state) step(own task.RW[tile], halos task.List[task.RW[float64]]) {
	s.Extent.step(task.Rest(own), s.Step, func(side int) []float64 { return halos.At(side).Slice() })
	s.Step++
}

// step computes one step of a tile, and then becomes the EDT of the next step, up to the last. Its slots have the tile,
// and a halo for each side: no block at the grid's border.
var step = task.DeclareN[place, task.RW[tile], task.RW[float64]]("stencil2d.step")

var _ = step.Body(func(c *edt.Ctx, p place, own task.RW[tile], halos task.List[task.RW[float64]]) {
	s := task.Head(own)
	if s.step(own, halos); s.Step == s.Steps {
		done := s.Done
		trial.Release(c)
		done.Down(c)
		return
	}
	var next [sides]task.Source[float64] // a side without a neighbour keeps its slot without a block
	for side, l := range s.Links {
		next[side] = l.In.From()
	}
	step.Again(c, p, task.Source[tile]{}, next[:])
	for side, l := range s.Links {
		if !l.Out.IsNull() {
			halos.At(side).SendTo(c, l.Out)
		}
	}
})

// recorded computes one step of a tile, in a graph of two steps. An EDT after the last step does nothing.
var recorded = task.DefineN("stencil2d.recorded", func(_ *edt.Ctx, _ place, own task.RW[tile],
	halos task.List[task.RW[float64]]) {
	if s := task.Head(own); s.Step < s.Steps {
		s.step(own, halos)
	}
})

// A setup is what Main creates for a tile: its block, which Main holds, the halos of the first step, and the place of
// its EDTs. Each worker has an equal number of neighbouring tiles, row by row, so few neighbours of a tile are on
// another worker.
type setup struct {
	block task.Block[tile]
	state *state
	halos [sides]task.Source[float64]
	at    edt.Affinity
}

func (c Config) place(tile int) place {
	return place{int32(tile / c.perSide()), int32(tile % c.perSide())}
}

// A builder makes and starts a graph. done triggers when the last step has ended; end frees the graph.
type builder func(c *edt.Ctx, cfg Config, tiles []setup) (done task.Event[task.Nothing], end func(*edt.Ctx))

// buildGraph links the tiles, and creates the first EDT of each.
func buildGraph(c *edt.Ctx, cfg Config, tiles []setup) (done task.Event[task.Nothing], end func(*edt.Ctx)) {
	left, done := task.NewLatch(c, int64(len(tiles))), task.Counted[task.Nothing](c, 1)
	done.Port().Connect(c, left.From())
	var channels []task.Event[float64]
	for k, t := range tiles {
		t.state.Done = left
		for side, other := range cfg.neighbours(k) {
			// A tile is at most one step ahead of its neighbour, so at most two halos are in the channel.
			to := task.Channel[float64](c, 2, t.at)
			t.state.Links[side].In, tiles[other].state.Links[opposite(side)].Out = to, to
			channels = append(channels, to)
		}
	}
	for _, t := range tiles {
		t.block.Release(c)
	}
	for k, t := range tiles {
		step.New(c, cfg.place(k), t.block.From(), t.halos[:], task.Opt{At: t.at})
	}
	return done, func(c *edt.Ctx) {
		for _, channel := range channels {
			channel.Destroy(c)
		}
	}
}

// recordGraph records a graph of two steps, and runs it.
func recordGraph(c *edt.Ctx, cfg Config, tiles []setup) (done task.Event[task.Nothing], end func(*edt.Ctx)) {
	g, done := task.NewGraph(c), task.Counted[task.Nothing](c, 1)
	first := make([]task.Node, len(tiles))
	for k, t := range tiles {
		t.block.Release(c)
		first[k] = recorded.Add(g, cfg.place(k), t.block.From(), t.halos[:])
		first[k].SetHint(edt.Hint{Affinity: t.at})
	}
	for k, t := range tiles {
		after := []task.Node{first[k]}
		for side, other := range cfg.neighbours(k) {
			after, t.halos[side] = append(after, first[other]), tiles[other].halos[opposite(side)]
		}
		second := recorded.Add(g, cfg.place(k), t.block.From(), t.halos[:])
		second.SetHint(edt.Hint{Affinity: t.at})
		second.After(after...)
	}
	g.Run(c, (cfg.Steps+1)/2, done)
	return done, g.Destroy
}
