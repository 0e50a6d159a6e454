package edt

import (
	"sync"
	"sync/atomic"

	"ocr/guid"
)

// A fifo is a queue in a ring that grows; in a steady state it allocates nothing.
type fifo struct {
	ring    []uint64
	head, n int
}

func (f *fifo) push(v uint64) {
	if f.n == len(f.ring) {
		bigger := make([]uint64, max(4, 2*len(f.ring)))
		for k := range f.n {
			bigger[k] = f.ring[(f.head+k)&(len(f.ring)-1)]
		}
		f.ring, f.head = bigger, 0
	}
	f.ring[(f.head+f.n)&(len(f.ring)-1)] = v
	f.n++
}

func (f *fifo) pop() uint64 {
	v := f.ring[f.head]
	f.head = (f.head + 1) & (len(f.ring) - 1)
	f.n--
	return v
}

// A channel event is one word, its head, for as long as at most one satisfaction or
// one dependence waits in it:
//
//	0            nothing waits
//	top bits 00  this dependence waits
//	top bits 10  a satisfaction with the block of this low GUID word waits
//	top bits 01  a satisfaction without a block waits
//	top bits 11  more wait: they are in the queues of a channel
//
// The first four states change by compare-and-swap alone. A dependence or satisfaction
// that is put there waits; the call that takes it out is its partner. It waits alone, so
// it is the first one, and the k-th satisfaction meets the k-th dependence.
const headQueued = 3 << 62

// A channel has the queues of a channel event in which more than one satisfaction, or
// more than one dependence, waits; one of the queues is always empty.
//
// Concurrency: everything is under mu. The event's head becomes headQueued under mu,
// by a compare-and-swap from the one that waited alone, which is then the first of its
// queue; and it becomes 0 under mu, when both queues are empty and reserve is 0. No worker
// changes it in between, so the order of the queues is the order of the calls. Pairs are
// delivered after unlocking, so that no EDT starts under the lock. The event of a channel
// with a reserve begins with headQueued.
type channel struct {
	mu      sync.Mutex
	sent    fifo // blocks' low GUID words
	wants   fifo // waiters
	reserve int  // satisfactions without a block, for dependences that find none in sent
}

// channels hands out channels by number, so that event records hold no pointers. 0 is
// no channel: most channel events never need one.
type channels struct {
	mu   sync.Mutex
	all  []*channel
	free []uint32
}

// of returns the channel of an event, which it gets now if it has none.
func (cs *channels) of(e *event) uint32 {
	if k := atomic.LoadUint32(&e.channel); k != 0 {
		return k
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if e.channel != 0 {
		return e.channel
	}
	k := uint32(len(cs.all) + 1)
	if last := len(cs.free) - 1; last >= 0 {
		k, cs.free = cs.free[last], cs.free[:last]
	} else {
		cs.all = append(cs.all, new(channel))
	}
	atomic.StoreUint32(&e.channel, k)
	return k
}

// waiters returns the dependences that wait in a channel.
func (cs *channels) waiters(k uint32) (refs []uint64) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if k == 0 || int(k) > len(cs.all) { // it was read while the event went
		return nil
	}
	ch := cs.all[k-1]
	ch.mu.Lock()
	defer ch.mu.Unlock()
	for n := range ch.wants.n {
		refs = append(refs, ch.wants.ring[(ch.wants.head+n)&(len(ch.wants.ring)-1)])
	}
	return refs
}

func (cs *channels) release(k uint32) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	ch := cs.all[k-1]
	ch.sent, ch.wants, ch.reserve = fifo{ring: ch.sent.ring}, fifo{ring: ch.wants.ring}, 0
	cs.free = append(cs.free, k)
}

// A meeting is how one side of a channel event found the other.
type meeting uint8

const (
	met      meeting = iota // paired with the one that had waited longest
	reserved                // a dependence, paired with a satisfaction of the reserve
	queued                  // waits for a partner
	full                    // may not wait: the bound is reached
)

// send is a satisfaction of a channel event.
func (c *Ctx) send(op string, g guid.GUID, e *event, block uint64) {
	if c.obs != nil {
		_, lo := g.Words()
		c.observeSatisfied(uint32(lo), e, block, Decr)
	}
	for {
		switch h := atomic.LoadUint64(&e.head); {
		case h == 0:
			if atomic.CompareAndSwapUint64(&e.head, 0, triggered(block)) {
				c.source = 0
				return
			}
		case h&headKind == 0:
			if atomic.CompareAndSwapUint64(&e.head, h, 0) {
				c.deliver(h, block)
				c.source = 0
				return
			}
		default:
			bound := e.count
			ref, m, ok := c.meet(e, true, block)
			if !ok {
				continue
			}
			if m == full {
				c.misuse(op, ErrFull, g, "%d satisfactions wait for a dependence", bound)
			}
			if m == met {
				c.deliver(ref, block)
			}
			c.source = 0
			return
		}
	}
}

// receive is a dependence on a channel event.
func (c *Ctx) receive(g guid.GUID, e *event, ref uint64) {
	_, lo := g.Words()
	for {
		switch h := atomic.LoadUint64(&e.head); {
		case h == 0:
			if atomic.CompareAndSwapUint64(&e.head, 0, ref) {
				return
			}
		case h&headKind != 0 && h&headKind != headQueued:
			if atomic.CompareAndSwapUint64(&e.head, h, 0) {
				c.deliverChannel(lo, ref, blockOf(h))
				return
			}
		default:
			bound := e.count
			block, m, ok := c.meet(e, false, ref)
			if !ok {
				continue
			}
			if m == full {
				c.misuse("add dependence", ErrFull, g, "%d dependences wait for a satisfaction", bound)
			}
			if m == reserved && c.obs != nil {
				c.observeSatisfied(uint32(lo), e, 0, Decr)
			}
			if m == met || m == reserved {
				c.deliverChannel(lo, ref, block)
			}
			return
		}
	}
}

func (c *Ctx) deliverChannel(event, ref, block uint64) {
	c.deliverFrom(event)
	c.deliver(ref, block)
	c.source = 0
}

// meet pairs v, a satisfaction (sends) or a dependence, with the first of the other
// side, or queues it. It reports false if the head is one that needs no lock. The
// event may be gone afterwards.
func (c *Ctx) meet(e *event, sends bool, v uint64) (partner uint64, m meeting, ok bool) {
	ch := c.channel(c.g.channels.of(e))
	ch.mu.Lock()
	defer ch.mu.Unlock()
	own, partners := &ch.wants, &ch.sent
	if sends {
		own, partners = partners, own
	}
	if h := atomic.LoadUint64(&e.head); h&headKind != headQueued {
		alone := h != 0 && (h&headKind != 0) == sends // one of our own side waits
		if !alone || !atomic.CompareAndSwapUint64(&e.head, h, headQueued) {
			return 0, 0, false
		}
		if sends {
			h = blockOf(h)
		}
		own.push(h)
	}
	switch {
	case partners.n > 0:
		partner, m = partners.pop(), met
	case !sends && ch.reserve > 0:
		ch.reserve--
		m = reserved
	case e.count != Unbounded && own.n+ch.reserve >= int(e.count):
		return 0, full, true
	default:
		own.push(v)
		return 0, queued, true
	}
	if partners.n+ch.reserve == 0 {
		atomic.StoreUint64(&e.head, 0)
	}
	return partner, m, true
}

// channel looks a channel up in the worker's own copy of the list first.
func (c *Ctx) channel(k uint32) *channel {
	if int(k) > len(c.chans) {
		c.g.channels.mu.Lock()
		c.chans = c.g.channels.all
		c.g.channels.mu.Unlock()
	}
	return c.chans[k-1]
}

// abandonQueues drops the dependences in the queues of an event that is destroyed.
func (c *Ctx) abandonQueues(g guid.GUID, e *event) {
	ch := c.channel(e.channel)
	ch.mu.Lock()
	var refs []uint64
	for ch.wants.n > 0 {
		refs = append(refs, ch.wants.pop())
	}
	ch.mu.Unlock()
	for _, ref := range refs {
		c.abandonOne(g, ref)
	}
	c.g.channels.release(e.channel)
}
