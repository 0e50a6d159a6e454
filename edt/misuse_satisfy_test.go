package edt_test

import (
	"testing"

	"ocr/edt"
	"ocr/guid"
)

func TestMisuseSatisfy(t *testing.T) {
	const op = "satisfy"
	again := func(name string, cause *edt.Condition, made maker) misuse {
		return wrong(name+" again", op, cause, then(made, satisfy), satisfy)
	}
	slotOf := func(name string, made maker, slot int) misuse {
		return wrong("slot of "+name, op, edt.ErrSlotRange, made,
			func(c *edt.Ctx, g guid.GUID) { c.SatisfySlot(g, guid.Null, slot) })
	}
	checkMisuses(t, wrongKinds(op, []string{"event"}, satisfy))
	checkMisuses(t, []misuse{
		again("sticky", edt.ErrSatisfied, eventOf(edt.Sticky)),
		again("counted", edt.ErrSatisfied, countedFor(1)),
		again("event near to the last worker", edt.ErrSatisfied,
			func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky, c.Place(c.Workers()-1)) }),
		again("once", edt.ErrStale, eventOf(edt.Once)),
		again("counted, waited for,", edt.ErrStale, then(countedFor(1), isAwaited)),
		wrong("once, place reused", op, edt.ErrStale, func(c *edt.Ctx) guid.GUID {
			e := c.NewEvent(edt.Once)
			c.Satisfy(e, guid.Null)
			return mustBeReplaced(e, c.NewEvent(edt.Once))
		}, satisfy),
		wrong("latch after its trigger", op, edt.ErrStale, then(latchAt(1), satisfy),
			func(c *edt.Ctx, g guid.GUID) { c.SatisfySlot(g, guid.Null, edt.Incr) }),
		{"by another EDT", op, edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			e := c.NewEvent(edt.Sticky)
			c.Satisfy(e, guid.Null)
			f.template = "launched"
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				f.at(c, e, func() { c.Satisfy(e, guid.Null) })
			})
		}},
		{"through another event", op, edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
			e, from := c.NewEvent(edt.Sticky), c.NewEvent(edt.Once)
			c.AddDependence(from, e, 0, 0)
			c.Satisfy(e, guid.Null)
			f.at(c, e, func() { c.Satisfy(from, guid.Null) })
		}},
		wrong("stale", op, edt.ErrStale, staleEvent, satisfy),
		wrong("forged", op, edt.ErrStale, func(c *edt.Ctx) guid.GUID { return forged(c.NewEvent(edt.Sticky)) }, satisfy),
		wrong("of another run", op, edt.ErrForeign, foreignEvent, satisfy),
		slotOf("sticky 1", eventOf(edt.Sticky), 1),
		slotOf("sticky 7", eventOf(edt.Sticky), 7),
		slotOf("once -1", eventOf(edt.Once), -1),
		slotOf("counted 1", countedFor(1), 1),
		slotOf("channel 1", channelOf(1), 1),
		slotOf("latch 2", latchAt(1), 2),
		slotOf("latch -1", latchAt(1), -1),
		wrong("full channel", op, edt.ErrFull, then(channelOf(2), satisfy, satisfy), satisfy),
		wrong("channel with too many dependences", "add dependence", edt.ErrFull, then(channelOf(1), isAwaited),
			func(c *edt.Ctx, g guid.GUID) { c.AddDependence(g, open(c, 1, nothing), 0, 0) }),
	})
}

func TestMisuseSatisfyWithBlock(t *testing.T) {
	const op = "satisfy"
	sticky := func(c *edt.Ctx, g guid.GUID) { c.Satisfy(c.NewEvent(edt.Sticky), g) }
	checkMisuses(t, wrongKinds(op, []string{"block", "Null"}, sticky))
	checkMisuses(t, []misuse{
		wrong("stale", op, edt.ErrStale, staleBlock, sticky),
		wrong("stale, to a latch", op, edt.ErrStale, staleBlock,
			func(c *edt.Ctx, g guid.GUID) { c.Satisfy(c.NewLatch(5), g) }),
		wrong("of another run", op, edt.ErrForeign, foreignBlock, sticky),
	})
}
