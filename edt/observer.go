package edt

import (
	"ocr/datablock"
	"ocr/guid"
)

// An Observer is told what happens on one worker, as it happens: recorders, checkers
// and statistics are observers. [Config.Observe] makes one for each worker. A run
// without observers pays one predictable branch for each of the calls below.
//
// All methods are called on their worker, never two at a time, and must not call
// the [Ctx] for anything but queries. Where a method tells of a call of the API, the
// EDT that made the call is [Ctx.Self]; it is Null for what the runtime does between
// EDTs, and the creator of a label's object for calls that were kept for it. Every method is called before what it tells of takes effect: what one
// observer wrote before SlotSatisfied, EDTReady or BlockReleased is visible to the
// observer of the worker on which the consequence is seen.
//
// An observer embeds [Unobserved] for the methods that it has no use for.
type Observer interface {
	// EDTCreated: an EDT was created, with so many slots. Its label, if any, is
	// not known yet.
	EDTCreated(edt guid.GUID, t *Template, slots int)
	// EDTReady: an EDT has all its blocks and goes to the host.
	EDTReady(edt guid.GUID)
	// EDTBegin: the body is about to run. An observer may replace where the
	// dependences' memory is seen; see [datablock.Dep.Relocate].
	EDTBegin(edt guid.GUID, t *Template, in Args)
	// EDTReturned: the body returned; what it holds is released next.
	EDTReturned(edt guid.GUID)
	// EDTEnded: blocks are released, the output event is satisfied, the EDT is
	// gone.
	EDTEnded(edt guid.GUID)
	// EDTPanicked: the body panicked with v, or a misuse in it ended the run. The
	// stack is still there; neither EDTReturned nor EDTEnded follow.
	EDTPanicked(v any)
	// EDTDestroyed: an EDT that never ran is destroyed.
	EDTDestroyed(edt guid.GUID)

	// EventCreated: an event was created.
	EventCreated(event guid.GUID, t EventType)
	// EventSatisfied: an event is satisfied, by a call, by an EDT's end, or, where
	// from is not Null, by another event.
	EventSatisfied(event, from, block guid.GUID, slot int)
	// EventDestroyed: an event goes, by a call or of its own.
	EventDestroyed(event guid.GUID)

	// DependenceAdded: a dependence is added, by a call or by the list that an EDT
	// is created with.
	DependenceAdded(source, dst guid.GUID, slot int, mode datablock.Mode)
	// SlotSatisfied: a slot of an EDT is satisfied with a block, by an event, or,
	// where from is Null, directly.
	SlotSatisfied(edt guid.GUID, slot int, from, block guid.GUID)

	// BlockCreated: a block was created. What comes back is what the creator is
	// given as its bytes: normally bytes itself. bytes is nil where the creator
	// does not hold the block.
	BlockCreated(block guid.GUID, size int, bytes []byte) []byte
	// BlockReleased: the EDT gives up a hold in this mode, or, where a read hold
	// is kept, downgrades it.
	BlockReleased(block guid.GUID, mode datablock.Mode, downgraded bool)
	// BlockSynchronised: EDTs order their accesses to a block by themselves; see
	// [Ctx.Synchronised].
	BlockSynchronised(block guid.GUID)
	// BlockDestroyed: a block is destroyed.
	BlockDestroyed(block guid.GUID)

	// ScopeOpened: the EDT that was created last is a finish EDT. EDTs that it, or
	// an EDT in the scope, creates are in the scope.
	ScopeOpened(scope, edt guid.GUID)
	// ScopeClosed: every EDT in a scope has ended. Its output event, if it has one,
	// is satisfied next.
	ScopeClosed(scope, output guid.GUID)
	// CallKept: a call on a label without an object is kept for the object's creator,
	// who carries it out. What comes back is handed to the creator's observer, by
	// CallResumed before it does and with nil after.
	CallKept() any
	CallResumed(kept any)
	// LabelTaken: an object was to be created under a label that has one.
	LabelTaken(label guid.GUID)

	// WorkerIdle: the worker found nothing to run, and looks for work.
	WorkerIdle()
	// WorkerParked: it goes to sleep. WorkerWoke: it was woken.
	WorkerParked()
	WorkerWoke()
	// WorkerBusy: the time without work is over.
	WorkerBusy()
	// WorkerStole: it took an EDT from another worker.
	WorkerStole(victim int)
}

// Unobserved is an [Observer] that does nothing.
type Unobserved struct{}

func (Unobserved) EDTCreated(guid.GUID, *Template, int)                    {}
func (Unobserved) EDTReady(guid.GUID)                                      {}
func (Unobserved) EDTBegin(guid.GUID, *Template, Args)                     {}
func (Unobserved) EDTReturned(guid.GUID)                                   {}
func (Unobserved) EDTEnded(guid.GUID)                                      {}
func (Unobserved) EDTPanicked(any)                                         {}
func (Unobserved) EDTDestroyed(guid.GUID)                                  {}
func (Unobserved) EventCreated(guid.GUID, EventType)                       {}
func (Unobserved) EventSatisfied(_, _, _ guid.GUID, _ int)                 {}
func (Unobserved) EventDestroyed(guid.GUID)                                {}
func (Unobserved) DependenceAdded(_, _ guid.GUID, _ int, _ datablock.Mode) {}
func (Unobserved) SlotSatisfied(_ guid.GUID, _ int, _, _ guid.GUID)        {}
func (Unobserved) BlockCreated(_ guid.GUID, _ int, bytes []byte) []byte    { return bytes }
func (Unobserved) BlockReleased(guid.GUID, datablock.Mode, bool)           {}
func (Unobserved) BlockSynchronised(guid.GUID)                             {}
func (Unobserved) BlockDestroyed(guid.GUID)                                {}
func (Unobserved) ScopeOpened(_, _ guid.GUID)                              {}
func (Unobserved) ScopeClosed(_, _ guid.GUID)                              {}
func (Unobserved) CallKept() any                                           { return nil }
func (Unobserved) CallResumed(any)                                         {}
func (Unobserved) LabelTaken(guid.GUID)                                    {}
func (Unobserved) WorkerIdle()                                             {}
func (Unobserved) WorkerParked()                                           {}
func (Unobserved) WorkerWoke()                                             {}
func (Unobserved) WorkerBusy()                                             {}
func (Unobserved) WorkerStole(int)                                         {}

// Observer returns what observes this worker, nil for nothing. It is for hosts, which
// tell it what the worker does.
func (c *Ctx) Observer() Observer { return c.obs }

// ObserveAll makes one observer of several: each is told everything, in order. It
// returns nil where there are none.
func ObserveAll(makers ...func(*Ctx) Observer) func(*Ctx) Observer {
	switch len(makers) {
	case 0:
		return nil
	case 1:
		return makers[0]
	}
	return func(c *Ctx) Observer {
		all := make(observers, len(makers))
		for k, makeOne := range makers {
			all[k] = makeOne(c)
		}
		return all
	}
}
