package workspan

import (
	"sync"
	"sync/atomic"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/word"
)

// An eventDepth is the depth of an event.
//
// Concurrency: a new event, on any worker, may take the record while an event that destroyed itself still serves its
// waiters. low names the event to which depth and kind belong; it is 0 while they change, and a reader loads low before
// and after depth. Finish scopes use such records too.
type eventDepth struct {
	low   uint64
	depth uint64
	kind  uint64 // an edt.EventType
	outer uint64 // of a finish scope: the scope around it
	queue *queue // of channels; stays with the record
}

func (e *eventDepth) begin(low uint64, t edt.EventType) {
	word.Publish(&e.low, 0)
	word.Publish(&e.depth, 0)
	word.Publish(&e.kind, uint64(t))
	if t == edt.Channel {
		if e.queue == nil {
			e.queue = new(queue)
		}
		e.queue.clear()
	}
	word.Publish(&e.low, low)
}

func (e *eventDepth) typ() edt.EventType {
	return edt.EventType(atomic.LoadUint64(&e.kind))
}

// read returns the depth, unless the record is now another event's.
func (e *eventDepth) read(low uint64) (depth uint64, ok bool) {
	if atomic.LoadUint64(&e.low) != low {
		return 0, false
	}
	depth = atomic.LoadUint64(&e.depth)
	return depth, atomic.LoadUint64(&e.low) == low
}

// A queue has the depths of the satisfactions that a channel has not paired yet.
type queue struct {
	mu     sync.Mutex
	depths []uint64
}

func (q *queue) clear() {
	q.mu.Lock()
	q.depths = nil
	q.mu.Unlock()
}

func (q *queue) push(depth uint64) {
	q.mu.Lock()
	q.depths = append(q.depths, depth)
	q.mu.Unlock()
}

// pop returns the oldest depth, 0 if there is none.
func (q *queue) pop() (depth uint64) {
	q.mu.Lock()
	if len(q.depths) > 0 {
		depth, q.depths = q.depths[0], q.depths[1:]
	}
	q.mu.Unlock()
	return depth
}

// A gone is the low GUID word of an event, and its depth. A worker keeps those of events destroyed in the current call.
type gone struct{ low, depth uint64 }

// maxGone bounds how many gones a worker remembers.
const maxGone = 1 << 12

// event returns the record of the depth of an event or a finish scope.
func (w *worker) event(event guid.GUID) *eventDepth { return w.meter.events.at(uint32(low(event))) }

// low returns the low word of a GUID, whose low half is the index of the record.
func low(g guid.GUID) uint64 {
	_, low := g.Words()
	return low
}

func (w *worker) EventCreated(event guid.GUID, t edt.EventType) {
	w.event(event).begin(low(event), t)
}

func (w *worker) EventSatisfied(event, from, _ guid.GUID, _ int) {
	if from.IsNull() {
		w.gone = w.gone[:0]
	}
	depth := max(w.depthNow(), w.depthOf(from))
	e := w.event(event)
	if low(event) == w.closed.low {
		depth = max(depth, w.closed.depth)
	}
	if e.typ() == edt.Channel {
		e.queue.push(depth)
		return
	}
	w.brings = gone{low(event), raise(&e.depth, depth)}
}

func (w *worker) EventDestroyed(event guid.GUID) {
	e := w.event(event)
	switch e.typ() {
	case edt.Sticky, edt.Idempotent, edt.Channel:
		return
	}
	if len(w.gone) == maxGone {
		w.gone = w.gone[:copy(w.gone, w.gone[maxGone/2:])]
	}
	last := gone{low(event), atomic.LoadUint64(&e.depth)}
	if w.gone = append(w.gone, last); w.brings.low == last.low {
		w.brings = last // other workers may have counted the latch since this worker reported its count
	}
}

// depthOf returns the depth that an event passes on, and removes it from a channel's queue; 0 for [guid.Null].
func (w *worker) depthOf(event guid.GUID) uint64 {
	if event.IsNull() {
		return 0
	}
	e := w.event(event)
	if depth, ok := e.read(low(event)); ok {
		if e.typ() == edt.Channel {
			return e.queue.pop()
		}
		return depth
	}
	for k := len(w.gone) - 1; k >= 0; k-- {
		if w.gone[k].low == low(event) {
			return w.gone[k].depth
		}
	}
	return 0
}
