package edt_test

import (
	"errors"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/ids"
)

func TestMisuseLabel(t *testing.T) {
	index := func(name string, n int) misuse {
		return misuse{name, "label", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			g := c.NewRange(10, guid.KindEvent)
			f.at(c, g, func() { c.Label(g, n) })
		}}
	}
	checkMisuses(t, []misuse{
		index("index -1", -1),
		index("index past the range", 10),
		{"of a destroyed range", "label", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			g := c.NewRange(10, guid.KindEvent)
			c.DestroyRange(g)
			f.at(c, g, func() { c.Label(g, 0) })
		}},
		{"of a forged range", "label", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			hi, _ := c.NewRange(1, guid.KindEvent).Words()
			g := guid.FromWords(hi, 1<<63|5)
			f.at(c, g, func() { c.Label(g, 0) })
		}},
		{"of a foreign range", "label", edt.ErrForeign,
			func(c *edt.Ctx, f *fault) { f.at(c, otherRun().rng, func() { c.Label(otherRun().rng, 0) }) }},
		{"size without object", "block size", edt.ErrNoObject, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindBlock), 0)
			f.at(c, g, func() { c.BlockSize(g) })
		}},
		{"release without object", "release", edt.ErrNoObject, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindBlock), 0)
			f.at(c, g, func() { c.Release(g) })
		}},
		{"mode without object", "block mode", edt.ErrNoObject, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindBlock), 0)
			f.at(c, g, func() { c.BlockMode(g) })
		}},
		{"destroy EDT without object", "destroy EDT", edt.ErrNoObject, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEDT), 0)
			f.at(c, g, func() { c.DestroyEDT(g) })
		}},
		{"double satisfy", "satisfy", edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEvent), 0)
			if err := c.NewLabelledEvent(g, edt.Sticky); err != nil {
				panic(err)
			}
			c.Satisfy(g, guid.Null)
			f.anyTarget = true
			f.at(c, g, func() { c.Satisfy(g, guid.Null) })
		}},
	})
	checkMisuses(t, wrongKinds("label", []string{"range"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.Label(g, 0) })
	}))
}

func TestMisuseRange(t *testing.T) {
	checkMisuses(t, []misuse{
		{"of none", "create range", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			f.at(c, guid.Null, func() { c.NewRange(0, guid.KindEvent) })
		}},
		{"too large", "create range", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			f.at(c, guid.Null, func() { c.NewRange(ids.MaxRange+1, guid.KindEvent) })
		}},
		{"of templates", "create range", edt.ErrKind,
			func(c *edt.Ctx, f *fault) { f.at(c, guid.Null, func() { c.NewRange(1, guid.KindTemplate) }) }},
	})
}

func TestMisuseLabelledCreation(t *testing.T) {
	labelOf := func(k guid.Kind) func(c *edt.Ctx) guid.GUID {
		return func(c *edt.Ctx) guid.GUID { return c.Label(c.NewRange(1, k), 0) }
	}
	event := func(name string, cause *edt.Condition, label func(c *edt.Ctx) guid.GUID) misuse {
		return misuse{name, "create labelled event", cause, func(c *edt.Ctx, f *fault) {
			g := label(c)
			f.at(c, g, func() { _ = c.NewLabelledEvent(g, edt.Sticky) })
		}}
	}
	checkMisuses(t, []misuse{
		event("event under a block's label", edt.ErrKind, labelOf(guid.KindBlock)),
		event("event under no label", edt.ErrKind, func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }),
		event("event under Null", edt.ErrKind, func(*edt.Ctx) guid.GUID { return guid.Null }),
		event("event under a foreign label", edt.ErrForeign, func(*edt.Ctx) guid.GUID { return otherRun().label }),
		{"block under an EDT's label", "create labelled data block", edt.ErrKind, func(c *edt.Ctx, f *fault) {
			g := labelOf(guid.KindEDT)(c)
			f.at(c, g, func() { _, _ = c.NewLabelledBlock(g, 8) })
		}},
		{"EDT under an event's label", "create labelled EDT", edt.ErrKind, func(c *edt.Ctx, f *fault) {
			g := labelOf(guid.KindEvent)(c)
			f.at(c, g, func() { _ = c.NewLabelledEDT(g, registered, nil) })
		}},
		{"EDT without slots", "create labelled EDT", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			g := labelOf(guid.KindEDT)(c)
			slotless := c.NewTemplate("slotless", 0, 0, body(nothing))
			f.at(c, g, func() { _ = c.NewLabelledEDT(g, slotless, nil) })
		}},
	})
}

// What goes wrong in the creation of a labelled object is blamed on the app's line.
func TestMisuseInLabelledCreation(t *testing.T) {
	event := func(c *edt.Ctx) guid.GUID { return c.Label(c.NewRange(1, guid.KindEvent), 0) }
	checkMisuses(t, []misuse{
		{"event type", "create event", edt.ErrEventType, func(c *edt.Ctx, f *fault) {
			g := event(c)
			f.at(c, guid.Null, func() { _ = c.NewLabelledEvent(g, 77) })
		}},
		{"counted", "create counted event", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			g := event(c)
			f.at(c, guid.Null, func() { _ = c.NewLabelledCounted(g, 0) })
		}},
		{"latch", "create latch event", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			g := event(c)
			f.at(c, guid.Null, func() { _ = c.NewLabelledLatch(g, -1<<63) })
		}},
		{"channel", "create channel event", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			g := event(c)
			f.at(c, guid.Null, func() { _ = c.NewLabelledChannel(g, -1) })
		}},
		{"block", "create data block", edt.ErrSize, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindBlock), 0)
			f.at(c, guid.Null, func() { _, _ = c.NewLabelledBlock(g, 0) })
		}},
		{"EDT", "create EDT", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEDT), 0)
			f.at(c, guid.Null, func() { _ = c.NewLabelledEDT(g, registered, edt.Params(1, 2, 3)) })
		}},
	})
}

// A dependence that was kept for a label is blamed on the line that added it, whoever
// carries it out.
func TestMisuseKeptDependence(t *testing.T) {
	checkMisuses(t, []misuse{
		{"dependence", "add dependence", edt.ErrSlotRange, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEDT), 0)
			f.anyTarget, f.template = true, "launched"
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				f.at(c, g, func() { c.AddDependence(guid.Null, g, 9, 0) })
				launch(c, func(c *edt.Ctx, _ edt.Args) { _ = c.NewLabelledEDT(g, registered, nil) })
			})
		}},
	})
}

// The error of a creator that comes too late has OCR's code.
func TestExistsHasItsCode(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		g := c.Label(c.NewRange(1, guid.KindEvent), 0)
		if err := c.NewLabelledEvent(g, edt.Sticky); err != nil {
			tr.Errorf("%v", err)
		}
		if err := c.NewLabelledEvent(g, edt.Sticky); !errors.Is(err, edt.EGUIDEXISTS) || errors.Is(err, edt.EINVAL) {
			tr.Errorf("%v, want EGUIDEXISTS", err)
		}
		c.Shutdown()
	}))
}
