package edt_test

import (
	"testing"

	"ocr/edt"
	"ocr/guid"
)

func TestMisuseSatisfyTwice(t *testing.T) {
	checkMisuses(t, []misuse{
		{"sticky", "satisfy", edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			e := c.NewEvent(edt.Sticky)
			c.Satisfy(e, guid.Null)
			f.at(c, e, func() { c.Satisfy(e, guid.Null) })
		}},
		{"sticky without argument", "satisfy", edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			e := c.NewEvent(edt.Sticky | edt.NoArg)
			c.Satisfy(e, guid.Null)
			f.at(c, e, func() { c.Satisfy(e, guid.Null) })
		}},
		{"counted", "satisfy", edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			e := c.NewCounted(1)
			c.Satisfy(e, wordBlock(c, 1))
			f.at(c, e, func() { c.Satisfy(e, wordBlock(c, 1)) })
		}},
		{"once", "satisfy", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			e := c.NewEvent(edt.Once)
			c.Satisfy(e, guid.Null)
			f.at(c, e, func() { c.Satisfy(e, guid.Null) })
		}},
		{"once, place reused", "satisfy", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			e := c.NewEvent(edt.Once)
			c.Satisfy(e, guid.Null)
			mustBeReplaced(e, c.NewEvent(edt.Once))
			f.at(c, e, func() { c.Satisfy(e, guid.Null) })
		}},
		{"latch after its trigger", "satisfy", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			e := c.NewLatch(1)
			c.Satisfy(e, guid.Null)
			f.at(c, e, func() { c.SatisfySlot(e, guid.Null, edt.Incr) })
		}},
		{"counted after its last dependence", "satisfy", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			e := c.NewCounted(1)
			launch(c, nothing, rw(e))
			c.Satisfy(e, guid.Null)
			f.at(c, e, func() { c.Satisfy(e, guid.Null) })
		}},
		{"by another EDT", "satisfy", edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			e := c.NewEvent(edt.Sticky)
			c.Satisfy(e, guid.Null)
			f.template = "launched"
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				f.at(c, e, func() { c.Satisfy(e, guid.Null) })
			})
		}},
		{"through another event", "satisfy", edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			e, from := c.NewEvent(edt.Sticky), c.NewEvent(edt.Once)
			c.AddDependence(from, e, 0, 0)
			c.Satisfy(e, guid.Null)
			f.at(c, e, func() { c.Satisfy(from, guid.Null) })
		}},
	})
}

func TestMisuseSatisfyEvent(t *testing.T) {
	checkMisuses(t, wrongKinds("satisfy", []string{"event"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.Satisfy(g, guid.Null) })
	}))
	checkMisuses(t, []misuse{
		{"stale", "satisfy", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			e := staleEvent(c)
			f.at(c, e, func() { c.Satisfy(e, guid.Null) })
		}},
		{"forged", "satisfy", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			e := forged(c.NewEvent(edt.Sticky))
			f.at(c, e, func() { c.Satisfy(e, guid.Null) })
		}},
		{"of another run", "satisfy", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.at(c, otherRun().event, func() { c.Satisfy(otherRun().event, guid.Null) })
		}},
		{"label of another run", "satisfy", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.at(c, otherRun().label, func() { c.Satisfy(otherRun().label, guid.Null) })
		}},
	})
}

func TestMisuseSatisfyBlock(t *testing.T) {
	checkMisuses(t, wrongKinds("satisfy", []string{"block", "Null"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		e := c.NewEvent(edt.Sticky)
		f.at(c, g, func() { c.Satisfy(e, g) })
	}))
	for _, typ := range []edt.EventType{edt.Once, edt.Idempotent, edt.Sticky} {
		checkMisuses(t, []misuse{{typ.String() + " takes none", "satisfy", edt.ErrNoArg, func(c *edt.Ctx, f *fault) {
			e, b := c.NewEvent(typ|edt.NoArg), wordBlock(c, 1)
			f.at(c, e, func() { c.Satisfy(e, b) })
		}}})
	}
	checkMisuses(t, []misuse{
		{"stale", "satisfy", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			e, b := c.NewEvent(edt.Sticky), staleBlock(c)
			f.at(c, b, func() { c.Satisfy(e, b) })
		}},
		{"stale, to a latch", "satisfy", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			e, b := c.NewLatch(5), staleBlock(c)
			f.at(c, b, func() { c.Satisfy(e, b) })
		}},
		{"of another run", "satisfy", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			e := c.NewEvent(edt.Sticky)
			f.at(c, otherRun().block, func() { c.Satisfy(e, otherRun().block) })
		}},
		{"label without object", "satisfy", edt.ErrNoObject, func(c *edt.Ctx, f *fault) {
			e, l := c.NewEvent(edt.Sticky), c.Label(c.NewRange(1, guid.KindBlock), 0)
			f.at(c, l, func() { c.Satisfy(e, l) })
		}},
	})
}

func TestMisuseEventSlot(t *testing.T) {
	slotOf := func(name string, make func(c *edt.Ctx) guid.GUID, slot int) misuse {
		return misuse{name, "satisfy", edt.ErrSlotRange, func(c *edt.Ctx, f *fault) {
			e := make(c)
			f.at(c, e, func() { c.SatisfySlot(e, guid.Null, slot) })
		}}
	}
	checkMisuses(t, []misuse{
		slotOf("sticky 1", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }, 1),
		slotOf("sticky without argument 1", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky | edt.NoArg) }, 1),
		slotOf("once -1", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Once) }, -1),
		slotOf("counted 1", func(c *edt.Ctx) guid.GUID { return c.NewCounted(1) }, 1),
		slotOf("channel 1", func(c *edt.Ctx) guid.GUID { return c.NewChannel(1) }, 1),
		slotOf("latch 2", func(c *edt.Ctx) guid.GUID { return c.NewLatch(1) }, 2),
		slotOf("latch -1", func(c *edt.Ctx) guid.GUID { return c.NewLatch(1) }, -1),
	})
}

func TestMisuseFullChannel(t *testing.T) {
	checkMisuses(t, []misuse{
		{"satisfactions", "satisfy", edt.ErrFull, func(c *edt.Ctx, f *fault) {
			ch := c.NewChannel(2)
			c.Satisfy(ch, guid.Null)
			c.Satisfy(ch, guid.Null)
			f.at(c, ch, func() { c.Satisfy(ch, guid.Null) })
		}},
		{"dependences", "add dependence", edt.ErrFull, func(c *edt.Ctx, f *fault) {
			ch, task := c.NewChannel(1), open(c, 3, nothing)
			c.AddDependence(ch, task, 0, 0)
			f.at(c, ch, func() { c.AddDependence(ch, task, 1, 0) })
		}},
	})
}
