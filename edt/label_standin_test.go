package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A once event may trigger, and be gone, before there is an object under the label
// that it is to satisfy.
func TestOnceEventTriggersBeforeItsLabelExists(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			label := c.Label(c.NewRange(1, guid.KindEvent), 0)
			once := c.NewEvent(edt.Once)
			c.AddDependence(once, label, 0, datablock.RW)
			block := c.NewBlockNoAcquire(8)
			c.Satisfy(once, block)
			if err := c.NewLabelledEvent(label, edt.Sticky); err != nil {
				tr.Errorf("%v", err)
			}
			sink := c.NewTemplate("sink", 0, 1, body(func(_ *edt.Ctx, in edt.Args) {
				if in.Dep(0).GUID() != block {
					tr.Errorf("got %v, want %v", in.Dep(0).GUID(), block)
				}
			}))
			c.NewEDT(sink, nil, edt.From(label, datablock.RO))
		})
	})
}
