package record

import "ocr/internal/core/word"

// A Need counts what an EDT, a node of a recorded graph or a run of such a graph still waits for.
//
// Concurrency: each worker that satisfies a slot, or ends a node, counts once for it, after it has written what the EDT
// will read. The worker that counts last owns the record: the counts order the writes of all others before its reads.
type Need struct{ w word.Uint32 }

// CountDown counts down, and reports whether it was the last count. If it was not, the worker must not touch the record
// again.
//
// Subtle: a worker that finds 1 is the last, because only workers that have not counted yet count. So it needs no
// locked decrement. The word then stays 1; the owner does not read it.
func (n *Need) CountDown() (last bool) { return n.w.Load() == 1 || n.w.Add(^uint32(0)) == 0 }

// IsLast reports whether one count is left. The worker that is about to make this count then owns the record.
func (n *Need) IsLast() bool { return n.w.Load() == 1 }

// Left returns how many counts are left. No other worker may count at the same time.
func (n *Need) Left() uint32 { return n.w.Own() }

// SetLeft sets how many counts are left. Only the owner may call it. The owner then connects an event, or hands an EDT
// to the host, which orders this store before the counts of other workers.
func (n *Need) SetLeft(x uint32) { n.w.Publish(x) }

// NewNeed returns a Need of x counts.
func NewNeed(x uint32) (n Need) {
	n.w.Init(x)
	return n
}
