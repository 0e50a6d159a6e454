package runtime

import (
	"ocr/edt"
	"ocr/internal/core/word"
)

// A deque holds the ready EDTs of a worker: the worker pushes and pops at the
// bottom, thieves take from the top (Chase and Lev, "Dynamic circular
// work-stealing deque", SPAA 2005).
//
// Concurrency: bottom and ring are written by the owner only. top is advanced by
// compare-and-swap, by a thief or by the owner for the last entry; the worker that advances it
// past an entry owns that entry. A push stores the entry before bottom; a thief
// loads bottom before the entry, so it sees what it takes. For the last entry the
// compare-and-swap on top decides alone. Any other is popped without one, after bottom
// was stored and top loaded, while a thief loads top before bottom: of owner and
// thieves one sees the other, which needs that store and load not to be swapped.
// Go's atomics are sequentially consistent, which gives all of this. An entry may
// be overwritten while a thief reads it only after top has moved on, and then the
// thief's compare-and-swap fails.
type deque struct {
	bottom word.Int64
	_      [56]byte
	top    word.Int64
	_      [56]byte
	ring   word.Pointer[ring]
}

type ring struct {
	mask    int64
	entries []word.Uint64
}

func newRing(capacity int) *ring {
	return &ring{mask: int64(capacity - 1), entries: make([]word.Uint64, capacity)}
}

// init makes room for capacity entries, a power of two; the deque grows as needed.
func (d *deque) init(capacity int) { d.ring.Store(newRing(capacity)) }

// push adds an EDT at the bottom. Owner only. Its store to bottom is also the
// store of the wake-up protocol in park.go.
func (d *deque) push(k edt.Ready) {
	b := d.bottom.Load()
	r := d.ring.Load()
	if b-d.top.Load() > r.mask {
		r = d.grow(r, b)
	}
	r.put(b, k)
	d.bottom.Store(b + 1)
}

// pop takes the newest EDT, 0 if there is none. Owner only.
func (d *deque) pop() edt.Ready {
	b := d.bottom.Load() - 1
	if b < d.top.Load() {
		return 0 // empty; top never passes bottom, so it stays so
	}
	d.bottom.Store(b)
	t := d.top.Load()
	if t < b {
		return d.ring.Load().get(b)
	}
	var k edt.Ready
	if t == b {
		k = d.ring.Load().get(b)
		if !d.top.CompareAndSwap(t, t+1) {
			k = 0
		}
	}
	d.bottom.Store(b + 1)
	return k
}

// steal takes the oldest EDT, 0 if there is none or another worker was faster.
func (d *deque) steal() edt.Ready {
	t := d.top.Load()
	if t >= d.bottom.Load() {
		return 0
	}
	k := d.ring.Load().get(t)
	if !d.top.CompareAndSwap(t, t+1) {
		return 0
	}
	return k
}

// peek returns where the oldest EDT is and how many there are.
func (d *deque) peek() (top, n int64) {
	top = d.top.Load()
	return top, d.bottom.Load() - top
}

// empty reports whether there is nothing to steal.
func (d *deque) empty() bool { return d.top.Load() >= d.bottom.Load() }

// grow doubles the ring. Thieves that still read the old one find the same
// entries there.
func (d *deque) grow(r *ring, b int64) *ring {
	bigger := newRing(2 * len(r.entries))
	for k := d.top.Load(); k < b; k++ {
		bigger.put(k, r.get(k))
	}
	d.ring.Store(bigger)
	return bigger
}

func (r *ring) get(k int64) edt.Ready { return edt.Ready(r.entries[k&r.mask].Load()) }

// put needs no ordering of its own: the store to bottom behind it publishes it.
func (r *ring) put(k int64, v edt.Ready) { r.entries[k&r.mask].Publish(uint64(v)) }
