package taskbench

import (
	"slices"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// Over ranks, each rank has graphs of its own, made first by an EDT that gets the setup in a block from rank 0.
// Templates of a run belong to one rank: over ranks all tasks have one registered template, and find their graph by a
// number, which is a parameter.

// An overRanks is the part of a graph for runs over ranks.
type overRanks struct {
	numbers []int     // of the graph, by rank; on other ranks than 0, their own alone
	perRank int       // workers
	failed  guid.GUID // idempotent: brings the error of a task on another rank

	// Of rank 0, in the first graph:
	graphs []*graph
}

// A setup is the parameters of a graph. In its block the channels follow, column by column.
type setup struct {
	Graph         Graph
	Window        int
	Place         int // in placements
	Verify        bool
	Ended, Failed guid.GUID
}

type setupBlock = task.Headed[setup, guid.GUID]

// graphs of this process that have a number.
var (
	known  sync.Map // int -> *graph
	latest atomic.Int64
)

// enter gives a graph of this rank a number.
func (g *graph) enter(failed guid.GUID, perRank int) int {
	number := int(latest.Add(1))
	g.ranks = &overRanks{numbers: []int{number}, perRank: perRank, failed: failed}
	known.Store(number, g)
	return number
}

func graphOf(number int) *graph {
	g, _ := known.Load(number)
	return g.(*graph)
}

// prepareRanks makes the graphs on all ranks, and then begins.
func (a *App) prepareRanks(c *edt.Ctx, graphs []*graph, began int64) {
	failed := c.NewEvent(edt.Idempotent)
	report := c.NewTemplate("taskbench.failure", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if in.Dep(0).GUID().IsNull() { // all went well
			return guid.Null
		}
		var wrong trial.VerifyError
		if err := wrong.UnmarshalText(in.Dep(0).Bytes()); err != nil {
			panic(err)
		}
		a.failure.CompareAndSwap(nil, &wrong)
		c.Shutdown()
		return guid.Null
	})
	c.NewEDT(report, nil, edt.From(failed, datablock.RO))
	c.DestroyTemplate(report)
	var prepared []task.Event[int]
	var tiles []awayTile
	begin := c.NewTemplate("taskbench.begin", 0, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
		for k, t := range tiles {
			t.g.memory[t.tile] = datablock.Slice[uint64](in.Dep(len(prepared) + k))
		}
		for k := range prepared {
			number := task.SlotOf[task.RO[int]](in, k)
			r := graphs[k%len(graphs)].ranks
			r.numbers = append(r.numbers, number.At(0))
			number.Destroy(c)
		}
		a.begin(c, graphs, began)
		return guid.Null
	})
	perRank := c.Workers() / c.Ranks()
	for _, g := range graphs {
		g.enter(failed, perRank)
	}
	graphs[0].ranks.graphs = graphs
	var sources []edt.Source
	for range (c.Ranks() - 1) * len(graphs) {
		to := task.Once[int](c)
		prepared, sources = append(prepared, to), append(sources, edt.From(to.GUID, datablock.RO))
	}
	for _, g := range graphs {
		tiles = append(tiles, g.makeTilesAway(c)...)
	}
	for _, t := range tiles {
		sources = append(sources, edt.From(t.g.blocks[t.tile], datablock.RW))
	}
	c.Spawn(begin, &edt.Spec{Deps: sources})
	c.DestroyTemplate(begin)
	for k, to := range prepared {
		rank, g := 1+k/len(graphs), graphs[k%len(graphs)]
		prepare.NewAt(c, c.Bind(rank*perRank), to, a.setup(c, g, failed).From())
	}
}

// An awayTile is a tile whose columns are on another rank, as its block is then.
type awayTile struct {
	g    *graph
	tile int
}

// makeTilesAway makes the blocks of these tiles.
func (g *graph) makeTilesAway(c *edt.Ctx) (all []awayTile) {
	for i, col := range g.living() {
		at := g.places[i]
		if at == 0 || at.Worker() < g.ranks.perRank || !g.blocks[col.tile].IsNull() {
			continue
		}
		g.blocks[col.tile] = c.NewBlockNear(wordBytes*g.tiles[col.tile], at)
		all = append(all, awayTile{g, col.tile})
	}
	return all
}

// setup makes a block of what another rank makes the graph from.
func (a *App) setup(c *edt.Ctx, g *graph, failed guid.GUID) task.Block[setupBlock] {
	channels := slices.Concat(g.channels...)
	block, head, rest := task.MakeHeaded[setup, guid.GUID](c, len(channels))
	*head = setup{g.Graph, a.cfg.Window, slices.Index(placements, g.place), g.verify, g.ended, failed}
	copy(rest, channels)
	block.Release(c)
	return block
}

// prepare makes a graph on another rank, and sends its number.
var prepare = task.Define1("taskbench.prepare", func(c *edt.Ctx, to task.Event[int], from task.RO[setupBlock]) {
	s, channels := task.Head(from), task.Rest(from)
	g := newGraph(c, s.Graph, s.Window, placements[s.Place], s.Verify)
	g.ended, g.flaw = s.Ended, flawElsewhere
	for i, col := range g.living() {
		n := len(col.consumers)
		g.channels[i], channels = slices.Clone(channels[:n]), channels[n:]
	}
	number := g.enter(s.Failed, c.Workers()/c.Ranks())
	from.Destroy(c)
	block, n := task.Make[int](c, 1)
	n[0] = number
	to.Send(c, block)
})

// flawElsewhere is the flaw of graphs on other ranks.
var flawElsewhere flaw

// The last parameter of a task over ranks: the number of its graph.
const paramGraph = numParams

var rankTask *edt.Template

func init() {
	rankTask = edt.NewTemplate("taskbench.task", numParams+1, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
		g := graphOf(int(in.Param(paramGraph)))
		if g.links == alone {
			return g.taskAlone(c, in)
		}
		return g.task(c, in)
	})
}

// newTask is [graph.newTask] over ranks.
func (r *overRanks) newTask(c *edt.Ctx, at edt.Affinity, i, t, slots int) guid.GUID {
	number := r.numbers[0]
	if rank := at.Worker() / r.perRank; len(r.numbers) > 1 && at.Worker() >= 0 {
		number = r.numbers[rank]
	}
	params := [...]uint64{uint64(t), uint64(i), uint64(number)}
	id, _ := c.Spawn(rankTask, &edt.Spec{Params: params[:], DepCount: slots, Hint: edt.Hint{Affinity: at}})
	return id
}

// report sends the error of a task to rank 0.
func (r *overRanks) report(c *edt.Ctx, wrong *trial.VerifyError) {
	text, _ := wrong.MarshalText()
	block, bytes := c.NewBlock(len(text))
	copy(bytes, text)
	c.Release(block)
	c.Satisfy(r.failed, block)
}

// forget makes all ranks forget their graphs, at the end.
func (r *overRanks) forget(c *edt.Ctx) {
	c.Satisfy(r.failed, guid.Null)
	c.DestroyEvent(r.failed)
	for _, g := range r.graphs {
		for rank, number := range g.ranks.numbers {
			forget.NewAt(c, c.Bind(rank*r.perRank), number)
		}
	}
}

var forget = task.Define0("taskbench.forget", func(_ *edt.Ctx, number int) { known.Delete(number) })
