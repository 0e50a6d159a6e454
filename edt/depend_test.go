package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

var modes = []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null}

// The table of add-dependence for EDTs: every source, in every mode, on a slot
// that is connected at creation or later.
func TestDependenceOnEDT(t *testing.T) {
	for _, source := range []string{"block", "Null", "event with block", "event without", "triggered event with block",
		"triggered event without"} {
		for _, late := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, late=%v", source, late), func(t *testing.T) {
				everywhere(t, counting("EDTs", len(modes), func(tr *trial, c *edt.Ctx, ran *tally) {
					for _, mode := range modes {
						dependOn(tr, c, source, mode, late, ran)
					}
				}))
			})
		}
	}
}

func dependOn(tr *trial, c *edt.Ctx, source string, mode datablock.Mode, late bool, ran *tally) {
	block := wordBlock(c, 12)
	g, want := guid.Null, guid.Null
	switch source {
	case "block":
		g, want = block, block
	case "event with block", "triggered event with block":
		g, want = c.NewEvent(edt.Sticky), block
	case "event without", "triggered event without":
		g = c.NewEvent(edt.Sticky)
	}
	if len(source) > 9 && source[:9] == "triggered" {
		c.Satisfy(g, want)
	}
	check := func(c *edt.Ctx, in edt.Args) {
		ran.add()
		checkDep(tr, in.Dep(0), want, mode)
		if want != guid.Null && mode != datablock.Null && c.BlockMode(want) != mode {
			tr.Errorf("BlockMode is %v, want %v", c.BlockMode(want), mode)
		}
	}
	if late {
		c.AddDependence(g, open(c, 1, check), 0, mode)
	} else {
		launch(c, check, edt.From(g, mode))
	}
	if len(source) > 5 && source[:5] == "event" {
		launch(c, func(c *edt.Ctx, _ edt.Args) { c.Satisfy(g, want) })
	}
}

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
