package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func TestMisuseSlot(t *testing.T) {
	const op = "add dependence"
	for _, slots := range []int{1, 4, 5, 100} {
		for _, slot := range []int{slots, slots + 1, -1, 1 << 40} {
			name := fmt.Sprintf("%d of %d", slot, slots)
			checkMisuses(t, []misuse{
				wrong(name, op, edt.ErrSlotRange, openEDT(slots),
					func(c *edt.Ctx, g guid.GUID) { c.AddDependence(guid.Null, g, slot, datablock.RW) }),
			})
		}
	}
	twice := func(name string, first, second func(c *edt.Ctx) guid.GUID) misuse {
		return misuse{name, op, edt.ErrSlotTaken, func(c *edt.Ctx, f *fault) {
			task, a, b := open(c, 2, nothing), first(c), second(c)
			f.later = a.Kind() == guid.KindEvent || b.Kind() == guid.KindEvent
			c.AddDependence(a, task, 1, datablock.RW)
			f.at(c, task, func() { c.AddDependence(b, task, 1, datablock.RW) })
		}}
	}
	event, block := eventOf(edt.Sticky), someBlock
	checkMisuses(t, []misuse{
		twice("Null twice", nullGUID, nullGUID),
		twice("event twice", event, event),
		twice("block twice", block, block),
		twice("event, then block", event, block),
		twice("block, then event", block, event),
		{"listed, then added", op, edt.ErrSlotTaken, func(c *edt.Ctx, f *fault) {
			task := launch(c, nothing, rw(c.NewEvent(edt.Sticky)), edt.Open)
			f.later = true
			f.at(c, task, func() { c.AddDependence(guid.Null, task, 0, datablock.RW) })
		}},
		{"of an event that was destroyed", op, edt.ErrSlotTaken, func(c *edt.Ctx, f *fault) {
			task, e := open(c, 1, nothing), c.NewEvent(edt.Sticky)
			c.AddDependence(e, task, 0, datablock.RW)
			c.DestroyEvent(e)
			f.later = true
			f.at(c, task, func() { c.AddDependence(guid.Null, task, 0, datablock.RW) })
		}},
		{"of an EDT that runs", op, edt.ErrSlotTaken, func(c *edt.Ctx, f *fault) {
			f.at(c, c.Self(), func() { c.AddDependence(guid.Null, c.Self(), 0, datablock.RW) })
		}},
	})
}

func TestMisuseMode(t *testing.T) {
	checkMisuses(t, []misuse{
		wrong("added", "add dependence", edt.ErrMode, openEDT(1),
			func(c *edt.Ctx, g guid.GUID) { c.AddDependence(guid.Null, g, 0, 5) }),
		{"listed", "create EDT", edt.ErrMode, func(c *edt.Ctx, f *fault) {
			tmpl := c.NewTemplate("bad", 0, 1, body(nothing))
			f.anyTarget = true
			f.at(c, guid.Null, func() { c.NewEDT(tmpl, nil, edt.From(guid.Null, 200)) })
		}},
	})
}

func TestMisuseDestination(t *testing.T) {
	const op = "add dependence"
	null := func(c *edt.Ctx, g guid.GUID) { c.AddDependence(guid.Null, g, 0, datablock.RW) }
	event := func(c *edt.Ctx, g guid.GUID) { c.AddDependence(c.NewEvent(edt.Sticky), g, 0, datablock.RW) }
	block := func(c *edt.Ctx, g guid.GUID) { c.AddDependence(wordBlock(c, 1), g, 0, datablock.RW) }
	satisfied := then(eventOf(edt.Sticky), satisfy)
	checkMisuses(t, wrongKinds(op, []string{"EDT", "event"}, null))
	checkMisuses(t, []misuse{
		wrong("Null to a destroyed EDT", op, edt.ErrStale, staleEDT, null),
		{"event to a destroyed EDT", op, edt.ErrStale, func(c *edt.Ctx, f *fault) {
			g, from := staleEDT(c), c.NewEvent(edt.Sticky)
			f.later = true
			f.at(c, g, func() { c.AddDependence(from, g, 0, datablock.RW) })
		}},
		wrong("block to a destroyed EDT", op, edt.ErrStale, staleEDT, block),
		wrong("Null to a destroyed event", op, edt.ErrStale, staleEvent, null),
		wrong("event to a destroyed event", op, edt.ErrStale, staleEvent, event),
		wrong("block to a destroyed event", op, edt.ErrStale, staleEvent, block),
		wrong("forged EDT", op, edt.ErrStale, func(c *edt.Ctx) guid.GUID { return forged(open(c, 1, nothing)) }, null),
		wrong("no such slot, behind an event", op, edt.ErrSlotRange, openEDT(1),
			func(c *edt.Ctx, g guid.GUID) { c.AddDependence(satisfied(c), g, 1, datablock.RW) }),
		wrong("EDT of another run", op, edt.ErrForeign, foreignEDT, null),
		{"EDT that ran", op, edt.ErrStale, func(c *edt.Ctx, f *fault) {
			f.template = "launched"
			var task guid.GUID
			_, out := create(c, c.NewTemplate("first", 0, 0, body(func(c *edt.Ctx, _ edt.Args) { task = c.Self() })),
				edt.Spec{OutputEvent: c.NewEvent(edt.Sticky), Finish: true})
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				f.at(c, task, func() { c.AddDependence(guid.Null, task, 0, datablock.RW) })
			}, rw(out))
		}},
		wrong("sticky that is satisfied", op, edt.ErrSatisfied, satisfied, block),
		wrong("event slot 1 of a sticky", op, edt.ErrSlotRange, eventOf(edt.Sticky),
			func(c *edt.Ctx, g guid.GUID) { c.AddDependence(c.NewEvent(edt.Sticky), g, 1, datablock.RW) }),
		wrong("event slot 2 of a latch", op, edt.ErrSlotRange, latchAt(1),
			func(c *edt.Ctx, g guid.GUID) { c.AddDependence(guid.Null, g, 2, datablock.RW) }),
	})
}

func TestMisuseSource(t *testing.T) {
	const op = "add dependence"
	for name, to := range map[string]caller{
		"to an EDT":   func(c *edt.Ctx, g guid.GUID) { c.AddDependence(g, open(c, 1, nothing), 0, datablock.RW) },
		"to an event": func(c *edt.Ctx, g guid.GUID) { c.AddDependence(g, c.NewEvent(edt.Sticky), 0, datablock.RW) },
	} {
		checkMisuses(t, wrongKinds(op, []string{"Null", "event", "block"}, to))
		checkMisuses(t, []misuse{
			wrong("stale event "+name, op, edt.ErrStale, staleEvent, to),
			wrong("stale block "+name, op, edt.ErrStale, staleBlock, to),
			wrong("foreign event "+name, op, edt.ErrForeign, foreignEvent, to),
			wrong("foreign block "+name, op, edt.ErrForeign, foreignBlock, to),
			wrong("triggered once event "+name, op, edt.ErrStale, then(eventOf(edt.Once), satisfy), to),
		})
	}
}
