package overhead

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// dependRows add a dependence for each legal pair. EDTs have a second slot, which stays
// open, so that none becomes ready.
func dependRows() []*Row {
	twoSlots := createEDTs(2)
	events := createEvents(edt.Sticky)
	edts := edt.Counters{EDTCreated: 1, EDTDestroyed: 1, DependenceAdded: 1}
	event := edt.Counters{EventCreated: 1, EventDestroyed: 1}
	satisfied := edt.Counters{EventSatisfied: 1}
	list := []*Row{
		dependRow("from=event/to=edt", "an EDT's slot waits for an event", call{
			prepare: both(events, twoSlots), act: eachEvent, tidy: both(destroyEvents, destroyEDTs),
			counts: plus(edts, event),
		}),
		dependRow("from=triggered-event/to=edt", "an EDT's slot is satisfied by an event that has triggered", call{
			prepare: both(both(events, satisfyAll), twoSlots), act: eachEvent, tidy: both(destroyEvents, destroyEDTs),
			counts: plus(edts, event, satisfied),
		}),
		dependRow("from=block/to=edt", "an EDT's slot is satisfied by a block", call{
			open: openBlock, last: dropBlocks, prepare: twoSlots, act: blockToEDT, tidy: destroyEDTs, counts: edts,
		}),
		dependRow("from=null/to=edt", "an EDT's slot is satisfied without a block", call{
			prepare: twoSlots, act: nullToEDT, tidy: destroyEDTs, counts: edts,
		}),
		dependRow("from=event/to=event", "an event waits for an event", call{
			objects: 2, prepare: events, act: eventToEvent, tidy: destroyEvents,
			counts: plus(times(event, 2), edt.Counters{DependenceAdded: 1}),
		}),
		dependRow("from=block/to=event", "a sticky event is satisfied with a block", call{
			open: openBlock, last: dropBlocks, prepare: events, act: blockToEvent, tidy: destroyEvents,
			counts: plus(event, edt.Counters{DependenceAdded: 1}),
		}),
		dependRow("from=null/to=event", "a sticky event is satisfied without a block", call{
			prepare: events, act: nullToEvent, tidy: destroyEvents,
			counts: plus(event, edt.Counters{DependenceAdded: 1}),
		}),
	}
	list[0].Peers = []Peer{atomicSwap}
	return append(list, typedDependRows(twoSlots, edts)...)
}

// typedDependRows have events of the other types, each as the source and the target that
// it can be. None triggers, so that all can be destroyed.
func typedDependRows(twoSlots func(c *edt.Ctx, l *lane), edts edt.Counters) []*Row {
	latches, sources := createWith(func(c *edt.Ctx) guid.GUID { return c.NewLatch(2) }), createEvents(edt.Sticky)
	kinds := []struct {
		name   string
		create func(c *edt.Ctx, l *lane)
	}{
		{"latch", latches},
		{"channel", createWith(func(c *edt.Ctx) guid.GUID { return c.NewChannel(edt.Unbounded) })},
		{"counted", createWith(func(c *edt.Ctx) guid.GUID { return c.NewCounted(2) })},
	}
	event := edt.Counters{EventCreated: 1, EventDestroyed: 1}
	var list []*Row
	for _, kind := range kinds {
		list = append(list, dependRow("from="+kind.name+"/to=edt", "an EDT's slot waits for an event of this type", call{
			prepare: both(kind.create, twoSlots), act: eachEvent, tidy: both(destroyEvents, destroyEDTs), counts: plus(edts, event),
		}))
	}
	targets := []struct {
		name   string
		slot   int
		create func(c *edt.Ctx, l *lane)
	}{
		{"latch-decr", edt.Decr, latches}, {"latch-incr", edt.Incr, latches}, {"channel", 0, kinds[1].create}, {"counted", 0, kinds[2].create},
	}
	for _, to := range targets {
		list = append(list, dependRow("from=event/to="+to.name, "an event of this type waits for a sticky event", call{
			objects: 2, prepare: firstHalf(sources, to.create), act: intoSlot(to.slot), tidy: destroyEvents,
			counts: plus(times(event, 2), edt.Counters{DependenceAdded: 1}),
		}))
	}
	return list
}

// createWith creates events through a function.
func createWith(create func(c *edt.Ctx) guid.GUID) func(c *edt.Ctx, l *lane) {
	return func(c *edt.Ctx, l *lane) {
		for k := range l.events {
			l.events[k] = create(c)
		}
	}
}

// firstHalf creates the first half of a lane's events one way, the second another.
func firstHalf(first, second func(c *edt.Ctx, l *lane)) func(c *edt.Ctx, l *lane) {
	return func(c *edt.Ctx, l *lane) {
		all := l.events
		l.events = all[:l.n]
		first(c, l)
		l.events = all[l.n:]
		second(c, l)
		l.events = all
	}
}

// intoSlot connects events of the first half to a slot of those of the second.
func intoSlot(slot int) func(c *edt.Ctx, l *lane) {
	return func(c *edt.Ctx, l *lane) {
		for k := range l.n {
			c.AddDependence(l.events[k], l.events[l.n+k], slot, datablock.RW)
		}
	}
}

func dependRow(pair, what string, c call) *Row {
	return &Row{Section: Depend, Name: "add-dependence/" + pair, What: "adding a dependence: " + what, measure: c.measure}
}

func eachEvent(c *edt.Ctx, l *lane) {
	for k := range l.n {
		c.AddDependence(l.events[k], l.edts[k], 0, datablock.RW)
	}
}

func blockToEDT(c *edt.Ctx, l *lane) {
	for _, e := range l.edts {
		c.AddDependence(l.block, e, 0, datablock.RW)
	}
}

func nullToEDT(c *edt.Ctx, l *lane) {
	for _, e := range l.edts {
		c.AddDependence(guid.Null, e, 0, datablock.RW)
	}
}

// eventToEvent connects events of the first half to those of the second.
func eventToEvent(c *edt.Ctx, l *lane) {
	for k := range l.n {
		c.AddDependence(l.events[k], l.events[l.n+k], 0, datablock.RW)
	}
}

func blockToEvent(c *edt.Ctx, l *lane) {
	for _, e := range l.events {
		c.AddDependence(l.block, e, 0, datablock.RW)
	}
}

func nullToEvent(c *edt.Ctx, l *lane) {
	for _, e := range l.events {
		c.AddDependence(guid.Null, e, 0, datablock.RW)
	}
}

func satisfyAll(c *edt.Ctx, l *lane) {
	for _, e := range l.events {
		c.Satisfy(e, guid.Null)
	}
}

// openBlock gives a lane a block.
func openBlock(c *edt.Ctx, l *lane) {
	l.block = c.NewBlockNoAcquire(64)
	l.own.BlockCreated++
}

// dropBlocks destroys the lanes' blocks.
func dropBlocks(r *workerTeam, c *edt.Ctx) {
	for _, l := range r.lanes {
		c.DestroyBlock(l.block)
		r.own.BlockDestroyed++
	}
}
