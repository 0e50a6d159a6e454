package edt

import (
	"ocr/datablock"
	"ocr/guid"
)

// observers are several observers of one worker.
type observers []Observer

func (observers) closed() {}

// join makes one observer of two, the second of which may be nil.
func join(first, second Observer) Observer {
	if second == nil {
		return first
	}
	return observers{first, second}
}

func (all observers) EDTCreated(edt guid.GUID, t *Template, slots int) {
	for _, o := range all {
		o.EDTCreated(edt, t, slots)
	}
}

func (all observers) EDTReady(edt guid.GUID) {
	for _, o := range all {
		o.EDTReady(edt)
	}
}

func (all observers) EDTBegin(edt guid.GUID, t *Template, in Args) {
	for _, o := range all {
		o.EDTBegin(edt, t, in)
	}
}

func (all observers) EDTReturned(edt guid.GUID) {
	for _, o := range all {
		o.EDTReturned(edt)
	}
}

func (all observers) EDTEnded(edt guid.GUID) {
	for _, o := range all {
		o.EDTEnded(edt)
	}
}

func (all observers) EDTDestroyed(edt guid.GUID) {
	for _, o := range all {
		o.EDTDestroyed(edt)
	}
}

func (all observers) EventCreated(event guid.GUID, t EventType) {
	for _, o := range all {
		o.EventCreated(event, t)
	}
}

func (all observers) EventSatisfied(event, from, block guid.GUID, slot int) {
	for _, o := range all {
		o.EventSatisfied(event, from, block, slot)
	}
}

func (all observers) EventDestroyed(event guid.GUID) {
	for _, o := range all {
		o.EventDestroyed(event)
	}
}

func (all observers) DependenceAdded(source, dst guid.GUID, slot int, mode datablock.Mode) {
	for _, o := range all {
		o.DependenceAdded(source, dst, slot, mode)
	}
}

func (all observers) SlotSatisfied(edt guid.GUID, slot int, from, block guid.GUID) {
	for _, o := range all {
		o.SlotSatisfied(edt, slot, from, block)
	}
}

func (all observers) BlockCreated(block guid.GUID, size int, bytes []byte) []byte {
	for _, o := range all {
		bytes = o.BlockCreated(block, size, bytes)
	}
	return bytes
}

func (all observers) BlockReleased(block guid.GUID, mode datablock.Mode, downgraded bool) {
	for _, o := range all {
		o.BlockReleased(block, mode, downgraded)
	}
}

func (all observers) BlockDestroyed(block guid.GUID) {
	for _, o := range all {
		o.BlockDestroyed(block)
	}
}

func (all observers) WorkerIdle() {
	for _, o := range all {
		o.WorkerIdle()
	}
}

func (all observers) WorkerParked() {
	for _, o := range all {
		o.WorkerParked()
	}
}

func (all observers) WorkerWoke() {
	for _, o := range all {
		o.WorkerWoke()
	}
}

func (all observers) WorkerBusy() {
	for _, o := range all {
		o.WorkerBusy()
	}
}

func (all observers) WorkerStole(victim int) {
	for _, o := range all {
		o.WorkerStole(victim)
	}
}

func (all observers) BlockSynchronised(block guid.GUID) {
	for _, o := range all {
		o.BlockSynchronised(block)
	}
}

func (all observers) ScopeOpened(scope, edt guid.GUID) {
	for _, o := range all {
		o.ScopeOpened(scope, edt)
	}
}

func (all observers) ScopeClosed(scope, output guid.GUID) {
	for _, o := range all {
		o.ScopeClosed(scope, output)
	}
}

func (all observers) LabelTaken(label guid.GUID) {
	for _, o := range all {
		o.LabelTaken(label)
	}
}

func (all observers) EDTPanicked(v any) {
	for _, o := range all {
		o.EDTPanicked(v)
	}
}

func (all observers) CallDeferred(call uint64) {
	for _, o := range all {
		o.CallDeferred(call)
	}
}

func (all observers) CallResumed(call uint64) {
	for _, o := range all {
		o.CallResumed(call)
	}
}
