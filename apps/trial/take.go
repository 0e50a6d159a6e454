package trial

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// Take hands the result of a run to the host: when the event brings it, an EDT stops the clock, calls take with the
// elements of the block, and destroys that. It is beside Main the only EDT that knows the App: its template is not
// registered, but belongs to the run.
func Take[T any](c *edt.Ctx, clock *Clock, result task.Event[T], take func(result []T)) {
	t := c.NewTemplate("take", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		clock.End()
		block := task.SlotOf[task.RO[T]](in, 0)
		take(block.Slice())
		block.Destroy(c)
		return guid.Null
	})
	c.NewEDT(t, nil, edt.From(result.GUID, datablock.RO))
	c.DestroyTemplate(t)
}
