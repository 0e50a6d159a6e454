package runtime

import (
	"ocr/edt"
	"ocr/internal/core/word"
)

// A deque holds the ready EDTs of a worker: the worker pushes and pops at the bottom, thieves take from the top (Chase
// and Lev, "Dynamic circular work-stealing deque", SPAA 2005).
//
// Concurrency: only the owner writes bottom and ring. Thieves and the owner advance top by compare-and-swap; the worker
// that advances it past an entry owns the entry. A push stores the entry, then bottom. A thief loads bottom, then the
// entry, so it reads an entry that is complete. If the owner and a thief both want the last entry, the compare-and-swap
// on top decides. The owner pops any other entry without a compare-and-swap: it stores bottom, then loads top, and a
// thief loads top, then bottom. So if the owner finds top below its entry, a thief that gets as far as this entry sees
// the new bottom. This needs the owner's store and load in this order; Go's atomics are sequentially consistent. The
// owner overwrites an entry only after top has passed it: then the compare-and-swap of a thief that still reads the
// entry fails.
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

// push adds an EDT at the bottom. Owner only. In the wake-up protocol of README.md its store to bottom is the pusher's
// store.
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
		return 0 // empty, and stays empty: only the caller pushes
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

// peek returns the position of the oldest EDT, and the number of EDTs.
func (d *deque) peek() (top, n int64) {
	top = d.top.Load()
	return top, d.bottom.Load() - top
}

// empty reports whether there is nothing to steal.
func (d *deque) empty() bool { return d.top.Load() >= d.bottom.Load() }

// grow doubles the ring. Thieves that still read the old ring find the same entries in it.
func (d *deque) grow(r *ring, b int64) *ring {
	bigger := newRing(2 * len(r.entries))
	for k := d.top.Load(); k < b; k++ {
		bigger.put(k, r.get(k))
	}
	d.ring.Store(bigger)
	return bigger
}

func (r *ring) get(k int64) edt.Ready { return edt.Ready(r.entries[k&r.mask].Load()) }

// put stores an entry. Thieves can see it after the caller's next store, to bottom or, in grow, to ring.
func (r *ring) put(k int64, v edt.Ready) { r.entries[k&r.mask].Publish(uint64(v)) }
