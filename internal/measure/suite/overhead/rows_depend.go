package overhead

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An end is what a dependence can begin or end with. What EDTs wait for does not trigger while dependences are timed,
// and EDTs have a second slot, which is connected afterwards.
type end struct {
	name   string
	slot   int // of a target
	create func(c *edt.Ctx, l *lane) guid.GUID
	tidy   func(c *edt.Ctx, g guid.GUID) // nil for what is not made for each dependence
	counts edt.Counters
}

func eventEnd(name string, slot int, create func(c *edt.Ctx) guid.GUID) end {
	return end{name, slot, func(c *edt.Ctx, _ *lane) guid.GUID { return create(c) }, (*edt.Ctx).DestroyEvent, anEvent}
}

// feeding is an event for which an EDT waits: it is satisfied in the end.
func feeding(name string, create func(c *edt.Ctx) guid.GUID) end {
	e := eventEnd(name, 0, create)
	e.counts = plus(anEvent, satisfied)
	e.tidy = func(c *edt.Ctx, g guid.GUID) {
		if c.Satisfy(g, guid.Null); c.Exists(g) { // it is no latch and no counted event
			c.DestroyEvent(g)
		}
	}
	return e
}

// dependRows add a dependence for each legal pair.
func dependRows() []*Row {
	sticky := func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }
	latch := func(c *edt.Ctx) guid.GUID { return c.NewLatch(2) }
	unbounded := func(c *edt.Ctx) guid.GUID { return c.NewChannel(edt.Unbounded) }
	counting := func(deps int) func(c *edt.Ctx) guid.GUID {
		return func(c *edt.Ctx) guid.GUID { return c.NewCounted(deps) }
	}
	event, channel, counted := eventEnd("event", 0, sticky), eventEnd("channel", 0, unbounded),
		eventEnd("counted", 0, counting(2))
	triggered := eventEnd("triggered-event", 0, func(c *edt.Ctx) guid.GUID {
		e := c.NewEvent(edt.Sticky)
		c.Satisfy(e, guid.Null)
		return e
	})
	triggered.counts.EventSatisfied = 1
	block := end{name: "block", create: func(_ *edt.Ctx, l *lane) guid.GUID { return l.block }}
	null := end{name: "null", create: func(*edt.Ctx, *lane) guid.GUID { return guid.Null }}
	anEDT := end{"edt", 0,
		func(c *edt.Ctx, _ *lane) guid.GUID { return c.NewEDT(bare[2], nil) },
		func(c *edt.Ctx, g guid.GUID) { c.AddDependence(guid.Null, g, 1, datablock.Null) },
		plus(ran(1), dependence)}

	const waits = "an EDT's slot waits for an event of this type"
	const typed = "an event of this type waits for a sticky event"
	rows := []*Row{
		dependRow(feeding("event", sticky), anEDT, "an EDT's slot waits for an event"),
		dependRow(triggered, anEDT, "an EDT's slot is satisfied by an event that has triggered"),
		dependRow(block, anEDT, "an EDT's slot is satisfied by a block"),
		dependRow(null, anEDT, "an EDT's slot is satisfied without a block"),
		dependRow(event, event, "an event waits for an event"),
		dependRow(block, event, "a sticky event is satisfied with a block"),
		dependRow(null, event, "a sticky event is satisfied without a block"),
		dependRow(feeding("latch", func(c *edt.Ctx) guid.GUID { return c.NewLatch(1) }), anEDT, waits),
		dependRow(feeding("channel", unbounded), anEDT, waits),
		dependRow(feeding("counted", counting(1)), anEDT, waits),
		dependRow(event, eventEnd("latch-decr", edt.Decr, latch), typed),
		dependRow(event, eventEnd("latch-incr", edt.Incr, latch), typed),
		dependRow(event, channel, typed), dependRow(event, counted, typed),
	}
	rows[0].Peers = []Peer{atomicSwap}
	return rows
}

// dependRow connects a lane's objects to its targets, all of them made beforehand.
func dependRow(from, to end, what string) *Row {
	return call{
		perOp:   plus(from.counts, to.counts, dependence),
		perLane: aBlock,
		open:    func(c *edt.Ctx, l *lane) { l.block = c.NewBlockNoAcquire(64) },
		last: func(r *team, c *edt.Ctx) {
			for _, l := range r.lanes {
				c.DestroyBlock(l.block)
			}
		},
		prepare: func(c *edt.Ctx, l *lane) {
			for k := range l.n {
				l.objects[k], l.targets[k] = from.create(c, l), to.create(c, l)
			}
		},
		act: func(c *edt.Ctx, l *lane) {
			for k, target := range l.targets {
				c.AddDependence(l.objects[k], target, to.slot, datablock.RW)
			}
		},
		tidy: func(c *edt.Ctx, l *lane) {
			for k := range l.n {
				if from.tidy != nil {
					from.tidy(c, l.objects[k])
				}
				to.tidy(c, l.targets[k])
			}
		},
	}.row("add-dependence/from="+from.name+"/to="+to.name, "adding a dependence: "+what)
}

// atomicSwap sets words by compare-and-swap, each once.
var atomicSwap = loopPeer("atomic-cas", peerLen, func() func(n int) int {
	words := make([]atomic.Uint64, peerLen)
	turn := uint64(0)
	return func(n int) (done int) {
		turn++
		for k := range n {
			if words[k].CompareAndSwap(turn-1, turn) {
				done++
			}
		}
		return done
	}
})
