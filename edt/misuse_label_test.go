package edt_test

import (
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/ids"
)

func TestMisuseLabel(t *testing.T) {
	first := func(c *edt.Ctx, g guid.GUID) { c.Label(g, 0) }
	size := func(c *edt.Ctx, g guid.GUID) { c.BlockSize(g) }
	mode := func(c *edt.Ctx, g guid.GUID) { c.BlockMode(g) }
	block := labelled(guid.KindBlock)
	checkMisuses(t, wrongKinds("label", []string{"range"}, first))
	checkMisuses(t, []misuse{
		wrong("index -1", "label", edt.ErrCount, rangeOf(10), func(c *edt.Ctx, g guid.GUID) { c.Label(g, -1) }),
		wrong("index past the range", "label", edt.ErrCount, rangeOf(10), func(c *edt.Ctx, g guid.GUID) { c.Label(g, 10) }),
		wrong("of a destroyed range", "label", edt.ErrStale, then(rangeOf(10), (*edt.Ctx).DestroyRange), first),
		wrong("of a forged range", "label", edt.ErrStale, func(c *edt.Ctx) guid.GUID {
			hi, _ := c.NewRange(1, guid.KindEvent).Words()
			return guid.FromWords(hi, 1<<63|5)
		}, first),
		wrong("of a foreign range", "label", edt.ErrForeign, foreignRange, first),
		wrong("size without object", "block size", edt.ErrNoObject, block, size),
		wrong("release without object", "release", edt.ErrNoObject, block, (*edt.Ctx).Release),
		wrong("mode without object", "block mode", edt.ErrNoObject, block, mode),
		wrong("destroy EDT without object", "destroy EDT", edt.ErrNoObject, labelled(guid.KindEDT), (*edt.Ctx).DestroyEDT),
		{"double satisfy", "satisfy", edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			g := then(labelled(guid.KindEvent), isSticky, satisfy)(c)
			f.anyTarget = true
			f.at(c, g, func() { c.Satisfy(g, guid.Null) })
		}},
		{"deferred call", "satisfy", edt.ErrNoArg, func(c *edt.Ctx, f *fault) {
			g, b := labelled(guid.KindEvent)(c), wordBlock(c, 1)
			f.anyTarget, f.template = true, "launched"
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				f.at(c, g, func() { c.Satisfy(g, b) })
				_ = c.NewLabelledEvent(g, edt.Sticky|edt.NoArg)
			})
		}},
		without("range of none", "create range", edt.ErrCount, func(c *edt.Ctx) { c.NewRange(0, guid.KindEvent) }),
		without("range too large", "create range", edt.ErrCount,
			func(c *edt.Ctx) { c.NewRange(ids.MaxRange+1, guid.KindEvent) }),
		without("range of templates", "create range", edt.ErrKind, func(c *edt.Ctx) { c.NewRange(1, guid.KindTemplate) }),
	})
}

func TestMisuseLabelledCreation(t *testing.T) {
	const ofEvent, ofBlock, ofEDT = "create labelled event", "create labelled data block", "create labelled EDT"
	event := func(c *edt.Ctx, g guid.GUID) { _ = c.NewLabelledEvent(g, edt.Sticky) }
	block := func(c *edt.Ctx, g guid.GUID) { _, _ = c.NewLabelledBlock(g, 8) }
	task := func(c *edt.Ctx, g guid.GUID) { _ = c.NewLabelledEDT(g, registered, nil) }
	beyond := func(kind guid.Kind) maker {
		return func(c *edt.Ctx) guid.GUID {
			hi, lo := labelled(kind)(c).Words()
			return guid.FromWords(hi, lo+1)
		}
	}
	checkMisuses(t, []misuse{
		wrong("event under a block's label", ofEvent, edt.ErrKind, labelled(guid.KindBlock), event),
		wrong("event under no label", ofEvent, edt.ErrKind, eventOf(edt.Sticky), event),
		wrong("event under Null", ofEvent, edt.ErrKind, nullGUID, event),
		wrong("event under a foreign label", ofEvent, edt.ErrForeign, foreignLabel, event),
		wrong("event under a label that no range has", ofEvent, edt.ErrForeign, beyond(guid.KindEvent), event),
		wrong("block under a label that no range has", ofBlock, edt.ErrForeign, beyond(guid.KindBlock), block),
		wrong("block under an EDT's label", ofBlock, edt.ErrKind, labelled(guid.KindEDT), block),
		wrong("EDT under an event's label", ofEDT, edt.ErrKind, labelled(guid.KindEvent), task),
		{"EDT without slots", ofEDT, edt.ErrCount, func(c *edt.Ctx, f *fault) {
			g := labelled(guid.KindEDT)(c)
			slotless := c.NewTemplate("slotless", 0, 0, body(nothing))
			f.at(c, g, func() { _ = c.NewLabelledEDT(g, slotless, nil) })
		}},
	})
}

// What goes wrong in the creation of a labelled object is blamed on the app's line.
func TestMisuseInLabelledCreation(t *testing.T) {
	under := func(kind guid.Kind, op string, cause *edt.Condition, create caller) misuse {
		return misuse{op, op, cause, func(c *edt.Ctx, f *fault) {
			g := labelled(kind)(c)
			f.blame(c, guid.Null, create)
			create(c, g)
		}}
	}
	checkMisuses(t, []misuse{
		under(guid.KindEvent, "create event", edt.ErrEventType,
			func(c *edt.Ctx, g guid.GUID) { _ = c.NewLabelledEvent(g, 77) }),
		under(guid.KindEvent, "create event", edt.ErrEventType,
			func(c *edt.Ctx, g guid.GUID) { _ = c.NewLabelledEvent(g, edt.Latch) }),
		under(guid.KindEvent, "create counted event", edt.ErrCount,
			func(c *edt.Ctx, g guid.GUID) { _ = c.NewLabelledCounted(g, 0) }),
		under(guid.KindEvent, "create latch event", edt.ErrCount,
			func(c *edt.Ctx, g guid.GUID) { _ = c.NewLabelledLatch(g, -1<<63) }),
		under(guid.KindEvent, "create channel event", edt.ErrCount,
			func(c *edt.Ctx, g guid.GUID) { _ = c.NewLabelledChannel(g, -1) }),
		under(guid.KindBlock, "create data block", edt.ErrSize,
			func(c *edt.Ctx, g guid.GUID) { _, _ = c.NewLabelledBlock(g, 0) }),
		under(guid.KindEDT, "create EDT", edt.ErrCount,
			func(c *edt.Ctx, g guid.GUID) { _ = c.NewLabelledEDT(g, registered, edt.Params(1, 2, 3)) }),
	})
}

// A dependence that was kept for a label is blamed on the line that added it, whoever carries it out.
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
