package taskbench

import (
	"slices"
	"sync"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// Over ranks, each rank has graphs of its own: main makes them on rank 0, prepare on others. Templates of a run belong
// to one rank: so over ranks all tasks have one registered template, and find their graph by its number, a parameter.

// An overRanks is the part of a graph for runs over ranks.
type overRanks struct {
	perRank int // workers
	body    edt.Func
}

// A setup is what another rank makes a graph from.
type setup struct {
	Graph           Graph
	Place           int // in Placements
	Verify          bool
	Ended, Prepared guid.GUID // latches
}

// A name identifies a graph in this process, which may have several ranks.
type name struct{ number, rank int }

// known has the graphs of the latest run: name -> *graph. The graphs of the next run replace them, under the same
// names.
var known sync.Map

func (g *graph) enter(c *edt.Ctx) {
	g.ranks = &overRanks{c.Workers() / c.Ranks(), g.body()}
	known.Store(name{g.number, c.Worker() / g.ranks.perRank}, g)
}

// prepareRanks makes the graphs on all ranks, and then calls begin.
func (a *App) prepareRanks(c *edt.Ctx, graphs []*graph) {
	prepared := c.NewLatch(int64((c.Ranks() - 1) * len(graphs)))
	sources := []edt.Source{edt.From(prepared, datablock.Null)}
	var memory []*[]uint64
	for _, g := range graphs {
		g.enter(c)
		for _, tile := range g.makeTilesAway(c) {
			sources = append(sources, edt.From(g.blocks[tile], datablock.RW))
			memory = append(memory, &g.memory[tile])
		}
	}
	trial.When(c, "taskbench.begin", sources, func(c *edt.Ctx, in edt.Args) {
		for k, words := range memory {
			*words = datablock.Slice[uint64](in.Dep(1 + k))
		}
		a.begin(c, graphs)
	})
	for _, g := range graphs {
		for rank := 1; rank < c.Ranks(); rank++ {
			prepare.New(c, setup{
				g.Graph, slices.Index(Placements(), g.place), g.verify, g.ended, prepared,
			}, task.Opt{At: c.Bind(rank * g.ranks.perRank)})
		}
	}
}

// makeTilesAway creates, on the other ranks, the blocks of the tiles whose columns are there.
func (g *graph) makeTilesAway(c *edt.Ctx) (tiles []int) {
	for _, col := range g.living() {
		at := col.place
		if at != 0 && at.Worker() >= g.ranks.perRank && g.blocks[col.tile].IsNull() {
			g.blocks[col.tile] = c.NewBlockNear(wordBytes*g.tiles[col.tile], at)
			tiles = append(tiles, col.tile)
		}
	}
	return tiles
}

// prepare makes a graph on another rank.
var prepare = task.Define0("taskbench.prepare", func(c *edt.Ctx, s setup) {
	g := newGraph(c, s.Graph, Placements()[s.Place], s.Verify)
	g.ended = s.Ended
	g.enter(c)
	c.Satisfy(s.Prepared, guid.Null)
})

// The last parameter of a task over ranks: the number of its graph.
const paramGraph = numParams

var rankTask *edt.Template

func init() {
	rankTask = edt.NewTemplate("taskbench.task", numParams+1, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
		g, _ := known.Load(name{int(in.Param(paramGraph)), c.Worker() * c.Ranks() / c.Workers()})
		return g.(*graph).ranks.body(c, in)
	})
}

func (g *graph) newRankTask(c *edt.Ctx, col *column, t, slots int) guid.GUID {
	params := [...]uint64{uint64(t), uint64(col.number), uint64(g.number)}
	id, _ := c.Spawn(rankTask, &edt.Spec{Params: params[:], DepCount: slots, Hint: edt.Hint{Affinity: col.place}})
	return id
}
