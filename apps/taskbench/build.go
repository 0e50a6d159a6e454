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
// Concurrency: main makes it, or on other ranks a prepare EDT, and hands it to the tasks with the launch; from then on
// it is only read. What changes is in the columns' blocks, but for peers, of which each worker has its own.
type graph struct {
	*plan
	app    *App // nil on other ranks than 0
	place  Placement
	verify bool
	flaw   flaw
	ended  guid.GUID  // latch: columns, or recorded graphs, that have not ended
	ranks  *overRanks // nil if the run has one rank

	templates []*edt.Template // of tasks, by the number of slots; none over ranks
	places    []edt.Affinity  // of columns
	blocks    []guid.GUID     // of tiles
	memory    [][]uint64      // the blocks' words, as long as main holds them
	channels  [][]guid.GUID   // announced: by producer and place of its consumer
	peers     [][]guid.GUID   // by worker: EDTs that the task that it runs knows of, long enough for all edges
	recording
}

// newGraph makes a graph for this rank. The columns of a worker are a tile if only that worker runs their tasks, else
// each is one: tasks of several workers acquire the block, and wait less for a smaller one.
func newGraph(c *edt.Ctx, cfg Graph, window int, place Placement, verify bool) *graph {
	g := &graph{plan: newPlan(cfg, window), place: place, verify: verify}
	tiles := cfg.Width
	if place == PlaceBound {
		tiles = min(c.Places(), cfg.Width)
	}
	g.layOut(tiles)
	g.blocks, g.memory = make([]guid.GUID, tiles), make([][]uint64, tiles)
	g.places, g.channels = make([]edt.Affinity, cfg.Width), make([][]guid.GUID, cfg.Width)
	for range c.Workers() {
		g.peers = append(g.peers, trial.Own[guid.GUID](g.mostEdges()))
	}
	for i := range g.living() {
		switch worker := i * c.Places() / g.Width; place { // of those that have a processor of their own
		case PlaceBound:
			g.places[i] = c.Bind(worker)
		case PlaceStealable:
			g.places[i] = c.Place(worker)
		}
	}
	return g
}

// makeChannels makes the events between the columns.
func (g *graph) makeChannels(c *edt.Ctx) {
	for i, col := range g.living() {
		for range col.consumers {
			g.channels[i] = append(g.channels[i], c.NewChannel(edt.Unbounded))
		}
	}
}

// makeBlocks makes the blocks of the tiles, but for those that there are, and the templates.
func (g *graph) makeBlocks(c *edt.Ctx) {
	for tile, words := range g.tiles {
		if words == 0 {
			continue
		}
		if g.memory[tile] == nil {
			block, bytes := c.NewBlock(wordBytes * words)
			g.blocks[tile], g.memory[tile] = block, datablock.SliceOf[uint64](bytes)
		}
		// A task reads outputs of a tile while tasks of other columns of the tile write theirs, to other words of
		// the same page. What it reads is overwritten when it has ended: see the package comment.
		c.AllowUnordered(g.blocks[tile], edt.ReadsAndWrites)
	}
	for _, col := range g.living() {
		fillScratch(g.memory[col.tile][col.scratch:col.end])
		if g.ranks == nil {
			g.makeTemplates(c, col)
		}
	}
}

// makeTemplates makes a template for each number of slots that a column's tasks have.
func (g *graph) makeTemplates(c *edt.Ctx, col *column) {
	for _, set := range col.sets {
		for _, n := range []int{set.slots, set.slots + len(col.consumers)} {
			for len(g.templates) <= n {
				g.templates = append(g.templates, nil)
			}
			if g.templates[n] == nil {
				g.templates[n] = c.NewTemplate(fmt.Sprintf("taskbench.%v", g.Type), numParams, n, g.body())
			}
		}
	}
}

// create creates the EDT of (t,i). Slots without an input are satisfied at once; that of the column's own block stays
// open, so it cannot run.
func (g *graph) create(c *edt.Ctx, col *column, i, t int) guid.GUID {
	if g.flaw != nil {
		if id := g.flaw.create(g, c, t, i); !id.IsNull() {
			return id
		}
	}
	var id guid.GUID
	if slots := g.slots(col, t); g.ranks != nil {
		id = g.ranks.newTask(c, g.places[i], i, t, slots)
	} else {
		id = c.NewEDTAt(g.places[i], g.templates[slots], edt.Params(uint64(t), uint64(i)))
	}
	if !col.whole.has(t) {
		for _, in := range col.sets[g.setOf(t)].others() {
			if !in.has(t) {
				c.AddDependence(guid.Null, id, in.slot, datablock.Null)
			}
		}
	}
	if g.isTurn(t) {
		g.awaitAnnouncements(c, i, id, col.sets[g.setOf(t)].slots)
	}
	return id
}

// launch creates the EDTs of the first steps of every column, and starts the columns: from then on each task starts the
// next. A recorded graph has its nodes.
func (g *graph) launch(c *edt.Ctx) {
	first := make([][]guid.GUID, g.Width)
	for i, col := range g.living() {
		for t := col.first; t < col.first+g.ahead && t <= col.last; t++ {
			id := g.create(c, col, i, t)
			first[i] = append(first[i], id)
			putGUID(g.memory[col.tile], g.name(col, t), id)
		}
	}
	if g.links != recorded {
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
	switch g.links {
	case recorded:
		g.runRecorded(c)
		return
	case announced:
		for _, col := range g.living() {
			g.announceFirst(c, col)
		}
	}
	for i, col := range g.living() {
		c.AddDependence(g.blocks[col.tile], first[i][0], slotOwn, datablock.RW)
	}
}

// ends returns how many columns, or recorded graphs, end.
func (g *graph) ends() int {
	if g.links == recorded {
		return 1
	}
	n := 0
	for range g.living() {
		n++
	}
	return n
}

// introduce writes the first EDTs of a column's consumers to its block: those that it sends to before the first output
// or announcement of a consumer arrives.
func (g *graph) introduce(col *column, first [][]guid.GUID) {
	end := col.first + g.period - 1
	if g.links == announced {
		end = col.first | (g.half - 1)
	}
	for t := col.first; t <= min(end, col.last); t++ {
		for _, out := range col.sets[g.setOf(t+1)].out {
			if k := t + 1 - g.columns[out.column].first; k >= 0 && k < len(first[out.column]) {
				putGUID(g.memory[col.tile], out.peer+g.peerOf(t), first[out.column][k])
			}
		}
	}
}

// destroy destroys what is left of a graph when its columns have ended.
func (g *graph) destroy(c *edt.Ctx) {
	for _, block := range g.blocks {
		if !block.IsNull() {
			c.DestroyBlock(block)
		}
	}
	for _, channels := range g.channels {
		for _, channel := range channels {
			c.DestroyEvent(channel)
		}
	}
	g.destroyRecorded(c)
	for _, t := range g.templates {
		if t != nil {
			c.DestroyTemplate(t)
		}
	}
}
