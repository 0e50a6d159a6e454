package edt

import (
	"sync/atomic"

	"ocr/guid"
)

// NewScoped creates a [Sticky] event that goes with the finish scope of the running EDT: it is destroyed when the scope
// ends, before the scope's output event is satisfied, as [Ctx.DestroyEvent] would destroy it. Without a scope, or in
// one that another rank has, it lasts until the run ends. It is no leak, and the program cannot destroy it ([ErrKind]).
//
// Concurrency: the scope's record has the newest of its events in channel, and each event the one before. EDTs of the
// scope add to the list by compare-and-swap. The worker that closes the scope has the list to itself: it has returned
// the last token, and every EDT adds before it returns its own.
func (c *Ctx) NewScoped() guid.GUID {
	c.needRun("create event")
	i, e := c.allocEvent(Sticky)
	e.flags, e.channel = eventScoped, 0
	if c.scope != 0 && c.events.At(c.scope).typ == scopeEvent {
		for list := &c.events.At(c.scope).channel; ; {
			e.channel = atomic.LoadUint32(list)
			if atomic.CompareAndSwapUint32(list, e.channel, i) {
				break
			}
		}
	}
	return guid.FromWords(c.highEvent, e.Low(i))
}

// freeScoped destroys the events of a scope that has ended, from the newest on.
func (c *Ctx) freeScoped(i uint32) {
	for i != 0 {
		e := c.events.At(i)
		next := e.channel
		c.dropEvent(guid.FromWords(c.highEvent, e.Low(i)), i, e)
		i = next
	}
}
