package overhead

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
)

const gridLen = 100

func wavefrontRows() []*Row {
	oracle := make(wavefront, gridLen*gridLen)
	for k := range oracle {
		oracle.sum(k)
	}
	others := gridPrograms("wavefront", program("starpu", peers.StarPU, "wavefront", builtEach))
	grid := func(name, what, does string, open func(w wavefront, c *edt.Ctx, ends *edt.Template) func(*edt.Ctx)) *Row {
		own := work{ops: len(oracle), alone: true, open: func(c *edt.Ctx, l *lane) func(*edt.Ctx) {
			w, before := make(wavefront, gridLen*gridLen), uint32(0)
			return open(w, c, template(c, "overhead.wave-ends", 1, func(c *edt.Ctx) {
				expect("growth of the last cell", uint64(oracle.corner()), uint64(w.corner()-before))
				before = w.corner()
				l.end(c)
			}))
		}}
		return row("wavefront/"+name+"n=100", what, own.as(does)).programs(
			len(oracle), uint64(oracle.corner()), []int{gridLen}, others...)
	}
	const what = "a cell of a grid of 100 x 100, which waits for the one above and the one to the left"
	return []*Row{
		grid("", what+" by an event each; built and run", builtEach, wavefront.made),
		grid("recorded/", what+", a node of a graph that is recorded once and run again", builtOnce, recorded(false)),
		grid("recorded-each/", "the same, and the graph is recorded, run once and destroyed", builtEach, recorded(true)),
	}
}

// A wavefront is a grid of cells, each the sum of the cell above and the cell to the left. A cell is an EDT that waits
// for the events of these two, or a node of a recorded graph. The first cell grows by one from grid to grid, so the
// last cell is wrong if a cell was not computed, or too early.
type wavefront []uint32

func (w wavefront) corner() uint32 { return w[len(w)-1] }

func (w wavefront) sum(k int) {
	sum := uint32(0)
	if k >= gridLen {
		sum = w[k-gridLen]
	}
	if k%gridLen > 0 {
		sum += w[k-1]
	}
	if k == 0 {
		sum = w[0] + 1
	}
	w[k] = sum
}

// made returns a function that begins a round: it creates a grid, and an EDT of the given template, which runs after
// the last cell. The first cell becomes ready when all others exist.
func (w wavefront) made(c *edt.Ctx, ends *edt.Template) func(*edt.Ctx) {
	cell := c.NewTemplate("overhead.wave-cell", 3, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w.sum(int(in.Param(0)))
		c.Satisfy(guid.FromWords(in.Param(1), in.Param(2)), guid.Null)
		return guid.Null
	})
	events := make([]guid.GUID, len(w))
	return func(c *edt.Ctx) {
		for k := range events {
			events[k] = c.NewEvent(edt.Once)
		}
		c.NewEDT(ends, nil, edt.From(events[len(events)-1], datablock.Null))
		start := c.NewEvent(edt.Once)
		for k := range events {
			up, left := guid.Null, guid.Null
			if k >= gridLen {
				up = events[k-gridLen]
			}
			if k%gridLen > 0 {
				left = events[k-1]
			}
			if k == 0 {
				up = start
			}
			hi, lo := events[k].Words()
			c.NewEDT(cell, edt.Params(uint64(k), hi, lo), edt.From(up, datablock.Null), edt.From(left, datablock.Null))
		}
		c.Satisfy(start, guid.Null)
	}
}

// recorded returns a function like made. Its rounds run a recorded grid, and then an EDT of the given template. If the
// argument each is true, every round records the grid anew.
func recorded(each bool) func(w wavefront, c *edt.Ctx, ends *edt.Template) func(*edt.Ctx) {
	return func(w wavefront, c *edt.Ctx, ends *edt.Template) func(*edt.Ctx) {
		cell := c.NewTemplate("overhead.recorded-cell", 1, 0, func(_ *edt.Ctx, in edt.Args) guid.GUID {
			w.sum(int(in.Param(0)))
			return guid.Null
		})
		var grid *edt.Recording
		return func(c *edt.Ctx) {
			if each && grid != nil {
				grid.Destroy(c)
				grid = nil
			}
			if grid == nil {
				grid = record(c, cell)
			}
			done := c.NewEvent(edt.Once)
			c.NewEDT(ends, nil, edt.From(done, datablock.Null))
			grid.Run(c, 1, done)
		}
	}
}

// record records a grid of EDTs, whose parameter is the number of the cell.
func record(c *edt.Ctx, cell *edt.Template) *edt.Recording {
	grid, nodes := c.NewRecording(), make([]edt.Node, gridLen*gridLen)
	for k := range nodes {
		nodes[k] = grid.Add(cell, edt.Params(uint64(k)))
		if k >= gridLen {
			nodes[k].After(nodes[k-gridLen])
		}
		if k%gridLen > 0 {
			nodes[k].After(nodes[k-1])
		}
	}
	return grid
}
