package edt

import (
	"sync"

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

// A channel is what a channel event queues: satisfactions without a dependence,
// or dependences without a satisfaction, never both.
//
// Concurrency: everything is under mu; what was paired is delivered after
// unlocking, so that no EDT starts under the lock.
type channel struct {
	mu    sync.Mutex
	sent  fifo // blocks' low GUID words
	wants fifo // waiters
	bound int  // of either queue, 0 for none
}

// channels hands out channels by number, so that event records hold no pointers.
type channels struct {
	mu   sync.Mutex
	all  []*channel
	free []uint32
}

func (cs *channels) alloc(bound int) uint32 {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if last := len(cs.free) - 1; last >= 0 {
		k := cs.free[last]
		cs.free = cs.free[:last]
		cs.all[k].bound = bound
		return k
	}
	cs.all = append(cs.all, &channel{bound: bound})
	return uint32(len(cs.all) - 1)
}

func (cs *channels) release(k uint32) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	ch := cs.all[k]
	ch.sent, ch.wants = fifo{ring: ch.sent.ring}, fifo{ring: ch.wants.ring}
	cs.free = append(cs.free, k)
}

// A meeting is how one side of a channel event found the other.
type meeting uint8

const (
	met    meeting = iota // paired with who had waited longest
	queued                // waits for a partner
	full                  // may not wait: the bound is reached
)

// meet pairs v with the first of partners, or queues it in own.
func (ch *channel) meet(partners, own *fifo, v uint64) (partner uint64, m meeting) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	if partners.n > 0 {
		return partners.pop(), met
	}
	if ch.bound != Unbounded && own.n == ch.bound {
		return 0, full
	}
	own.push(v)
	return 0, queued
}

// send is a satisfaction of a channel event.
func (c *Ctx) send(op string, g guid.GUID, e *event, block uint64) {
	if c.obs != nil {
		_, lo := g.Words()
		c.observeSatisfied(uint32(lo), e, block, Decr)
	}
	ch := c.channel(e.channel)
	switch ref, m := ch.meet(&ch.wants, &ch.sent, block); m {
	case met:
		c.deliver(ref, block)
	case full:
		c.misuse(op, ErrFull, g, "%d satisfactions wait for a dependence", ch.bound)
	}
	c.source = 0
}

// receive is a dependence on a channel event.
func (c *Ctx) receive(g guid.GUID, e *event, ref uint64) {
	ch := c.channel(e.channel)
	switch block, m := ch.meet(&ch.sent, &ch.wants, ref); m {
	case met:
		_, lo := g.Words()
		c.deliverFrom(lo)
		c.deliver(ref, block)
		c.source = 0
	case full:
		c.misuse("add dependence", ErrFull, g, "%d dependences wait for a satisfaction", ch.bound)
	}
}

// channel looks a channel up in the worker's own copy of the list first.
func (c *Ctx) channel(k uint32) *channel {
	if int(k) >= len(c.chans) {
		c.g.channels.mu.Lock()
		c.chans = c.g.channels.all
		c.g.channels.mu.Unlock()
	}
	return c.chans[k]
}

func (c *Ctx) abandonChannel(e *event) {
	ch := c.channel(e.channel)
	ch.mu.Lock()
	var refs []uint64
	for ch.wants.n > 0 {
		refs = append(refs, ch.wants.pop())
	}
	ch.mu.Unlock()
	for _, ref := range refs {
		c.abandonOne(ref)
	}
	c.g.channels.release(e.channel)
}
