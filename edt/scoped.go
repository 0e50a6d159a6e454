package edt

import (
	"ocr/guid"
)

// NewScoped creates a [Sticky] event that goes with the finish scope of the running EDT: it is destroyed when the scope
// ends, before the scope's output event is satisfied, as [Ctx.DestroyEvent] would destroy it. Without a scope, or in
// one that another rank has, it lasts until the run ends. It is no leak, and the program cannot destroy it ([ErrKind]).
//
// The scope's record has the newest of its events in index, and each event the one before.
func (c *Ctx) NewScoped() guid.GUID {
	c.needRun("create event")
	i, e := c.allocEvent(Sticky)
	e.flags = eventScoped
	e.index.Begin(0)
	if c.scope != 0 && c.events.At(c.scope).typ == scopeEvent {
		c.events.At(c.scope).index.Add(i, &e.index)
	}
	return guid.FromWords(c.highEvent, e.Low(i))
}

// freeScoped destroys the events of a scope that has ended, from the newest on.
func (c *Ctx) freeScoped(i uint32) {
	for i != 0 {
		e := c.events.At(i)
		next := e.index.Get()
		c.dropEvent(guid.FromWords(c.highEvent, e.Low(i)), i, e)
		i = next
	}
}
