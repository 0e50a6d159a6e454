package overhead

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
)

func wavefrontRows() []*Row {
	const name, what = "wavefront/", "a cell of a grid of n x n, which waits for the one above and the one to the left"
	return []*Row{
		wavefrontRow(name+"n=100", what+" by an event each; built and run", builtEach, wavefront{n: 100},
			(*wavefront).made),
		wavefrontRow(name+"recorded/n=100", what+", a node of a graph that is recorded once and run again", builtOnce,
			wavefront{n: 100}, (*wavefront).recorded),
		wavefrontRow(name+"recorded/n=500", "the same of 500 x 500", builtOnce, wavefront{n: 500}, (*wavefront).recorded),
		wavefrontRow(name+"recorded-each/n=100", "the same of 100 x 100, and the graph is recorded, run once and destroyed",
			builtEach, wavefront{n: 100, each: true}, (*wavefront).recorded),
	}
}

// A wavefront is a grid of n x n cells, each the sum of the cell above and the cell to the left. A cell is an EDT that
// waits for the events of these two, or a node of a recorded graph. The first cell grows by one from grid to grid, so
// the last cell is wrong if a cell was not computed, or too early.
type wavefront struct {
	n     int
	each  bool // each round records the graph anew
	cells []uint32
	last  uint32        // the last cell of the grid before
	ends  *edt.Template // of the EDT after the last cell
}

func wavefrontRow(name, what, does string, of wavefront, open func(w *wavefront, c *edt.Ctx) func(*edt.Ctx)) *Row {
	n := of.n
	corner := uint64(cornerOf(n))
	programs := gridPrograms("wavefront")
	if n <= 100 { // StarPU has a handle for each cell, and takes microseconds for each
		programs = append(programs, program{"starpu", peers.StarPU, "wavefront", builtEach})
	}
	return row(name, what, work{ops: n * n, alone: true, open: func(c *edt.Ctx, l *lane) func(*edt.Ctx) {
		w := &wavefront{n: n, each: of.each, cells: make([]uint32, n*n)}
		w.ends = template(c, "overhead.wave-ends", 1, func(c *edt.Ctx) {
			last := w.cells[len(w.cells)-1]
			expect("growth of the last cell", corner, uint64(last-w.last))
			w.last = last
			l.end(c)
		})
		return open(w, c)
	}}.as(does), ask(n*n, corner, []int{n}, programs...))
}

// cornerOf returns the last cell of a wavefront of n x n whose first cell is 1. It computes row by row.
func cornerOf(n int) uint32 {
	row := make([]uint32, n)
	row[0] = 1
	for range n {
		for j := 1; j < n; j++ {
			row[j] += row[j-1]
		}
	}
	return row[n-1]
}

// sum computes cell k.
func (w *wavefront) sum(k int) {
	sum := uint32(0)
	if k >= w.n {
		sum = w.cells[k-w.n]
	}
	if k%w.n > 0 {
		sum += w.cells[k-1]
	}
	if k == 0 {
		sum = w.cells[0] + 1
	}
	w.cells[k] = sum
}

// made returns rounds that create a grid. Its first cell can run when all others exist.
func (w *wavefront) made(c *edt.Ctx) func(*edt.Ctx) {
	cell := c.NewTemplate("overhead.wave-cell", 3, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w.sum(int(in.Param(0)))
		c.Satisfy(guid.FromWords(in.Param(1), in.Param(2)), guid.Null)
		return guid.Null
	})
	events := make([]guid.GUID, w.n*w.n)
	place := func(c *edt.Ctx, k int, up, left edt.Source) guid.GUID {
		hi, lo := events[k].Words()
		return c.NewEDT(cell, edt.Params(uint64(k), hi, lo), up, left)
	}
	return func(c *edt.Ctx) {
		for k := range events {
			events[k] = c.NewEvent(edt.Once)
		}
		c.NewEDT(w.ends, nil, edt.From(events[len(events)-1], datablock.Null))
		none := edt.From(guid.Null, datablock.Null)
		first := place(c, 0, edt.Open, none)
		for k := 1; k < len(events); k++ {
			up, left := none, none
			if k >= w.n {
				up = edt.From(events[k-w.n], datablock.Null)
			}
			if k%w.n > 0 {
				left = edt.From(events[k-1], datablock.Null)
			}
			place(c, k, up, left)
		}
		c.AddDependence(guid.Null, first, 0, datablock.Null)
	}
}

// recorded returns rounds that run a recorded grid.
func (w *wavefront) recorded(c *edt.Ctx) func(*edt.Ctx) {
	cell := c.NewTemplate("overhead.recorded-cell", 1, 0, func(_ *edt.Ctx, in edt.Args) guid.GUID {
		w.sum(int(in.Param(0)))
		return guid.Null
	})
	var grid *edt.Recording
	return func(c *edt.Ctx) {
		if w.each && grid != nil {
			grid.Destroy(c)
			grid = nil
		}
		if grid == nil {
			grid = w.record(c, cell)
		}
		done := c.NewEvent(edt.Once)
		c.NewEDT(w.ends, nil, edt.From(done, datablock.Null))
		grid.Run(c, 1, done)
	}
}

func (w *wavefront) record(c *edt.Ctx, cell *edt.Template) *edt.Recording {
	grid, nodes := c.NewRecording(), make([]edt.Node, w.n*w.n)
	for k := range nodes {
		nodes[k] = grid.Add(cell, edt.Params(uint64(k)))
		if k >= w.n {
			nodes[k].After(nodes[k-w.n])
		}
		if k%w.n > 0 {
			nodes[k].After(nodes[k-1])
		}
	}
	return grid
}
