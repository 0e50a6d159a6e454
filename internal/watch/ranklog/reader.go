package ranklog

import (
	"ocr/edt"
	"ocr/guid"
)

// A Reader gets on rank 0 the records of a worker of any rank: by the methods of [edt.Observer], and by methods of its
// own in place of those with arguments that exist only on the worker's rank.
type Reader interface {
	edt.Observer
	// Now is called before each of the other methods, with the record that they report.
	Now(r *Record)
	// Created and Begins are EDTCreated and EDTBegin.
	Created(e guid.GUID, template string)
	Begins(r *Record)
	// Came is MessageCame, with the sender's rank and the moment of the sending.
	Came(from int, sent uint64)
	// Heard reports a record of [Worker.Say].
	Heard(r *Record)
}

// tell calls the reader's method for a record.
func (r *Record) tell(o Reader) {
	o.Now(r)
	switch r.kind {
	case created:
		o.Created(r.A, r.Name)
	case ready:
		o.EDTReady(r.A)
	case begins:
		o.Begins(r)
	case returned:
		o.EDTReturned(r.A)
	case ended:
		o.EDTEnded(r.A)
	case destroyed:
		o.EDTDestroyed(r.A)
	case eventCreated:
		o.EventCreated(r.A, edt.EventType(r.N))
	case eventSatisfied:
		o.EventSatisfied(r.A, r.B, r.C, r.N)
	case eventDestroyed:
		o.EventDestroyed(r.A)
	case depends:
		o.DependenceAdded(r.A, r.B, r.N, r.Mode)
	case slotSatisfied:
		o.SlotSatisfied(r.A, r.N, r.B, r.C)
	case blockCreated:
		o.BlockCreated(r.A, r.N, r.Data)
	case blockReleased:
		o.BlockReleased(r.A, r.Mode, r.N != 0)
	case callDeferred:
		o.CallDeferred(uint64(r.N))
	case callResumed:
		o.CallResumed(uint64(r.N))
	case messageSent:
		o.MessageSent(r.N, r.A, r.B, r.C)
	case messageCame:
		o.Came(r.N, r.from)
	case messageDone:
		o.MessageDone()
	case scopeOpened:
		o.ScopeOpened(r.A, r.B)
	case scopeClosed:
		o.ScopeClosed(r.A, r.B)
	case blockSynchronised:
		o.BlockSynchronised(r.A)
	case blockUnordered:
		o.BlockUnordered(r.A, edt.Unordered(r.N))
	case blockDestroyed:
		o.BlockDestroyed(r.A)
	case said:
		o.Heard(r)
	}
}
