package edt

import (
	"ocr/datablock"
	"ocr/guid"
)

// observers are several observers of one worker. Each gets all calls, in order.
type observers []Observer

// join makes one observer of two, the second of which may be nil.
func join(first, second Observer) Observer {
	if second == nil {
		return first
	}
	return observers{first, second}
}

func (all observers) each(tell func(o Observer)) {
	for _, o := range all {
		tell(o)
	}
}

func (observers) closed() {}

// BlockCreated gives each the bytes that the one before it shows.
func (all observers) BlockCreated(block guid.GUID, size int, bytes []byte) []byte {
	all.each(func(o Observer) { bytes = o.BlockCreated(block, size, bytes) })
	return bytes
}

func (all observers) EDTCreated(edt guid.GUID, t *Template, slots int) {
	all.each(func(o Observer) { o.EDTCreated(edt, t, slots) })
}
func (all observers) EDTReady(edt guid.GUID) { all.each(func(o Observer) { o.EDTReady(edt) }) }
func (all observers) EDTBegin(edt guid.GUID, t *Template, in Args) {
	all.each(func(o Observer) { o.EDTBegin(edt, t, in) })
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

func (all observers) BlockSynchronised(block guid.GUID) {
	all.each(func(o Observer) { o.BlockSynchronised(block) })
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
