package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

var modes = []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null}

// checkDep checks that an EDT sees a block in a mode: the block's GUID, never the
// event's, and its memory unless the mode gives no access.
func checkDep(tr *trial, d *datablock.Dep, want guid.GUID, mode datablock.Mode) {
	if d.GUID() != want || d.IsNull() != want.IsNull() {
		tr.Errorf("%v: slot holds %v, want %v", mode, d.GUID(), want)
		return
	}
	if want.IsNull() || mode == datablock.Null {
		if d.Bytes() != nil || d.Size() != 0 {
			tr.Errorf("%v: access to %d bytes of %v", mode, d.Size(), want)
		}
		return
	}
	if d.Mode() != mode || d.Size() != 8 || len(d.Bytes()) != 8 || wordOf(d) != 12 {
		tr.Errorf("%v: mode %v, %d bytes", mode, d.Mode(), d.Size())
	}
}

// The table of add-dependence for events.
func TestDependenceOnEvent(t *testing.T) {
	for _, dst := range []edt.EventType{edt.Once, edt.Idempotent, edt.Sticky, edt.Latch, edt.Counted, edt.Channel} {
		for _, source := range []string{"event", "triggered event", "block", "Null"} {
			t.Run(fmt.Sprintf("%s to %v", source, dst), func(t *testing.T) {
				everywhere(t, counting("waiter", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
					e, block := newEvent(c, dst), wordBlock(c, 12)
					want := block
					if source == "Null" || dst == edt.Latch {
						want = guid.Null
					}
					launch(c, func(_ *edt.Ctx, in edt.Args) {
						ran.add()
						checkDep(tr, in.Dep(0), want, datablock.RO)
					}, edt.From(e, datablock.RO))
					src := c.NewEvent(edt.Sticky)
					switch source {
					case "event":
						c.AddDependence(src, e, 0, datablock.Null) // the mode is ignored
						c.Satisfy(src, block)
					case "triggered event":
						c.Satisfy(src, block)
						c.AddDependence(src, e, 0, datablock.RW)
					case "block":
						c.AddDependence(block, e, 0, datablock.RW)
					default:
						c.AddDependence(guid.Null, e, 0, datablock.RW)
					}
				}))
			})
		}
	}
}

// newEvent makes an event of any type that triggers when it is next satisfied.
func newEvent(c *edt.Ctx, t edt.EventType) guid.GUID {
	switch t {
	case edt.Latch:
		return c.NewLatch(1)
	case edt.Counted:
		return c.NewCounted(1)
	case edt.Channel:
		return c.NewChannel(1)
	}
	return c.NewEvent(t)
}
