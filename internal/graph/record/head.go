package record

import "ocr/internal/core/word"

// A Head is the word of an event: its waiters, or that it has triggered, and with which block.
//
//	0            not triggered, without waiters
//	top bits 00  the first waiter, a [Ref]; the others follow through the links
//	top bits 10  triggered, with the block of this low GUID word
//	top bits 01  triggered, without a block
//	top bits 11  a channel event with queues, see [Channel]
//
// Concurrency: any worker that knows the event changes its head by compare-and-swap. So one word decides: a dependence
// comes before the trigger, which satisfies the dependence, or after the trigger, and finds the block.
type Head struct{ w word.Uint64 }

// A State is what a worker has seen in a [Head].
type State uint64

const (
	kindMask  = 3 << 62
	noBlock   = 1 << 62
	hasQueues = 3 << 62
)

// triggered is the state of an event that has triggered with a block, 0 for none.
func triggered(block uint64) State {
	if block == 0 {
		return noBlock
	}
	return State(block)
}

// IsTriggered reports whether the event, which is no channel event, has triggered.
func (s State) IsTriggered() bool { return s&kindMask != 0 }

// Waiters returns the first waiter of the event, 0 for none and if the event has triggered.
func (s State) Waiters() Ref {
	if s.IsTriggered() {
		return 0
	}
	return Ref(s)
}

// Block returns the low GUID word of the block with which the event has triggered, 0 for none.
func (s State) Block() uint64 {
	if s == noBlock {
		return 0
	}
	return uint64(s)
}

// Look returns the present state. Any worker may call it while the event exists.
func (h *Head) Look() State { return State(h.w.Load()) }

// Push adds a waiter to an event that was in state seen, and reports whether it still was. own is the waiter's link
// without the next waiter.
//
// The worker that connects the waiter calls it; no other worker knows the waiter yet. If Push reports true the event
// may trigger and be freed, and the waiter may be satisfied, run and end: the worker must touch neither again. But it
// may touch the record of a counted event until it has counted its own use ([Count.Use]).
//
// Subtle: the link is stored before the swap, which publishes it. It pairs with the swap of [Head.Trigger], after which
// [Next] reads the link.
func (h *Head) Push(seen State, ref Ref, link *Link, own Link) bool {
	word.Publish(link, own|uint64(seen))
	return h.w.CompareAndSwap(uint64(seen), uint64(ref))
}

// TryPush is Look and Push in one try. It fails if the event has triggered, and may fail because another worker changes
// the head at the same time. If it fails, no other worker has seen link.
func (h *Head) TryPush(ref Ref, link *Link, own Link) bool {
	seen := h.w.Load()
	if seen&kindMask != 0 {
		return false
	}
	word.Publish(link, own|seen)
	return h.w.CompareAndSwap(seen, uint64(ref))
}

// Trigger triggers an event that was in state seen, and reports whether it still was. The block's low GUID word is
// 0 for none.
//
// Any worker may call it. If it reports true the waiters of seen are the caller's, each to satisfy once. The caller
// must not touch a sticky or idempotent event again, as an EDT that it makes ready may destroy the event; of a once
// event the caller is the only user from then on.
//
// Trigger pairs with [Head.Push] and, for a waiter that comes later, with [Head.Look].
func (h *Head) Trigger(seen State, block uint64) bool {
	return h.w.CompareAndSwap(uint64(seen), uint64(triggered(block)))
}

// TriggerWith is Trigger with a block that is not 0.
func (h *Head) TriggerWith(seen State, block uint64) bool {
	return h.w.CompareAndSwap(uint64(seen), block)
}

// TryTrigger is Look and Trigger in one try. It fails if the event has triggered, and may fail because another worker
// changes the head at the same time.
func (h *Head) TryTrigger(block uint64) (waiters Ref, first bool) {
	seen := State(h.w.Load())
	return Ref(seen), seen&kindMask == 0 && h.Trigger(seen, block)
}

// TriggerLast triggers an event for the worker that has counted it to zero ([Count.Step]): no other worker triggers it,
// and the waiters are the caller's.
func (h *Head) TriggerLast() (waiters Ref) { return Ref(h.w.Swap(noBlock)) }

// Begin sets the head of an event that no other worker knows yet: to one waiter, or to 0 for none.
func (h *Head) Begin(waiter Ref) { h.w.Init(uint64(waiter)) }

// IsIdle reports whether an event has triggered, or nothing waits in its head: then the event can be destroyed without
// a look at waiters.
func (s State) IsIdle() bool { return int64(s+noBlock) < 0 || s == 0 }
