package taskbench

import (
	"fmt"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A graph is one graph of a run.
//
// Concurrency: main, or on other ranks a prepare EDT, makes it, and the launch passes it to the tasks, which only read
// it. Data that change are in the columns' blocks, except peers: each worker has its own.
type graph struct {
	plan
	place  Placement
	verify bool
	ended  guid.GUID  // latch: columns, or recorded graphs, that have not ended
	ranks  *overRanks // nil if the run has one rank

	templates []*edt.Template // of tasks, by the number of slots; none over ranks
	blocks    []guid.GUID     // of tiles
	memory    [][]uint64      // the blocks' words, as long as main, or begin, holds them
	peers     [][]guid.GUID   // by worker: EDTs that the running task knows, with room for all links
	recording
}

// newGraph makes a graph for this rank. The columns of a worker are one tile if only that worker runs their tasks. Else
// each column is a tile: tasks on several workers acquire the block, and wait less for a smaller one.
func newGraph(c *edt.Ctx, cfg Graph, place Placement, verify bool) *graph {
	g := &graph{plan: *newPlan(cfg), place: place, verify: verify}
	tiles := cfg.Width
	if place == PlaceBound {
		tiles = min(c.Places(), cfg.Width)
	}
	g.layOut(tiles)
	g.blocks, g.memory = make([]guid.GUID, tiles), make([][]uint64, tiles)
	g.templates = make([]*edt.Template, g.most+1)
	for range c.Workers() {
		g.peers = append(g.peers, trial.Own[guid.GUID](g.most))
	}
	for i, col := range g.living() {
		switch worker := i * c.Places() / g.Width; place { // one of those with a processor of their own
		case PlaceBound:
			col.place = c.Bind(worker)
		case PlaceStealable:
			col.place = c.Place(worker)
		}
	}
	return g
}

// make creates the blocks of the tiles that have none, the templates, and the recorded graph.
func (g *graph) make(c *edt.Ctx) {
	for tile, words := range g.tiles {
		if words == 0 {
			continue
		}
		if g.memory[tile] == nil {
			block, bytes := c.NewBlock(wordBytes * words)
			g.blocks[tile], g.memory[tile] = block, datablock.SliceOf[uint64](bytes)
		}
		// A task reads outputs of a tile while tasks of other columns of the tile write theirs, to other words of the page.
		// No task overwrites what it reads before it has ended: see the package comment.
		c.AllowUnordered(g.blocks[tile], edt.ReadsAndWrites)
	}
	for _, col := range g.living() {
		fillScratch(col.scratchIn(g.memory[col.tile]))
		for _, links := range col.sets {
			if n := len(links); g.ranks == nil && g.templates[n] == nil {
				g.templates[n] = c.NewTemplate(fmt.Sprintf("taskbench.%v", g.Type), numParams, n, g.body())
			}
		}
	}
	if g.recorded {
		g.record(c)
	}
}

// create creates the EDT of (t,i), with this many slots. Slots without an input are satisfied at once; the slot of the
// column's own block stays open, so the EDT cannot run yet.
func (g *graph) create(c *edt.Ctx, col *column, t, slots int) guid.GUID {
	var id guid.GUID
	if g.ranks != nil {
		id = g.newRankTask(c, col, t, slots)
	} else {
		id = c.NewEDTAt(col.place, g.templates[slots], edt.Params(uint64(t), uint64(col.number)))
	}
	if !col.whole.has(t) {
		for slot, from := range g.links(col, t) {
			if slot != slotOwn && !from.has(t-1) {
				c.AddDependence(guid.Null, id, slot, datablock.Null)
			}
		}
	}
	return id
}

// launch creates the EDTs of the first steps of every column, and starts the columns: from then on each task starts its
// column's next one. A recorded graph has nodes instead of these EDTs, and launch runs it.
func (g *graph) launch(c *edt.Ctx) {
	first := make([][]guid.GUID, g.Width)
	if !g.recorded {
		for i, col := range g.living() {
			for t := col.first; t < col.first+g.ahead && t <= col.last; t++ {
				first[i] = append(first[i], g.create(c, col, t, len(g.links(col, t))))
			}
		}
		for _, col := range g.living() {
			g.introduce(col, first)
		}
	}
	for tile := range g.blocks {
		if g.memory[tile] != nil {
			g.memory[tile] = nil
			c.Release(g.blocks[tile])
		}
	}
	if g.recorded {
		g.runRecorded(c)
		return
	}
	for i, col := range g.living() {
		c.AddDependence(g.blocks[col.tile], first[i][0], slotOwn, datablock.RW)
	}
}

// introduce writes to a column's block the GUIDs of the first EDTs that take its output.
func (g *graph) introduce(col *column, first [][]guid.GUID) {
	for set := range col.sets {
		for _, to := range col.sets[set] {
			ids, begins := first[to.column], to.first
			for k := (set - g.setOf(begins) + g.period) % g.period; k < len(ids); k += g.period {
				if t := begins + k - 1; t >= col.first {
					putGUID(g.memory[col.tile], to.peer+g.turn(t), ids[k])
				}
			}
		}
	}
}

// ends returns the number of columns, or of recorded graphs, whose ends the latch counts.
func (g *graph) ends() (n int) {
	if g.recorded {
		return 1
	}
	for range g.living() {
		n++
	}
	return n
}

// destroy destroys the remaining objects of a graph when its columns have ended.
func (g *graph) destroy(c *edt.Ctx) {
	for _, block := range g.blocks {
		if !block.IsNull() {
			c.DestroyBlock(block)
		}
	}
	for _, r := range []*edt.Recording{g.first, g.again} {
		if r != nil {
			r.Destroy(c)
		}
	}
	for _, t := range g.templates {
		if t != nil {
			c.DestroyTemplate(t)
		}
	}
}
