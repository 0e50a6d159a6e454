package runtime

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// What random graphs have found, made certain.

// A firstLatch is an observer that holds its worker up where the first latch that it sees created is counted.
type firstLatch struct {
	edt.NopObserver
	latch        guid.GUID
	inside, goOn chan bool
}

func (o *firstLatch) EventCreated(event guid.GUID, t edt.EventType) {
	if t == edt.Latch {
		o.latch = event
	}
}

func (o *firstLatch) EventSatisfied(event, _, _ guid.GUID, _ int) {
	if event == o.latch && event != guid.Null {
		o.latch = guid.Null
		close(o.inside)
		<-o.goOn
	}
}

// TestDependenceOnLabelWhileItIsCreated: the creator of a labelled event is carrying out the calls that were kept for
// it. Another worker links a once event to the label meanwhile, and triggers it: the link must have been taken,
// though the once event is gone before the creator comes to it.
func TestDependenceOnLabelWhileItIsCreated(t *testing.T) {
	inside, goOn := make(chan bool), make(chan bool)
	ran := false
	r := mustRun(t, starting(func(c *edt.Ctx) {
		labels := c.NewRange(1, guid.KindEvent)
		label := c.Label(labels, 0)
		waits := c.NewTemplate("waits", 0, 1, does(func(*edt.Ctx, edt.Args) { ran = true }))
		c.NewEDT(waits, nil, edt.From(label, datablock.Null))
		c.Satisfy(label, guid.Null)
		once := c.NewEvent(edt.Once)
		c.NewEDTAt(c.Bind(0), body(c, func(c *edt.Ctx) {
			if err := c.NewLabelledLatch(label, 2); err != nil {
				t.Error(err)
			}
		}), nil)
		c.NewEDTAt(c.Bind(1), body(c, func(c *edt.Ctx) {
			<-inside
			c.AddDependence(once, label, edt.Decr, datablock.RW)
			c.Satisfy(once, guid.Null)
			close(goOn)
		}), nil)
		c.DestroyRange(labels)
	}), Workers(2), LeakReport(), Observe(func(*edt.Worker) edt.Observer {
		return &firstLatch{inside: inside, goOn: goOn}
	}))
	if !ran {
		t.Error("the EDT behind the label did not run")
	}
	leaks(t, r, 3)
}

// TestObservedSlotOfDestroyedEDT: an event triggers while an EDT that waits for it is destroyed on another worker.
// With an observer, that reads no record which the other worker writes: the race detector says whether it does.
func TestObservedSlotOfDestroyedEDT(t *testing.T) {
	for range shortened(400) {
		mustRun(t, starting(func(c *edt.Ctx) {
			event := c.NewEvent(edt.Sticky)
			victim := c.NewEDT(c.NewTemplate("victim", 0, 2, does(func(*edt.Ctx, edt.Args) {
				t.Error("an EDT ran that had an open slot")
			})), nil, edt.Open, edt.From(event, datablock.Null))
			c.NewEDTAt(c.Bind(0), body(c, func(c *edt.Ctx) { c.DestroyEDT(victim) }), nil)
			c.NewEDTAt(c.Bind(1), body(c, func(c *edt.Ctx) { c.Satisfy(event, guid.Null) }), nil)
		}), Workers(2), Observe(func(*edt.Worker) edt.Observer { return edt.NopObserver{} }))
	}
}
