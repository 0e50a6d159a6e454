package runtime

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// What random graphs have found, made certain.

// TestObservedSlotOfDestroyedEDT: an event triggers while an EDT that waits for it is destroyed on another worker.
// With an observer, that reads no record which the other worker writes: the race detector says whether it does.
func TestObservedSlotOfDestroyedEDT(t *testing.T) {
	for range shortened(400) {
		mustRun(t, starting(func(c *edt.Ctx) {
			event := c.NewEvent(edt.Sticky)
			victim := c.NewEDT(c.NewTemplate("victim", 0, 2, does(func(*edt.Ctx, edt.Args) {
				t.Error("an EDT ran that had an open slot")
			})), nil, edt.Open, edt.From(event, datablock.Null))
			c.NewEDTAt(c.Bind(0), body(c, func(c *edt.Ctx) { c.DestroyEDT(victim) }), nil)
			c.NewEDTAt(c.Bind(1), body(c, func(c *edt.Ctx) { c.Satisfy(event, guid.Null) }), nil)
		}), Workers(2), Observe(func(*edt.Worker) edt.Observer { return edt.NopObserver{} }))
	}
}
