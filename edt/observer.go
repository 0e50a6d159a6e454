package edt

import (
	"slices"
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
)

// An Observer gets a call for each thing that happens on one worker, as it happens:
// recorders, checkers and statistics are observers. [Config.Observe] makes one for each worker. A run
// without observers pays one predictable branch for each of the calls below.
//
// Implementations embed [NopObserver], which has an unexported method of the interface: so later versions can add
// methods. Objects are named by GUIDs and calls by numbers, so an observer can send what it gets to another process.
//
// Each observer's methods are called on its worker, one at a time. They may only call queries of the [Ctx]. If a method
// reports a call of the API, [Ctx.Self] is the EDT that made the call. It is Null between EDTs.
//
// Over ranks each rank has observers of its own: one for each of its workers, and one for
// the courier. Calls on an object are reported on its home rank.
//
// A method about objects is called before what it reports takes effect, except EDTReturned, EDTEnded and EDTPanicked.
// If an observer writes memory before it returns from SlotSatisfied, EDTGranted, EDTReady or BlockReleased, the
// observer of the worker that sees the consequence sees the write.
type Observer interface {
	closed() // see NopObserver

	// EDTCreated: an EDT was created, with this number of slots.
	EDTCreated(edt guid.GUID, t *Template, slots int)
	// EDTGranted: an EDT was granted a block for which it waited. EDTReady follows if it was the last.
	EDTGranted(edt guid.GUID)
	// EDTReady: an EDT has all its blocks and goes to the host.
	EDTReady(edt guid.GUID)
	// EDTBegin: the body is about to run. An observer may give the dependences other memory: see [Worker.Relocate].
	EDTBegin(edt guid.GUID, t *Template, in Args)
	// EDTReturned: the body returned; its blocks are released next.
	EDTReturned(edt guid.GUID)
	// EDTEnded: blocks are released, the output event is satisfied, the EDT is destroyed.
	EDTEnded(edt guid.GUID)
	// EDTPanicked: the body panicked with v, or a misuse in it ended the run. The
	// stack is still there; neither EDTReturned nor EDTEnded follow.
	EDTPanicked(v any)
	// EDTDestroyed: an EDT that never ran is destroyed.
	EDTDestroyed(edt guid.GUID)

	// EventCreated: an event was created.
	EventCreated(event guid.GUID, t EventType)
	// EventSatisfied: an event is satisfied, by a call, by an EDT's end, or, if from is not Null, by another event. A
	// satisfaction that an idempotent event ignores is not reported, unless it comes at the same time as the first.
	EventSatisfied(event, from, block guid.GUID, slot int)
	// EventDestroyed: an event is destroyed, by a call or by itself.
	EventDestroyed(event guid.GUID)

	// DependenceAdded: a dependence is added, by a call or by the list that an EDT is created with.
	DependenceAdded(source, dst guid.GUID, slot int, mode datablock.Mode)
	// SlotSatisfied: a slot of an EDT is satisfied with a block, by an event, or, if from is Null, directly.
	SlotSatisfied(edt guid.GUID, slot int, from, block guid.GUID)

	// BlockCreated: a block was created. The creator gets the returned slice as the block's bytes: normally bytes
	// itself. bytes is nil if the creator does not hold the block.
	BlockCreated(block guid.GUID, size int, bytes []byte) []byte
	// BlockReleased: the EDT gives up a hold in this mode, or, if downgraded is set, keeps read access alone.
	BlockReleased(block guid.GUID, mode datablock.Mode, downgraded bool)
	// BlockUnordered: EDTs may use a block in no order; see [Ctx.AllowUnordered] and [Ctx.Synchronised].
	BlockUnordered(block guid.GUID, uses Unordered)
	// BlockDestroyed: a block is destroyed.
	BlockDestroyed(block guid.GUID)

	// ScopeOpened: the EDT that was created last is a finish EDT. EDTs that this EDT, or an EDT in the scope, creates are
	// in the scope.
	ScopeOpened(scope, edt guid.GUID)
	// ScopeClosed: every EDT in a scope has ended. Its output event, if it has one, is satisfied next.
	ScopeClosed(scope, output guid.GUID)
	// CallDeferred: the EDT that made an [External] defers the External's next satisfaction: a worker will carry it out
	// between two EDTs. That worker's observer gets the number of the call in CallResumed before the satisfaction, and 0
	// after it. Numbers begin at 1 and are unique in a run.
	CallDeferred(call uint64)
	CallResumed(call uint64)

	// WorkerIdle: the worker found no EDT to run, and searches for one.
	WorkerIdle()
	// WorkerParked: the worker blocks its thread. WorkerWoke: another worker, a goroutine or the run's end woke it.
	WorkerParked()
	WorkerWoke()
	// WorkerBusy: the worker has found an EDT, or the run is over.
	WorkerBusy()
	// WorkerStole: the worker took an EDT from another worker.
	WorkerStole(victim int)
}

// NopObserver is an [Observer] that does nothing. Every other observer embeds it.
type NopObserver struct{}

func (NopObserver) closed() {}

func (NopObserver) EDTCreated(guid.GUID, *Template, int)                    {}
func (NopObserver) EDTGranted(guid.GUID)                                    {}
func (NopObserver) EDTReady(guid.GUID)                                      {}
func (NopObserver) EDTBegin(guid.GUID, *Template, Args)                     {}
func (NopObserver) EDTReturned(guid.GUID)                                   {}
func (NopObserver) EDTEnded(guid.GUID)                                      {}
func (NopObserver) EDTPanicked(any)                                         {}
func (NopObserver) EDTDestroyed(guid.GUID)                                  {}
func (NopObserver) EventCreated(guid.GUID, EventType)                       {}
func (NopObserver) EventSatisfied(_, _, _ guid.GUID, _ int)                 {}
func (NopObserver) EventDestroyed(guid.GUID)                                {}
func (NopObserver) DependenceAdded(_, _ guid.GUID, _ int, _ datablock.Mode) {}
func (NopObserver) SlotSatisfied(_ guid.GUID, _ int, _, _ guid.GUID)        {}
func (NopObserver) BlockCreated(_ guid.GUID, _ int, bytes []byte) []byte    { return bytes }
func (NopObserver) BlockReleased(guid.GUID, datablock.Mode, bool)           {}
func (NopObserver) BlockUnordered(guid.GUID, Unordered)                     {}
func (NopObserver) BlockDestroyed(guid.GUID)                                {}
func (NopObserver) ScopeOpened(_, _ guid.GUID)                              {}
func (NopObserver) ScopeClosed(_, _ guid.GUID)                              {}
func (NopObserver) CallDeferred(uint64)                                     {}
func (NopObserver) CallResumed(uint64)                                      {}
func (NopObserver) WorkerIdle()                                             {}
func (NopObserver) WorkerParked()                                           {}
func (NopObserver) WorkerWoke()                                             {}
func (NopObserver) WorkerBusy()                                             {}
func (NopObserver) WorkerStole(int)                                         {}

// ObserveAll makes one observer of several. Each call goes to all, from the first to the last, but EDTBegin from the
// last to the first. So between EDTBegin and EDTReturned the first observer sees only the body, not the work of other
// observers. ObserveAll returns nil if there are no makers. A maker may be nil, or return nil.
func ObserveAll(makers ...func(*Worker) Observer) func(*Worker) Observer {
	if len(makers) == 0 {
		return nil
	}
	return func(w *Worker) Observer {
		var all observers
		for _, makeOne := range makers {
			if makeOne == nil {
				continue
			}
			if o := makeOne(w); o != nil {
				all = append(all, o)
			}
		}
		switch len(all) {
		case 0:
			return nil
		case 1:
			return all[0]
		}
		return all
	}
}

// observers are several observers of one worker, see [ObserveAll].
type observers []Observer

func (all observers) each(tell func(o Observer)) {
	for _, o := range all {
		tell(o)
	}
}

func (observers) closed() {}

// BlockCreated gives each observer the bytes that the one before it has returned.
func (all observers) BlockCreated(block guid.GUID, size int, bytes []byte) []byte {
	all.each(func(o Observer) { bytes = o.BlockCreated(block, size, bytes) })
	return bytes
}

func (all observers) EDTCreated(edt guid.GUID, t *Template, slots int) {
	all.each(func(o Observer) { o.EDTCreated(edt, t, slots) })
}
func (all observers) EDTGranted(edt guid.GUID) { all.each(func(o Observer) { o.EDTGranted(edt) }) }
func (all observers) EDTReady(edt guid.GUID)   { all.each(func(o Observer) { o.EDTReady(edt) }) }
func (all observers) EDTBegin(edt guid.GUID, t *Template, in Args) {
	for _, o := range slices.Backward(all) {
		o.EDTBegin(edt, t, in)
	}
}
func (all observers) EDTReturned(edt guid.GUID)  { all.each(func(o Observer) { o.EDTReturned(edt) }) }
func (all observers) EDTEnded(edt guid.GUID)     { all.each(func(o Observer) { o.EDTEnded(edt) }) }
func (all observers) EDTPanicked(v any)          { all.each(func(o Observer) { o.EDTPanicked(v) }) }
func (all observers) EDTDestroyed(edt guid.GUID) { all.each(func(o Observer) { o.EDTDestroyed(edt) }) }
func (all observers) EventCreated(event guid.GUID, t EventType) {
	all.each(func(o Observer) { o.EventCreated(event, t) })
}
func (all observers) EventSatisfied(event, from, block guid.GUID, slot int) {
	all.each(func(o Observer) { o.EventSatisfied(event, from, block, slot) })
}
func (all observers) EventDestroyed(event guid.GUID) {
	all.each(func(o Observer) { o.EventDestroyed(event) })
}
func (all observers) DependenceAdded(source, dst guid.GUID, slot int, mode datablock.Mode) {
	all.each(func(o Observer) { o.DependenceAdded(source, dst, slot, mode) })
}
func (all observers) SlotSatisfied(edt guid.GUID, slot int, from, block guid.GUID) {
	all.each(func(o Observer) { o.SlotSatisfied(edt, slot, from, block) })
}
func (all observers) BlockReleased(block guid.GUID, mode datablock.Mode, downgraded bool) {
	all.each(func(o Observer) { o.BlockReleased(block, mode, downgraded) })
}
func (all observers) BlockUnordered(block guid.GUID, uses Unordered) {
	all.each(func(o Observer) { o.BlockUnordered(block, uses) })
}
func (all observers) BlockDestroyed(block guid.GUID) {
	all.each(func(o Observer) { o.BlockDestroyed(block) })
}
func (all observers) ScopeOpened(scope, edt guid.GUID) {
	all.each(func(o Observer) { o.ScopeOpened(scope, edt) })
}
func (all observers) ScopeClosed(scope, output guid.GUID) {
	all.each(func(o Observer) { o.ScopeClosed(scope, output) })
}
func (all observers) CallDeferred(call uint64) { all.each(func(o Observer) { o.CallDeferred(call) }) }
func (all observers) CallResumed(call uint64)  { all.each(func(o Observer) { o.CallResumed(call) }) }
func (all observers) WorkerIdle()              { all.each(func(o Observer) { o.WorkerIdle() }) }
func (all observers) WorkerParked()            { all.each(func(o Observer) { o.WorkerParked() }) }
func (all observers) WorkerWoke()              { all.each(func(o Observer) { o.WorkerWoke() }) }
func (all observers) WorkerBusy()              { all.each(func(o Observer) { o.WorkerBusy() }) }
func (all observers) WorkerStole(victim int)   { all.each(func(o Observer) { o.WorkerStole(victim) }) }

// The functions below report to the worker's observer, with GUIDs. Most are called only if there is an observer; a run
// that records sites has one.

// deliverFrom notes, for the observer, the event that satisfies the next slots and events.
func (c *Ctx) deliverFrom(event uint64) {
	if c.obs != nil {
		c.source = event
	}
}

// observeSatisfied reports a satisfaction, and notes the event as the source of the satisfactions that follow.
func (c *Ctx) observeSatisfied(i uint32, e *event, block uint64, slot int) {
	lo := e.Low(i)
	c.obs.EventSatisfied(c.g.eventGUID(lo), c.g.eventGUID(c.source), c.g.blockGUID(block), slot)
	c.source = lo
}

// observeFill reports that a slot is satisfied.
func (c *Ctx) observeFill(i uint32, t *edtRecord, s *slot, block uint64) {
	first := unsafe.SliceData(c.g.slotsOf(t))
	n := (uintptr(unsafe.Pointer(s)) - uintptr(unsafe.Pointer(first))) / unsafe.Sizeof(*s)
	c.obs.SlotSatisfied(c.g.edtGUID(i, t), int(n), c.g.eventGUID(c.source), c.g.blockGUID(block))
}

// observeSources reports the dependences that an EDT is created with. A slot with an event as source is reported as
// satisfied only when the event satisfies it.
func (c *Ctx) observeSources(g guid.GUID, deps []Source) {
	for n := range deps {
		d := &deps[n]
		if d.id.IsUninitialized() {
			continue // connected later
		}
		c.obs.DependenceAdded(d.id, g, n, d.mode)
		if !c.isEvent(d.id) {
			c.obs.SlotSatisfied(g, n, guid.Null, d.id)
		}
	}
}

// observeRelease reports that the running EDT gives up its hold on a block.
func (c *Ctx) observeRelease(word uint64, mode datablock.Mode) {
	if c.obs != nil {
		c.obs.BlockReleased(c.g.blockGUID(word), mode, false)
	}
}
