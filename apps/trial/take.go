package trial

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// Take passes the result of a run to the App: when result is satisfied, an EDT stops the clock, calls take with the
// elements of the block, and destroys the block.
func Take[T any](c *edt.Ctx, clock *Clock, result task.Event[T], take func(result []T)) {
	Collect(c, "take", clock, []edt.Source{edt.From(result.GUID, datablock.RO)}, func(_ *edt.Ctx, in edt.Args) {
		take(task.SlotOf[task.RO[T]](in, 0).Slice())
	})
}

// Collect is [Take] for a result of several blocks. When all its slots are satisfied, an EDT with this name stops the
// clock, calls take with the slots, and destroys the blocks on them.
func Collect(c *edt.Ctx, name string, clock *Clock, result []edt.Source, take func(c *edt.Ctx, in edt.Args)) {
	When(c, name, result, func(c *edt.Ctx, in edt.Args) {
		clock.End()
		take(c, in)
		for k := range in.Deps() {
			if block := in.Dep(k).GUID(); !block.IsNull() {
				c.DestroyBlock(block)
			}
		}
	})
}

// When creates an EDT with this name that calls the function do. The EDTs of When, Take and Collect, and Main, are the
// only EDTs that refer to the App: their templates are not registered, but belong to the run.
func When(c *edt.Ctx, name string, sources []edt.Source, do func(c *edt.Ctx, in edt.Args)) {
	t := c.NewTemplate(name, 0, len(sources), func(c *edt.Ctx, in edt.Args) guid.GUID {
		do(c, in)
		return guid.Null
	})
	c.NewEDT(t, nil, sources...)
	c.DestroyTemplate(t)
}

// Release releases the blocks on the slots of the running EDT, before the EDT lets others use the blocks. Each block is
// on one slot, which is not in mode Null, and the EDT has not released it.
func Release(c *edt.Ctx) {
	in := c.Args()
	for k := range in.Deps() {
		if held := in.Dep(k); !held.IsNull() {
			c.ReleaseDep(held)
		}
	}
}
