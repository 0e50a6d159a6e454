package uts

import (
	"context"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
	"ocr/task/par"
)

// A tally is the counts of the EDTs on one worker, and the tree that they search.
type tally struct {
	Tree
	Counts
	Dealt uint64 // nodes down to this depth are dealt out to the workers
}

// total adds the workers' tallies up.
var total = par.DefineReduce("uts.total", func(into, from *tally) { into.Counts.add(from.Counts) })

// Main returns the main EDT.
func (a *App) Main() edt.Func {
	return a.Clock.Main(func(c *edt.Ctx) {
		a.Begin()
		result := task.Once[tally](c)
		trial.Take(c, &a.Clock, result, func(sum []tally) { a.found = sum[0].Counts })
		visit.New(c, root(a.cfg.Seed), total.Group(c, tally{Tree: a.cfg.tree(), Dealt: a.cfg.dealt(c)}, result))
	})
}

// visit counts a node, and creates an EDT for each of its children; at the cut-off it walks the subtree.
var visit = task.Declare0[Node]("uts.visit")

var _ = visit.Body(func(c *edt.Ctx, n Node) {
	t := total.Value(c)
	if n.Depth >= t.Cutoff {
		ctx := context.Background()
		if n.Depth < t.Depth { // a walk of more than n asks for the context
			ctx = c.Context()
		}
		t.walk(ctx, n, &t.Counts)
		return
	}
	children := t.children(n)
	t.note(n, children)
	for i := range children {
		child := n.child(i)
		if child.Depth <= t.Dealt {
			visit.New(c, child, task.Opt{At: c.Place(n.home(i, c.Places()))})
		} else {
			visit.New(c, child)
		}
	}
})

// home returns the worker that gets child i of n, if the child is dealt out: children go to the places in turn.
func (n Node) home(i, places int) int { return int((n.H0 + uint64(i)) % uint64(places)) }
