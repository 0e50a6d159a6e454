package uts

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A tally is what the EDTs on one worker have counted, and the name of the block that the worker counts in.
type tally struct {
	Counts
	Own task.Block[tallies]
	_   [24]byte // a tally is a cache line of its own
}

// tallies are the tallies of all workers, behind the tree. A block for each worker: an EDT gets that of
// its creator's, and counts in its own worker's tally there; in other blocks than a worker's own only if it was
// stolen. So workers count without waiting for each other, or for a cache line.
type tallies = task.Headed[Tree, tally]

// Main returns the main EDT. It makes the blocks that are counted in, and a finish EDT for the search.
func (a *App) Main() edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.Begin()
		blocks := makeTallies(c, a.cfg.tree())
		var sources []task.Source[tallies]
		for _, b := range blocks {
			sources = append(sources, b.From())
		}

		// Once events are gone with what they bring: all that waits for one is there before.
		searched, result := task.Once[task.Nothing](c), task.Once[Counts](c)
		deliver := c.NewTemplate("uts.deliver", 0, 1, a.deliver)
		c.NewEDT(deliver, nil, edt.From(result.GUID, datablock.RO))
		c.DestroyTemplate(deliver)
		collect.New(c, result, searched.From(), sources, nil)
		visit.NewWith(c, task.Opt{Output: searched, Finish: true}, root(a.cfg.Seed), blocks[c.Worker()].From())
		return guid.Null
	}
}

// makeTallies makes a block for each worker.
func makeTallies(c *edt.Ctx, tree Tree) []task.Block[tallies] {
	blocks := make([]task.Block[tallies], c.Workers())
	lists := make([][]tally, len(blocks))
	for w := range blocks {
		var head *Tree
		blocks[w], head, lists[w] = task.MakeHeaded[Tree, tally](c, len(blocks))
		*head = tree
	}
	for w, list := range lists {
		for v := range list {
			list[v].Own = blocks[v]
		}
		c.Synchronised(blocks[w].GUID) // each worker has its tally
		blocks[w].Release(c)
	}
	return blocks
}

// visit counts a node, and makes an EDT for each of its children; at the cut-off it walks the subtree.
var visit = task.Declare1[Node, task.RW[tallies]]("uts.visit")

var _ = visit.Body(func(c *edt.Ctx, n Node, t task.RW[tallies]) {
	tree, mine := task.Head(t), &task.Rest(t)[c.Worker()]
	if n.Depth >= tree.Cutoff {
		tree.walk(n, &mine.Counts)
		return
	}
	children := tree.children(n)
	mine.note(n, children)
	for i := range children {
		child := n.child(i)
		if child.Depth <= dealt {
			visit.NewAt(c, c.Place(child.home(c.Places())), child, mine.Own.From())
		} else {
			visit.New(c, child, mine.Own.From())
		}
	}
})

// dealt is the depth down to which nodes are dealt out to the workers. Nobody knows how large their subtrees
// are: a worker that has searched its own steals.
const dealt = 3

// home says to which of so many workers a node is dealt.
func (n Node) home(places int) int { return int(n.H0 % uint64(places)) }

// collect adds the tallies up, and passes the sum on.
var collect = task.DefineN("uts.collect", addUp)

func addUp(c *edt.Ctx, to task.Event[Counts], _ task.After, blocks task.List[task.RO[tallies]], _ task.List[task.After]) {
	block, sum := task.Make[Counts](c, 1)
	for i := range blocks.Len() {
		for _, t := range task.Rest(blocks.At(i)) {
			sum[0].add(t.Counts)
		}
		blocks.At(i).Destroy(c)
	}
	to.Send(c, block)
}

// deliver hands the result to the host. It is the only EDT that writes memory of Go: its template is
// not registered, but belongs to the run.
func (a *App) deliver(c *edt.Ctx, in edt.Args) guid.GUID {
	a.found = *countsView.At(in.Dep(0))
	a.End()
	c.DestroyBlock(in.Dep(0).GUID())
	return guid.Null
}

var countsView = datablock.NewView[Counts]()
