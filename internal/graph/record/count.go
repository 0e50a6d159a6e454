package record

import "ocr/internal/core/word"

// A Count is the second word of an event. Its meaning depends on the event's type: the count of a latch, the uses that
// a counted event has left, the tokens of a finish scope that EDTs and workers have, the bound of a channel event.
//
// Concurrency: any worker may add to it. The worker whose addition makes it 0 owns the record of the event, and frees
// it. Another worker must not touch the record after its addition, unless that was [Count.Take].
type Count struct{ w word.Int64 }

// Begin sets the count of an event that no other worker knows yet.
func (c *Count) Begin(n int64) { c.w.Init(n) }

// Value returns the count, for reports, and as the bound of a channel event, which never changes.
func (c *Count) Value() int64 { return c.w.Own() }

// Step counts a latch up or down, and reports whether the latch triggers.
//
// Subtle: the sum that the addition returns decides. Another look would find the count of a later call, or the record
// of another event.
func (c *Count) Step(d int64) (zero bool) { return c.w.Add(d) == 0 }

// Unsatisfied is in the count of a counted event until the event is satisfied, so dependences alone never use it up.
const Unsatisfied = 1 << 62

// A Use is what has become of a counted event.
type Use uint8

// The event stays; or is used up; or has not triggered, and has one dependence too many.
const (
	Stays Use = iota
	UsedUp
	Overused
)

// Use counts a counted event's dependence: after [Head.Push], or after reading the block if the event has triggered.
// The record is kept until each dependence has counted its use.
func (c *Count) Use() Use {
	switch c.w.Add(-1) {
	case 0:
		return UsedUp
	case Unsatisfied - 1:
		return Overused
	}
	return Stays
}

// Satisfy counts the trigger of a counted event, and reports whether the event is used up.
func (c *Count) Satisfy() (usedUp bool) { return c.w.Add(-Unsatisfied) == 0 }

// Take takes n tokens of a finish scope. The caller has one already, as it runs an EDT of the scope.
func (c *Count) Take(n int64) { c.w.Add(n) }

// Give returns n tokens to a finish scope, and reports whether the scope is closed. Then every EDT of it has ended, so
// none can take a token any more, and the caller owns the record. Otherwise the caller must not touch the record again.
func (c *Count) Give(n int64) (closed bool) { return c.w.Add(-n) == 0 }

// Enter takes a token for an EDT that another rank creates. It returns false if the scope is closed.
func (c *Count) Enter() bool {
	for {
		n := c.w.Load()
		if n == 0 {
			return false
		}
		if c.w.CompareAndSwap(n, n+1) {
			return true
		}
	}
}
