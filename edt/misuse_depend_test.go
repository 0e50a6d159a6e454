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
			checkMisuses(t, []misuse{{fmt.Sprintf("%d of %d", slot, slots), op, edt.ErrSlotRange, func(c *edt.Ctx, f *fault) {
				task := open(c, slots, nothing)
				f.at(c, task, func() { c.AddDependence(guid.Null, task, slot, datablock.RW) })
			}}})
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
	null := func(*edt.Ctx) guid.GUID { return guid.Null }
	event := func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }
	block := func(c *edt.Ctx) guid.GUID { return wordBlock(c, 1) }
	checkMisuses(t, []misuse{
		twice("Null twice", null, null),
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
		{"added", "add dependence", edt.ErrMode, func(c *edt.Ctx, f *fault) {
			task := open(c, 1, nothing)
			f.at(c, task, func() { c.AddDependence(guid.Null, task, 0, 5) })
		}},
		{"listed", "create EDT", edt.ErrMode, func(c *edt.Ctx, f *fault) {
			tmpl := c.NewTemplate("bad", 0, 1, body(nothing))
			f.anyTarget = true
			f.at(c, guid.Null, func() { c.NewEDT(tmpl, nil, edt.From(guid.Null, 200)) })
		}},
	})
}

func TestMisuseDestination(t *testing.T) {
	const op = "add dependence"
	checkMisuses(t, wrongKinds(op, []string{"EDT", "event"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.AddDependence(guid.Null, g, 0, datablock.RW) })
	}))
	stale := func(name string, gone func(c *edt.Ctx) guid.GUID, source func(c *edt.Ctx) guid.GUID) misuse {
		return misuse{name, op, edt.ErrStale, func(c *edt.Ctx, f *fault) {
			g, from := gone(c), source(c)
			f.later = g.Kind() == guid.KindEDT && from.Kind() == guid.KindEvent
			f.at(c, g, func() { c.AddDependence(from, g, 0, datablock.RW) })
		}}
	}
	null := func(*edt.Ctx) guid.GUID { return guid.Null }
	event := func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }
	block := func(c *edt.Ctx) guid.GUID { return wordBlock(c, 1) }
	checkMisuses(t, []misuse{
		stale("Null to a destroyed EDT", staleEDT, null),
		stale("event to a destroyed EDT", staleEDT, event),
		stale("block to a destroyed EDT", staleEDT, block),
		stale("Null to a destroyed event", staleEvent, null),
		stale("event to a destroyed event", staleEvent, event),
		stale("block to a destroyed event", staleEvent, block),
		stale("forged EDT", func(c *edt.Ctx) guid.GUID { return forged(open(c, 1, nothing)) }, null),
		{"EDT of another run", op, edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.at(c, otherRun().edt, func() { c.AddDependence(guid.Null, otherRun().edt, 0, datablock.RW) })
		}},
		{"label of another run", op, edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.at(c, otherRun().label, func() { c.AddDependence(guid.Null, otherRun().label, 0, datablock.RW) })
		}},
		{"EDT that ran", op, edt.ErrStale, func(c *edt.Ctx, f *fault) {
			f.template = "launched"
			var task guid.GUID
			_, out := create(c, c.NewTemplate("first", 0, 0, body(func(c *edt.Ctx, _ edt.Args) { task = c.Self() })),
				edt.Spec{OutputEvent: c.NewEvent(edt.Sticky), Finish: true})
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				f.at(c, task, func() { c.AddDependence(guid.Null, task, 0, datablock.RW) })
			}, rw(out))
		}},
		{"sticky that is satisfied", op, edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			e := c.NewEvent(edt.Sticky)
			c.Satisfy(e, guid.Null)
			f.at(c, e, func() { c.AddDependence(wordBlock(c, 1), e, 0, datablock.RW) })
		}},
		{"event slot 1 of a sticky", op, edt.ErrSlotRange, func(c *edt.Ctx, f *fault) {
			e, from := c.NewEvent(edt.Sticky), c.NewEvent(edt.Sticky)
			f.at(c, e, func() { c.AddDependence(from, e, 1, datablock.RW) })
		}},
		{"event slot 2 of a latch", op, edt.ErrSlotRange, func(c *edt.Ctx, f *fault) {
			e := c.NewLatch(1)
			f.at(c, e, func() { c.AddDependence(guid.Null, e, 2, datablock.RW) })
		}},
	})
}

func TestMisuseSource(t *testing.T) {
	const op = "add dependence"
	for _, toEvent := range []bool{false, true} {
		dst := func(c *edt.Ctx) guid.GUID {
			if toEvent {
				return c.NewEvent(edt.Sticky)
			}
			return open(c, 1, nothing)
		}
		from := func(name string, cause *edt.Condition, source func(c *edt.Ctx) guid.GUID) misuse {
			return misuse{fmt.Sprintf("%s, to an event: %v", name, toEvent), op, cause, func(c *edt.Ctx, f *fault) {
				g, to := source(c), dst(c)
				f.at(c, g, func() { c.AddDependence(g, to, 0, datablock.RW) })
			}}
		}
		checkMisuses(t, wrongKinds(op, []string{"Null", "event", "block"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
			to := dst(c)
			f.at(c, g, func() { c.AddDependence(g, to, 0, datablock.RW) })
		}))
		checkMisuses(t, []misuse{
			from("stale event", edt.ErrStale, staleEvent),
			from("stale block", edt.ErrStale, staleBlock),
			from("foreign event", edt.ErrForeign, func(*edt.Ctx) guid.GUID { return otherRun().event }),
			from("foreign block", edt.ErrForeign, func(*edt.Ctx) guid.GUID { return otherRun().block }),
			from("foreign label", edt.ErrForeign, func(*edt.Ctx) guid.GUID { return otherRun().label }),
			from("triggered once event", edt.ErrStale, func(c *edt.Ctx) guid.GUID {
				e := c.NewEvent(edt.Once)
				c.Satisfy(e, guid.Null)
				return e
			}),
		})
	}
}
