package record

import "ocr/internal/core/word"

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

// A Channel is a channel event. It pairs its k-th satisfaction with its k-th dependence.
//
// A satisfaction or a dependence that waits alone is in the head. Once a second one waits, all are in queues, until
// none waits any more:
//
//	0            nothing waits
//	top bits 00  this dependence waits
//	top bits 10  a satisfaction with the block of this low GUID word waits
//	top bits 01  a satisfaction without a block waits
//	top bits 11  what waits is in queues
//
// A compare-and-swap ends each of the first four states; the change to the fifth state needs the lock of the queues. If
// a call takes a satisfaction or a dependence out of the head, that is the call's partner: what waited alone is the
// first in the order.
type Channel struct {
	Head   *Head
	Queues *Index // 0 if the event has never needed queues
	Bound  int    // how many satisfactions or dependences may wait, 0 for any number
}

// queues has the satisfactions and the dependences that wait in a channel event. At least one of the two queues is
// empty.
//
// Concurrency: everything is under mu. Under mu the event's head becomes hasQueues, by a compare-and-swap from the
// satisfaction or dependence that waited alone, which is then the first of its queue. Under mu the head becomes 0
// again, when both queues are empty. No worker changes the head in between, so the order of the queues is the order of
// the calls.
type queues struct {
	mu    word.Mutex
	sent  fifo // blocks' low GUID words
	wants fifo // waiters
}

// Channels has the queues of a run's channel events. Records name them by a number, so records hold no pointers.
type Channels struct {
	mu   word.Mutex
	all  []*queues
	free []uint32
}

// KnownChannels is a worker's copy of the list of [Channels], in which it looks first.
type KnownChannels []*queues

// A Meeting says whether a call on a channel event has found a partner.
type Meeting uint8

// The results of [Channels.Send] and [Channels.Receive].
const (
	Met   Meeting = iota // paired with the partner that has waited longest
	Waits                // for a partner
	Full                 // not done: as many wait as the bound allows
)

// Send satisfies a channel event with a block. The satisfaction meets the dependence that has waited longest, waits, or
// is refused ([Full]).
//
// Any worker may call Send. If the satisfaction waits, another worker may pair it at once, and an EDT may then destroy
// the event. The caller satisfies the partner after the call, so that no EDT starts under the lock.
func (cs *Channels) Send(known *KnownChannels, ch Channel, block uint64) (partner Ref, m Meeting) {
	for {
		switch s := ch.Head.Look(); {
		case s == 0:
			if ch.Head.w.CompareAndSwap(0, uint64(triggered(block))) {
				return 0, Waits
			}
		case s&kindMask == 0:
			if ch.Head.w.CompareAndSwap(uint64(s), 0) {
				return Ref(s), Met
			}
		default:
			if v, m, ok := cs.meet(known, ch, true, block); ok {
				return Ref(v), m
			}
		}
	}
}

// Receive adds a dependence. The dependence meets the satisfaction that has waited longest (and gets its block), waits,
// or is refused. For the rest see Send.
func (cs *Channels) Receive(known *KnownChannels, ch Channel, ref Ref) (block uint64, m Meeting) {
	for {
		switch s := ch.Head.Look(); {
		case s == 0:
			if ch.Head.w.CompareAndSwap(0, uint64(ref)) {
				return 0, Waits
			}
		case s&kindMask != 0 && s&kindMask != hasQueues:
			if ch.Head.w.CompareAndSwap(uint64(s), 0) {
				return s.Block(), Met
			}
		default:
			if v, m, ok := cs.meet(known, ch, false, uint64(ref)); ok {
				return v, m
			}
		}
	}
}

// meet pairs v, a satisfaction if sends is set, else a dependence, with the first of the other side, or queues or
// refuses v. ok is false if the head has changed to a state that needs no lock.
func (cs *Channels) meet(known *KnownChannels, ch Channel, sends bool, v uint64) (partner uint64, m Meeting, ok bool) {
	q := cs.at(known, cs.of(ch.Queues))
	q.mu.Lock()
	defer q.mu.Unlock()
	own, partners := &q.wants, &q.sent
	if sends {
		own, partners = partners, own
	}
	if s := ch.Head.Look(); s&kindMask != hasQueues {
		alone := s != 0 && (s&kindMask != 0) == sends // another call of the same side waits
		if !alone || !ch.Head.w.CompareAndSwap(uint64(s), hasQueues) {
			return 0, 0, false
		}
		if sends {
			s = State(s.Block())
		}
		own.push(uint64(s))
	}
	switch {
	case partners.n == 0 && ch.Bound != 0 && own.n >= ch.Bound:
		return 0, Full, true
	case partners.n == 0:
		own.push(v)
		return 0, Waits, true
	}
	partner = partners.pop()
	if partners.n == 0 {
		ch.Head.w.Store(0)
	}
	return partner, Met, true
}

// of returns where in cs.all an event's queues are, from 1. If the event has no queues, it gets queues.
func (cs *Channels) of(x *Index) uint32 {
	if k := x.w.Load(); k != 0 {
		return k
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if k := x.w.Load(); k != 0 {
		return k
	}
	k := uint32(len(cs.all) + 1)
	if last := len(cs.free) - 1; last >= 0 {
		k, cs.free = cs.free[last], cs.free[:last]
	} else {
		cs.all = append(cs.all, new(queues))
	}
	x.w.Store(k)
	return k
}

func (cs *Channels) at(known *KnownChannels, k uint32) *queues {
	if int(k) > len(*known) {
		cs.mu.Lock()
		*known = cs.all
		cs.mu.Unlock()
	}
	return (*known)[k-1]
}

// Wanting returns the dependences that wait in a channel event, for reports.
func (cs *Channels) Wanting(head State, queues uint32) (refs []Ref) {
	if head&kindMask != hasQueues {
		if head != 0 && head&kindMask == 0 {
			refs = append(refs, Ref(head))
		}
		return refs
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.all[queues-1].wanting()
}

func (q *queues) wanting() (refs []Ref) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for n := range q.wants.n {
		refs = append(refs, Ref(q.wants.ring[(q.wants.head+n)&(len(q.wants.ring)-1)]))
	}
	return refs
}

// Release gives back the queues of an event that is destroyed, and returns the dependences that waited in them.
func (cs *Channels) Release(k uint32) (refs []Ref) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	q := cs.all[k-1]
	refs = q.wanting()
	q.sent, q.wants = fifo{ring: q.sent.ring}, fifo{ring: q.wants.ring}
	cs.free = append(cs.free, k)
	return refs
}
