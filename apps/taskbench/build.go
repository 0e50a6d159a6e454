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
// it is only read. What changes is in the columns' blocks, but for the lists of
// spare, of which each worker has its own.
type graph struct {
	*plan
	app    *App // nil on other ranks than 0
	place  Placement
	verify bool
	looks  bool // alone: tasks have something to verify
	more   bool // tasks have scratch memory or announcements to check
	flaw   flaw
	ended  guid.GUID  // latch: columns, or recorded graphs, that have not ended
	ranks  *overRanks // nil if the run has one rank

	templates []*edt.Template // of tasks, by the number of slots; none over ranks
	places    []edt.Affinity  // of columns
	blocks    []guid.GUID     // of tiles
	memory    [][]uint64      // the blocks' words, as long as main holds them
	starts    []guid.GUID     // first EDTs of columns
	steady    []steady        // by column, if there are steady tasks
	channels  [][]guid.GUID   // announced: by producer and place of its consumer
	spare     []spare
	recording
}

// A spare is lists that a worker's task fills while it runs, long enough for all.
type spare struct {
	targets []target
	peers   []guid.GUID
}

func newSpare(outputs int) spare {
	return spare{trial.Own[target](outputs), trial.Own[guid.GUID](outputs + 1)}
}

// A target is a slot that takes the output of a task.
type target struct {
	edt  guid.GUID
	slot int
	mode datablock.Mode
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
	g.blocks, g.memory = make([]guid.GUID, len(g.tiles)), make([][]uint64, len(g.tiles))
	g.more = cfg.Scratch != 0 || g.links == announced
	g.looks = g.verify && (cfg.Type != Trivial || cfg.Scratch != 0)
	g.places, g.channels = make([]edt.Affinity, cfg.Width), make([][]guid.GUID, cfg.Width)
	g.spare = make([]spare, c.Workers())
	for k := range g.spare {
		g.spare[k] = newSpare(g.mostOutputs())
	}
	for i := range g.living() {
		g.places[i] = placeOf(c, place, i, g.Width)
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
	g.starts = make([]guid.GUID, g.Width)
	for tile, words := range g.tiles {
		if words > 0 && g.memory[tile] == nil {
			block, bytes := c.NewBlock(wordBytes * words)
			g.blocks[tile], g.memory[tile] = block, datablock.SliceOf[uint64](bytes)
		}
		if words > 0 {
			// A task reads outputs of a tile while tasks of other columns of the tile write theirs, to other words of
			// the same page. What it reads is overwritten when it has ended: see the package comment.
			c.AllowUnordered(g.blocks[tile], edt.ReadsAndWrites)
		}
	}
	for _, col := range g.living() {
		fillScratch(g.memory[col.tile][col.scratchAt:col.end])
		g.makeTemplates(c, col)
	}
	g.makeSteady()
}

// placeOf returns where the EDTs of a column run, over the workers that have a processor of their own.
func placeOf(c *edt.Ctx, p Placement, i, width int) edt.Affinity {
	worker := i * c.Places() / width
	switch p {
	case PlaceBound:
		return c.Bind(worker)
	case PlaceStealable:
		return c.Place(worker)
	default:
		return edt.Affinity(0)
	}
}

// makeTemplates makes a template for each number of slots that a column's tasks have.
func (g *graph) makeTemplates(c *edt.Ctx, col *column) {
	if g.ranks != nil {
		return
	}
	for _, slots := range col.slots {
		for _, n := range []int{slots, slots + len(col.consumers)} {
			for len(g.templates) <= n {
				g.templates = append(g.templates, nil)
			}
			if g.templates[n] == nil {
				g.templates[n] = c.NewTemplate(fmt.Sprintf("taskbench.%v", g.Type), numParams, n, g.body())
			}
		}
	}
}

func (g *graph) body() edt.Func {
	switch {
	case g.links == alone:
		return g.taskAlone
	case g.links == recorded:
		return g.recordedTask
	case g.hasSteady():
		return g.steadyTask()
	}
	return g.task
}

// createFirst creates the EDTs of the first steps of every column. With columns that stand alone each task goes on as
// the next; a recorded graph has its nodes.
func (g *graph) createFirst(c *edt.Ctx) {
	if g.links == alone || g.links == recorded {
		return
	}
	first := make([][]guid.GUID, g.Width)
	for i := range g.columns {
		col := &g.columns[i]
		for t := col.first; t <= min(col.first+g.ahead-1, col.last); t++ {
			id := g.create(c, i, t)
			first[i] = append(first[i], id)
			putGUID(g.memory[col.tile], g.name(col, t), id)
		}
		if col.lives() {
			g.starts[i] = first[i][0]
		}
	}
	for i := range g.columns {
		g.introduce(&g.columns[i], first)
	}
}

// introduce writes the first EDTs of a column's consumers to its block: those that it sends to before the first output
// or announcement of a consumer arrives.
func (g *graph) introduce(col *column, first [][]guid.GUID) {
	end := col.first + g.period - 1
	if g.links == announced {
		end = col.first | (g.half - 1)
	}
	for t := col.first; t <= min(end, col.last); t++ {
		set := g.setOf(t + 1)
		for n, out := range col.outputs[set] {
			k := t + 1 - g.columns[out.to].first
			if k >= 0 && k < len(first[out.to]) {
				putGUID(g.memory[col.tile], int(col.gives[set][n].peer)+guidWords*(t&g.peerMask), first[out.to][k])
			}
		}
	}
}

// launch starts the columns.
func (g *graph) launch(c *edt.Ctx) {
	for tile := range g.blocks {
		if g.memory[tile] != nil {
			g.memory[tile] = nil
			c.Release(g.blocks[tile])
		}
	}
	if g.links == recorded {
		g.runRecorded(c)
		return
	}
	if g.links == announced {
		for i := range g.columns {
			g.announceFirst(c, &g.columns[i])
		}
	}
	for i := range g.columns {
		if g.columns[i].lives() {
			g.start(c, i)
		}
	}
}

// start starts a column: from then on each task starts the next.
func (g *graph) start(c *edt.Ctx, i int) {
	block := g.blocks[g.columns[i].tile]
	if g.links == alone {
		id := g.newTask(c, i, g.columns[i].first, firstInput)
		c.AddDependence(block, id, slotOwn, datablock.RW)
		return
	}
	c.AddDependence(block, g.starts[i], slotOwn, datablock.RW)
}

// newTask creates the EDT of (t,i), with its number of open slots.
func (g *graph) newTask(c *edt.Ctx, i, t, slots int) guid.GUID {
	if g.ranks != nil {
		return g.ranks.newTask(c, g.places[i], i, t, slots)
	}
	return c.NewEDTAt(g.places[i], g.templates[slots], edt.Params(uint64(t), uint64(i)))
}
