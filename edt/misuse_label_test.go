package edt_test

import (
	"errors"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/ids"
)

func TestMisuseLabel(t *testing.T) {
	index := func(name string, n int) misuse {
		return misuse{name, "label", edt.ErrCount, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := c.NewRange(10, guid.KindEvent)
			f.next(c, g)
			c.Label(g, n)
		}}
	}
	checkMisuses(t, []misuse{
		index("index -1", -1),
		index("index past the range", 10),
		{"of a destroyed range", "label", edt.ErrStale, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := c.NewRange(10, guid.KindEvent)
			c.DestroyRange(g)
			f.next(c, g)
			c.Label(g, 0)
		}},
		{"of a forged range", "label", edt.ErrStale, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			hi, _ := c.NewRange(1, guid.KindEvent).Words()
			g := guid.FromWords(hi, 1<<63|5)
			f.next(c, g)
			c.Label(g, 0)
		}},
		{"of a foreign range", "label", edt.ErrForeign, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			f.next(c, otherRun().rng)
			c.Label(otherRun().rng, 0)
		}},
		{"size without object", "block size", edt.ErrNoObject, edt.ENOENT, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindBlock), 0)
			f.next(c, g)
			c.BlockSize(g)
		}},
		{"release without object", "release", edt.ErrNoObject, edt.ENOENT, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindBlock), 0)
			f.next(c, g)
			c.Release(g)
		}},
		{"mode without object", "block mode", edt.ErrNoObject, edt.ENOENT, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindBlock), 0)
			f.next(c, g)
			c.BlockMode(g)
		}},
		{"destroy EDT without object", "destroy EDT", edt.ErrNoObject, edt.ENOENT, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEDT), 0)
			f.next(c, g)
			c.DestroyEDT(g)
		}},
		{"double satisfy", "satisfy", edt.ErrSatisfied, edt.EPERM, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEvent), 0)
			if err := c.NewLabelledEvent(g, edt.Sticky); err != nil {
				panic(err)
			}
			c.Satisfy(g, guid.Null)
			f.anyTarget = true
			f.next(c, g)
			c.Satisfy(g, guid.Null)
		}},
	})
	checkMisuses(t, wrongKinds("label", []string{"range"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.next(c, g)
		c.Label(g, 0)
	}))
}

func TestMisuseRange(t *testing.T) {
	checkMisuses(t, []misuse{
		{"of none", "create range", edt.ErrCount, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			f.next(c, guid.Null)
			c.NewRange(0, guid.KindEvent)
		}},
		{"too large", "create range", edt.ErrCount, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			f.next(c, guid.Null)
			c.NewRange(ids.MaxRange+1, guid.KindEvent)
		}},
		{"of templates", "create range", edt.ErrKind, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			f.next(c, guid.Null)
			c.NewRange(1, guid.KindTemplate)
		}},
	})
}

func TestMisuseLabelledCreation(t *testing.T) {
	labelOf := func(k guid.Kind) func(c *edt.Ctx) guid.GUID {
		return func(c *edt.Ctx) guid.GUID { return c.Label(c.NewRange(1, k), 0) }
	}
	event := func(name string, cause *edt.Condition, label func(c *edt.Ctx) guid.GUID) misuse {
		return misuse{name, "create labelled event", cause, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := label(c)
			f.next(c, g)
			_ = c.NewLabelledEvent(g, edt.Sticky)
		}}
	}
	checkMisuses(t, []misuse{
		event("event under a block's label", edt.ErrKind, labelOf(guid.KindBlock)),
		event("event under no label", edt.ErrKind, func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }),
		event("event under Null", edt.ErrKind, func(*edt.Ctx) guid.GUID { return guid.Null }),
		event("event under a foreign label", edt.ErrForeign, func(*edt.Ctx) guid.GUID { return otherRun().label }),
		{"block under an EDT's label", "create labelled data block", edt.ErrKind, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := labelOf(guid.KindEDT)(c)
			f.next(c, g)
			_, _ = c.NewLabelledBlock(g, 8)
		}},
		{"EDT under an event's label", "create labelled EDT", edt.ErrKind, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := labelOf(guid.KindEvent)(c)
			f.next(c, g)
			_ = c.NewLabelledEDT(g, registered, nil)
		}},
		{"EDT without slots", "create labelled EDT", edt.ErrCount, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := labelOf(guid.KindEDT)(c)
			slotless := c.NewTemplate("slotless", 0, 0, body(nothing))
			f.next(c, g)
			_ = c.NewLabelledEDT(g, slotless, nil)
		}},
	})
}

// What goes wrong in the creation of a labelled object is blamed on the app's line.
func TestMisuseInLabelledCreation(t *testing.T) {
	event := func(c *edt.Ctx) guid.GUID { return c.Label(c.NewRange(1, guid.KindEvent), 0) }
	checkMisuses(t, []misuse{
		{"event type", "create event", edt.ErrEventType, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := event(c)
			f.next(c, guid.Null)
			_ = c.NewLabelledEvent(g, 77)
		}},
		{"counted", "create counted event", edt.ErrCount, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := event(c)
			f.next(c, guid.Null)
			_ = c.NewLabelledCounted(g, 0)
		}},
		{"latch", "create latch event", edt.ErrCount, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := event(c)
			f.next(c, guid.Null)
			_ = c.NewLabelledLatch(g, -1<<63)
		}},
		{"channel", "create channel event", edt.ErrCount, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := event(c)
			f.next(c, guid.Null)
			_ = c.NewLabelledChannel(g, -1)
		}},
		{"block", "create data block", edt.ErrSize, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindBlock), 0)
			f.next(c, guid.Null)
			_, _ = c.NewLabelledBlock(g, 0)
		}},
		{"EDT", "create EDT", edt.ErrCount, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEDT), 0)
			f.next(c, guid.Null)
			_ = c.NewLabelledEDT(g, registered, edt.Params(1, 2, 3))
		}},
	})
}

// A dependence that was kept for a label is blamed on the line that added it, whoever
// carries it out.
func TestMisuseKeptDependence(t *testing.T) {
	checkMisuses(t, []misuse{
		{"dependence", "add dependence", edt.ErrSlotRange, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEDT), 0)
			f.anyTarget, f.template = true, "launched"
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				f.next(c, g)
				c.AddDependence(guid.Null, g, 9, 0)
				launch(c, func(c *edt.Ctx, _ edt.Args) { _ = c.NewLabelledEDT(g, registered, nil) })
			})
		}},
	})
}

// The error of who comes too late has OCR's code.
func TestExistsHasItsCode(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			g := c.Label(c.NewRange(1, guid.KindEvent), 0)
			if err := c.NewLabelledEvent(g, edt.Sticky); err != nil {
				tr.Errorf("%v", err)
			}
			if err := c.NewLabelledEvent(g, edt.Sticky); !errors.Is(err, edt.EGUIDEXISTS) || errors.Is(err, edt.EINVAL) {
				tr.Errorf("%v, want EGUIDEXISTS", err)
			}
			c.Shutdown()
		})
	})
}
