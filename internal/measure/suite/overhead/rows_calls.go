package overhead

import (
	"fmt"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// bare are templates of EDTs that do nothing, by their number of slots.
var bare = func() (all [5]*edt.Template) {
	for n := range all {
		all[n] = edt.NewTemplate(fmt.Sprintf("overhead.slots-%d", n), 0, n, nothing)
	}
	return all
}()

func nothing(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }

// pairs is how many creations, each with its destruction, are timed at a time.
const pairs = 2048

func callRows() []*Row {
	empty := call{act: func(_ *edt.Ctx, l *lane) {
		for k := range l.objects {
			l.objects[k] = guid.Null
		}
	}}
	create := call{
		act: func(c *edt.Ctx, l *lane) {
			for k := range l.objects {
				l.objects[k] = c.NewEDT(bare[4], nil)
			}
		},
		tidy: func(c *edt.Ctx, l *lane) {
			for _, e := range l.objects {
				c.DestroyEDT(e)
			}
		},
	}
	once := call{n: pairs, act: func(c *edt.Ctx, l *lane) {
		for range l.objects {
			c.Satisfy(c.NewEvent(edt.Once), guid.Null)
		}
	}}
	rows := []*Row{
		empty.row("empty-loop", "the loop around every call, keeping a GUID, and the clock: not subtracted from any row",
			each("function-call", 1000, callOften)),
		create.row("edt-create/slots=4", "creating an EDT, all slots open"),
		once.row("event-create-destroy/type=once", "creating a once event and satisfying it, which destroys it",
			loop("make-chan", 1000, makeChan)),
		eventRow("sticky", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }),
		eventRow("latch", func(c *edt.Ctx) guid.GUID { return c.NewLatch(1) }),
		eventRow("counted", func(c *edt.Ctx) guid.GUID { return c.NewCounted(1) }),
		eventRow("channel", func(c *edt.Ctx) guid.GUID { return c.NewChannel(1) }),
		satisfyRow(0), satisfyRow(1), satisfyRow(8),
	}
	return append(rows, dependRows()...)
}

// eventRow creates and destroys events, through a function: its call is in the figure.
func eventRow(kind string, create func(c *edt.Ctx) guid.GUID) *Row {
	return call{n: pairs, act: func(c *edt.Ctx, l *lane) {
		for range l.objects {
			c.DestroyEvent(create(c))
		}
	}}.row("event-create-destroy/type="+kind, "creating an event and destroying it")
}

// satisfyRow satisfies sticky events that EDTs of one slot wait for.
func satisfyRow(waiters int) *Row {
	return call{
		n: batch / max(waiters, 1), readies: waiters > 0,
		prepare: func(c *edt.Ctx, l *lane) {
			newStickies(c, l.objects)
			for _, e := range l.objects {
				for range waiters {
					c.NewEDT(bare[1], nil, edt.From(e, datablock.RW))
				}
			}
		},
		act:  satisfyAll,
		tidy: func(c *edt.Ctx, l *lane) { destroyEvents(c, l.objects) },
	}.row(fmt.Sprintf("satisfy/waiters=%d", waiters),
		"satisfying a sticky event that so many EDTs wait for, which makes them ready")
}

func satisfyAll(c *edt.Ctx, l *lane) {
	for _, e := range l.objects {
		c.Satisfy(e, guid.Null)
	}
}

func newStickies(c *edt.Ctx, into []guid.GUID) {
	for k := range into {
		into[k] = c.NewEvent(edt.Sticky)
	}
}

func destroyEvents(c *edt.Ctx, all []guid.GUID) {
	for _, e := range all {
		c.DestroyEvent(e)
	}
}

// dependRows add dependences, of which nothing triggers meanwhile: EDTs have a second slot, which is connected
// afterwards.
func dependRows() []*Row {
	const name = "add-dependence/from="
	connect := call{
		prepare: func(c *edt.Ctx, l *lane) { newStickies(c, l.objects); newStickies(c, l.targets) },
		act:     dependAll,
		tidy:    func(c *edt.Ctx, l *lane) { destroyEvents(c, l.objects); destroyEvents(c, l.targets) },
	}
	return []*Row{
		slotRow(name+"event/to=edt", "adding a dependence: an EDT's slot waits for an event",
			func(c *edt.Ctx, l *lane) { newStickies(c, l.objects) },
			func(c *edt.Ctx, l *lane) { satisfyAll(c, l); destroyEvents(c, l.objects) }),
		slotRow(name+"triggered-event/to=edt", "an EDT's slot is satisfied by an event that has triggered",
			func(c *edt.Ctx, l *lane) { newStickies(c, l.objects); satisfyAll(c, l) },
			func(c *edt.Ctx, l *lane) { destroyEvents(c, l.objects) }),
		slotRow(name+"null/to=edt", "an EDT's slot is satisfied without a block",
			func(_ *edt.Ctx, l *lane) { clear(l.objects) }, func(*edt.Ctx, *lane) {}),
		connect.row(name+"event/to=event", "an event waits for an event"),
	}
}

// slotRow connects slots of EDTs to the objects of a lane.
func slotRow(name, what string, prepare, tidy func(c *edt.Ctx, l *lane)) *Row {
	return call{
		readies: true,
		prepare: func(c *edt.Ctx, l *lane) {
			prepare(c, l)
			for k := range l.targets {
				l.targets[k] = c.NewEDT(bare[2], nil)
			}
		},
		act: dependAll,
		tidy: func(c *edt.Ctx, l *lane) {
			tidy(c, l)
			for _, e := range l.targets {
				c.AddDependence(guid.Null, e, 1, datablock.Null)
			}
		},
	}.row(name, what)
}

func dependAll(c *edt.Ctx, l *lane) {
	for k, target := range l.targets {
		c.AddDependence(l.objects[k], target, 0, datablock.RW)
	}
}

// callOften calls a function that is not inlined.
func callOften(n int) (sum int) {
	for range n {
		sum = increment(sum)
	}
	return sum
}

//go:noinline
func increment(v int) int { return v + 1 }

// makeChan makes channels, and leaves them to the collector.
func makeChan() func(n int) int {
	var kept atomic.Pointer[chan struct{}]
	return func(n int) int {
		for range n {
			c := make(chan struct{}, 1)
			kept.Store(&c)
		}
		return n
	}
}
