package overhead

import (
	"cmp"
	"fmt"
	goruntime "runtime"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

const (
	// batch is how many calls are timed at a time: few enough for the first and second level caches and the stores
	// of free records to hold the objects, and enough that reading the clock does not show.
	batch = 256
	// pairs is how many creations, each with its destruction, are timed at a time.
	pairs = 2048
)

// A call times calls of the API, on all workers at the same time. Its functions are loops over the objects of a lane;
// prepare and tidy may be nil. Only act is timed.
type call struct {
	n                  int // operations of a batch; 0 for batch
	prepare, act, tidy func(c *edt.Ctx, o *objects)
	readies            bool // the batch makes EDTs ready, which run before the next batch
}

type objects struct{ all, targets []guid.GUID }

func (k call) row(name, what string, beside ...Form) *Row {
	n := cmp.Or(k.n, batch)
	w := work{ops: n, open: func(c *edt.Ctx, l *lane) func(*edt.Ctx) {
		o, took := &objects{make([]guid.GUID, n), make([]guid.GUID, n)}, int64(0)
		return spawn(c, l.home(c), k.readies, func(c *edt.Ctx) { took = k.batch(c, o) },
			func(c *edt.Ctx) { l.ended(c, took) })
	}}
	return row(name, what, w.as(""), beside...)
}

// batch runs a batch and returns the time of act.
func (k call) batch(c *edt.Ctx, o *objects) int64 {
	if k.prepare != nil {
		k.prepare(c, o)
	}
	start := trial.Now()
	timed(k.act, c, o)
	elapsed := trial.Now() - start
	if k.tidy != nil {
		k.tidy(c, o)
	}
	return elapsed
}

// timed calls act. cmd/opcount counts what timed runs.
//
//go:noinline
func timed(act func(c *edt.Ctx, o *objects), c *edt.Ctx, o *objects) { act(c, o) }

// bare are the templates of EDTs with an empty body, by their number of slots.
var bare = func() (all [5]*edt.Template) {
	for n := range all {
		all[n] = edt.NewTemplate(fmt.Sprintf("overhead.slots-%d", n), 0, n, nothing)
	}
	return all
}()

func nothing(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }

func callRows() []*Row {
	return []*Row{
		call{act: func(_ *edt.Ctx, o *objects) {
			for k := range o.all {
				o.all[k] = guid.Null
			}
		}}.row("empty-loop", "the loop around every call, keeping a GUID, and the clock: not subtracted from any row"),
		call{
			act: func(c *edt.Ctx, o *objects) {
				for k := range o.all {
					o.all[k] = c.NewEDT(bare[4], nil)
				}
			},
			tidy: func(c *edt.Ctx, o *objects) {
				for _, e := range o.all {
					c.DestroyEDT(e)
				}
			},
		}.row("edt-create/slots=4", "creating an EDT, all slots open"),
		call{n: pairs, act: func(c *edt.Ctx, o *objects) {
			for range o.all {
				c.Satisfy(c.NewEvent(edt.Once), guid.Null)
			}
		}}.row("event-create-destroy/type=once", "creating a once event and satisfying it, which destroys it",
			each("make-chan", 1000, makeChans)),
		eventRow("sticky", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }),
		eventRow("latch", func(c *edt.Ctx) guid.GUID { return c.NewLatch(1) }),
		eventRow("counted", func(c *edt.Ctx) guid.GUID { return c.NewCounted(1) }),
		eventRow("channel", func(c *edt.Ctx) guid.GUID { return c.NewChannel(1) }),
		satisfyRow(0), satisfyRow(1), satisfyRow(8),
		dependRow(),
	}
}

// eventRow times creation and destruction of events. The call of the function create is part of the time.
func eventRow(kind string, create func(c *edt.Ctx) guid.GUID) *Row {
	return call{n: pairs, act: func(c *edt.Ctx, o *objects) {
		for range o.all {
			c.DestroyEvent(create(c))
		}
	}}.row("event-create-destroy/type="+kind, "creating an event and destroying it")
}

// satisfyRow satisfies sticky events for which EDTs of one slot wait.
func satisfyRow(waiters int) *Row {
	return call{
		n: batch / max(waiters, 1), readies: waiters > 0,
		prepare: func(c *edt.Ctx, o *objects) {
			newStickies(c, o)
			for _, e := range o.all {
				for range waiters {
					c.NewEDT(bare[1], nil, edt.From(e, datablock.RW))
				}
			}
		},
		act: satisfyAll, tidy: destroyEvents,
	}.row(fmt.Sprintf("satisfy/waiters=%d", waiters),
		"satisfying a sticky event that so many EDTs wait for, which makes them ready")
}

// dependRow connects slots of EDTs to events. No EDT becomes ready meanwhile: each has a second slot, which is
// connected afterwards.
func dependRow() *Row {
	return call{
		readies: true,
		prepare: func(c *edt.Ctx, o *objects) {
			newStickies(c, o)
			for k := range o.targets {
				o.targets[k] = c.NewEDT(bare[2], nil)
			}
		},
		act: func(c *edt.Ctx, o *objects) {
			for k, target := range o.targets {
				c.AddDependence(o.all[k], target, 0, datablock.RW)
			}
		},
		tidy: func(c *edt.Ctx, o *objects) {
			satisfyAll(c, o)
			destroyEvents(c, o)
			for _, e := range o.targets {
				c.AddDependence(guid.Null, e, 1, datablock.Null)
			}
		},
	}.row("add-dependence/from=event/to=edt", "adding a dependence: an EDT's slot waits for an event")
}

func satisfyAll(c *edt.Ctx, o *objects) {
	for _, e := range o.all {
		c.Satisfy(e, guid.Null)
	}
}

func newStickies(c *edt.Ctx, o *objects) {
	for k := range o.all {
		o.all[k] = c.NewEvent(edt.Sticky)
	}
}

func destroyEvents(c *edt.Ctx, o *objects) {
	for _, e := range o.all {
		c.DestroyEvent(e)
	}
}

// makeChans makes channels, which the garbage collector frees.
func makeChans(n int) int {
	for range n {
		goruntime.KeepAlive(make(chan struct{}, 1))
	}
	return n
}
