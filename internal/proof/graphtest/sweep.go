package graphtest

import (
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// sweepBody runs when the root's finish scope has ended.
func (x *Execution) sweepBody(c *edt.Ctx, _ edt.Args) guid.GUID {
	for i, done := range x.done {
		if !done {
			x.problem("the finish scope of the root ended before node %d did", i)
		}
	}
	if want := x.p.sceneCount(); int(x.closed.Load()) != want {
		x.problem("the finish scope of the root ended after %d scenes of %d", x.closed.Load(), want)
	}
	deps := make([]edt.Source, len(x.blocks))
	for b, g := range x.blocks {
		deps[b] = edt.From(g, datablock.RO)
	}
	c.Spawn(x.last, &edt.Spec{Deps: deps, DepCount: len(deps)})
	return guid.Null
}

// lastBody copies the contents of the shared blocks, and destroys all objects.
func (x *Execution) lastBody(c *edt.Ctx, in edt.Args) guid.GUID {
	for b := range in.Deps() {
		d := in.Dep(b)
		x.finals[b] = slices.Clone(datablock.Slice[uint64](d))
		c.DestroyBlock(x.blocks[b])
	}
	for _, kept := range x.kept {
		for _, g := range kept {
			c.DestroyBlock(g)
		}
	}
	for e := range x.p.Events {
		if ev := &x.p.Events[e]; ev.persistent() && ev.DestroyedBy == none {
			c.DestroyEvent(x.events[e])
		}
	}
	if x.p.Seed%2 != 0 {
		c.DestroyEvent(x.root)
	}
	for _, t := range []*edt.Template{x.node, x.sweep, x.last} {
		c.DestroyTemplate(t)
	}
	executions.Delete(x.number)
	x.swept = true
	if x.Shutdown {
		c.Shutdown()
	}
	return guid.Null
}
