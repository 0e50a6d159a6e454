package ranklog

import (
	"slices"

	"ocr/datablock"
	"ocr/guid"
)

// A kind is a method of [edt.Observer], or of [Reader].
type kind uint8

const (
	created kind = iota + 1
	ready
	begins
	returned
	ended
	destroyed
	eventCreated
	eventSatisfied
	eventDestroyed
	depends
	slotSatisfied
	blockCreated
	blockReleased
	blockSynchronised
	blockUnordered
	blockDestroyed
	scopeOpened
	scopeClosed
	callDeferred
	callResumed
	messageSent
	messageCame
	messageDone
	said
	cutHere // the limit was reached
	logEnds // a rank has left the run
)

// A Record is one call of an observer.
type Record struct {
	Moment uint64
	Worker int  // number among all ranks: those of rank 0, its courier, those of rank 1, ...
	Rank   int  // of the worker
	Self   bool // the worker runs an EDT, and that makes the call
	kind   kind
	N      int // slot, type, size, call, rank, or allowed uses
	Mode   datablock.Mode
	At     int64 // when an EDT has begun or returned: ns, of the machine's clock
	A      guid.GUID
	B      guid.GUID
	C      guid.GUID
	Site   string // line of the call
	Name   string // of an EDT's template
	About  string // the template's description of the EDT
	Deps   []Dep
	Data   []byte
	from   uint64 // of messageCame: moment of the sending
}

// A Dep is a dependence of an EDT that begins.
type Dep struct {
	Block guid.GUID
	Mode  datablock.Mode
	Name  string // of the slot
}

// code writes the record, or reads it.
func (r *Record) code(c *coder) {
	r.Moment -= c.moment // since the record before
	number(c, &r.Moment)
	r.Moment += c.moment
	c.moment = r.Moment
	number(c, &r.kind)
	number(c, &r.Worker)
	c.flag(&r.Self)
	number(c, &r.N)
	number(c, &r.Mode)
	for _, g := range []*guid.GUID{&r.A, &r.B, &r.C} {
		c.guid(g)
	}
	c.text(&r.Site)
	more := r.At != 0 || r.Name != "" || r.About != "" || len(r.Deps)+len(r.Data) > 0 || r.from != 0
	if c.flag(&more); !more {
		return
	}
	number(c, &r.At)
	c.text(&r.Name)
	c.text(&r.About)
	deps := c.length(len(r.Deps))
	r.Deps = slices.Grow(r.Deps, deps)[:deps]
	for k := range r.Deps {
		d := &r.Deps[k]
		c.guid(&d.Block)
		number(c, &d.Mode)
		c.text(&d.Name)
	}
	c.data(&r.Data)
	number(c, &r.from)
}
