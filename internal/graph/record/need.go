package record

import "ocr/internal/core/word"

// A Need counts what an EDT, a node of a recorded graph or a run of one still waits for.
//
// Concurrency: each worker that satisfies something counts once, after it has written what the EDT will read. The one
// that counts last owns the record: the counts order the writes of all others before its reads.
type Need struct{ w word.Uint32 }

// CountDown counts one out and reports whether it was the last. If it was not, the worker must not touch the record
// again.
//
// Subtle: a worker that finds 1 is the last, because only those count that have not counted yet, and all others have.
// So it needs no locked decrement. The word stays 1 then; the owner does not read it.
func (n *Need) CountDown() (last bool) { return n.w.Load() == 1 || n.w.Add(^uint32(0)) == 0 }

// IsLast reports whether one is left, for the worker that is about to count it: then the record is its own.
func (n *Need) IsLast() bool { return n.w.Load() == 1 }

// Left returns how many are left, and SetLeft sets it, while no other worker can count.
func (n *Need) Left() uint32 { return n.w.Own() }

// SetLeft sets how many are left. Only the owner may call it. What it does next to let other workers count orders this
// store before their counts: it connects an event, or hands an EDT to the host.
func (n *Need) SetLeft(x uint32) { n.w.Publish(x) }

// NewNeed returns a Need of n.
func NewNeed(x uint32) (n Need) {
	n.w.Init(x)
	return n
}
