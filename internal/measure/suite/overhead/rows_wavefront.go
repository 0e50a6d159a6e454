package overhead

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/peers"
)

// wavefront is a grid of n x n cells, each the sum of the one above and the one to the left: an EDT for each cell, that
// waits for the events of those two, or a node of a recorded graph. The first cell grows by one from grid to grid, so a
// cell that was not computed, or too early, shows in the last.
type wavefront struct {
	n          int
	corner     uint32 // by how much the last cell grows
	cells      []uint32
	last       uint32 // the last cell of the grid before
	events     []guid.GUID
	cell, ends *edt.Template
	recorded   *edt.Recording
}

func wavefrontRows() []*Row {
	const name, what = "wavefront/", "a cell of a grid of n x n, which waits for the one above and the one to the left"
	return []*Row{
		wavefrontRow(name+"n=100", what+" by an event each; built and run", 100, builtEach,
			(*wavefront).open, (*wavefront).build),
		wavefrontRow(name+"recorded/n=100", what+", a node of a graph that is recorded once and run again", 100, builtOnce,
			(*wavefront).openRecorded, (*wavefront).replay),
		wavefrontRow(name+"recorded/n=500", "the same of 500 x 500", 500, builtOnce,
			(*wavefront).openRecorded, (*wavefront).replay),
		wavefrontRow(name+"recorded-each/n=100", "the same of 100 x 100, and the graph is recorded, run once and destroyed",
			100, builtEach, (*wavefront).openRecorder, (*wavefront).replayOnce),
	}
}

func wavefrontRow(name, what string, n int, does string, open func(*wavefront, *edt.Ctx),
	build func(w *wavefront, c *edt.Ctx, end guid.GUID)) *Row {
	w := &wavefront{n: n, corner: cornerOf(n)}
	programs := gridPrograms("wavefront")
	if n <= 100 { // StarPU has a handle for each cell, and takes microseconds for each
		programs = append(programs, program{"starpu", peers.StarPU, "wavefront", builtEach})
	}
	return graph{
		parts: n * n,
		open:  func(c *edt.Ctx, _ *lanes) { open(w, c) },
		build: func(c *edt.Ctx, _ *lane, end guid.GUID) { build(w, c, end) },
	}.row(name, what, does, ask(n*n, uint64(w.corner), []int{n}, programs...)...)
}

// cornerOf returns the last cell of a wavefront of n x n whose first is 1: it is computed by rows.
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

func (w *wavefront) open(c *edt.Ctx) {
	w.cells, w.events, w.last = make([]uint32, w.n*w.n), make([]guid.GUID, w.n*w.n), 0
	w.cell = c.NewTemplate("overhead.wave-cell", 3, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w.sum(int(in.Param(0)))
		c.Satisfy(guid.FromWords(in.Param(1), in.Param(2)), guid.Null)
		return guid.Null
	})
	w.ends = c.NewTemplate("overhead.wave-ends", 2, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		last := w.cells[len(w.cells)-1]
		expect("growth of the last cell", uint64(w.corner), uint64(last-w.last))
		w.last = last
		signal(c, guid.FromWords(in.Param(0), in.Param(1)))
		return guid.Null
	})
}

// build makes a grid. Its first cell can run once all others are there.
func (w *wavefront) build(c *edt.Ctx, end guid.GUID) {
	for k := range w.events {
		w.events[k] = c.NewEvent(edt.Once)
	}
	hi, lo := end.Words()
	c.NewEDT(w.ends, edt.Params(hi, lo), edt.From(w.events[len(w.events)-1], datablock.Null))
	none := edt.From(guid.Null, datablock.Null)
	first := w.place(c, 0, edt.Open, none)
	for k := 1; k < len(w.events); k++ {
		up, left := none, none
		if k >= w.n {
			up = edt.From(w.events[k-w.n], datablock.Null)
		}
		if k%w.n > 0 {
			left = edt.From(w.events[k-1], datablock.Null)
		}
		w.place(c, k, up, left)
	}
	signal(c, first)
}

// place makes the EDT of a cell.
func (w *wavefront) place(c *edt.Ctx, k int, up, left edt.Source) guid.GUID {
	hi, lo := w.events[k].Words()
	return c.NewEDT(w.cell, edt.Params(uint64(k), hi, lo), up, left)
}

func (w *wavefront) openRecorder(c *edt.Ctx) {
	w.open(c)
	w.recorded = nil // that of the run before has gone with it
	w.cell = c.NewTemplate("overhead.recorded-cell", 1, 0, func(_ *edt.Ctx, in edt.Args) guid.GUID {
		w.sum(int(in.Param(0)))
		return guid.Null
	})
}

func (w *wavefront) openRecorded(c *edt.Ctx) {
	w.openRecorder(c)
	w.record(c)
}

// record records a grid.
func (w *wavefront) record(c *edt.Ctx) {
	w.recorded = c.NewRecording()
	nodes := make([]edt.Node, w.n*w.n)
	for k := range nodes {
		nodes[k] = w.recorded.Add(w.cell, edt.Params(uint64(k)))
		if k >= w.n {
			nodes[k].After(nodes[k-w.n])
		}
		if k%w.n > 0 {
			nodes[k].After(nodes[k-1])
		}
	}
}

// replay runs the recorded grid.
func (w *wavefront) replay(c *edt.Ctx, end guid.GUID) {
	done := c.NewEvent(edt.Once)
	hi, lo := end.Words()
	c.NewEDT(w.ends, edt.Params(hi, lo), edt.From(done, datablock.Null))
	w.recorded.Run(c, 1, done)
}

// replayOnce records a grid and runs it.
func (w *wavefront) replayOnce(c *edt.Ctx, end guid.GUID) {
	if w.recorded != nil {
		w.recorded.Destroy(c)
	}
	w.record(c)
	w.replay(c, end)
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
