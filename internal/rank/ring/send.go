package ring

import (
	"bytes"
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/core/relaxed"
	"ocr/internal/rank"
)

// inline is the longest tail, in bytes, of a message that claims all its lines at once.
const inline = 4096

// An outgoing is the sending end of a ring.
//
// Concurrency: only one goroutine sends at a time. It owns place and seen; while place has the bit queued, the holder
// of the outbox's lock owns them. Other goroutines load sent. seen is an earlier value of freed, which its owner loads
// again if the ring looks full.
type outgoing struct {
	place uint64 // the line to claim next, and the bit queued
	seen  uint64
	sent  uint64 // messages sent

	engine *Engine
	from   int       // this rank
	peer   *rankPage // of the receiver
	page   *ringPage
	lines  []line
	outbox outbox
}

// queued, a bit of place, is set while the outbox is not empty.
const queued = 1 << 63

// An outbox has the messages for which a ring had no room, in order.
type outbox struct {
	mu      sync.Mutex
	parcels []parcel
	pushing bool // a goroutine runs push
}

// A parcel is a message in an outbox, or the rest of one.
type parcel struct {
	rank.Message      // Tail is the part that is not in the ring yet
	begun        bool // the first line is in the ring
}

// send is [Engine.Send] to the receiver of the ring.
func (o *outgoing) send(m *rank.Message) {
	relaxed.Store64(&o.sent, o.sent+1) // before it can be handled
	at, n := atomic.LoadUint64(&o.place), 1
	if len(m.Tail) > 0 {
		n = linesOf(m)
	}
	if at&queued == 0 && len(m.Tail) <= inline && n <= len(o.lines)/2 && o.hasRoom(at, n) {
		relaxed.Store64(&o.place, at+uint64(n)) // (1)
		if length := len(m.Tail); length > 0 {
			if rest := m.Tail[o.begin(at, m):]; len(rest) > 0 {
				o.writeTail(at+1, rest)
			}
			o.publish(at, m, length) // (2)
		} else {
			o.line(at).body = m.Words
			o.publish(at, m, 0) // (2)
		}
	} else {
		o.sendQueued(m)
	}
	o.peer.mark(o.from) // (3)
}

// hasRoom reports whether n lines are free from a place on.
func (o *outgoing) hasRoom(at uint64, n int) bool {
	return at+uint64(n)-o.seen <= uint64(len(o.lines)) || o.room(at, n) >= n
}

// linesOf returns how many lines a message takes.
func linesOf(m *rank.Message) int {
	return 1 + max(0, len(m.Tail)-8*(lineWords-int(m.Count))+lineBytes-1)/lineBytes
}

// room returns how many lines are free from a place on. It loads the receiver's freed again if seen shows
// fewer than wanted.
func (o *outgoing) room(at uint64, wanted int) int {
	free := len(o.lines) - int(at-o.seen)
	if free < wanted {
		o.seen = atomic.LoadUint64(&o.page.freed)
		free = len(o.lines) - int(at-o.seen)
	}
	return free
}

func (o *outgoing) line(at uint64) *line { return &o.lines[at&uint64(len(o.lines)-1)] }

// begin writes the body of a message's first line, and returns how many bytes of the tail are in it.
func (o *outgoing) begin(at uint64, m *rank.Message) int {
	l := o.line(at)
	l.body = m.Words
	return copy(l.bytesFrom(m.Count), m.Tail)
}

// publish stores the head of a message's first line: the receiver may now read the line, and those behind
// it that were written before.
func (o *outgoing) publish(at uint64, m *rank.Message, length int) {
	head := uint64(m.Kind) | uint64(m.Count)<<countShift | uint64(length)<<lengthShift
	atomic.StoreUint64(&o.line(at).head, head|lap(at, len(o.lines)))
}

// writeTail writes tail to lines behind a message's first, each with its head.
func (o *outgoing) writeTail(at uint64, tail []byte) {
	for len(tail) > 0 {
		l := o.line(at)
		tail = tail[copy(l.bytesFrom(0), tail):]
		relaxed.Store64(&l.head, lap(at, len(o.lines)))
		at++
	}
}

// sendQueued sends a message behind those in the outbox.
func (o *outgoing) sendQueued(m *rank.Message) {
	o.outbox.mu.Lock()
	defer o.outbox.mu.Unlock()
	if at := atomic.LoadUint64(&o.place); at&queued == 0 {
		atomic.StoreUint64(&o.place, at|queued)
		o.engine.queues.Add(1)
	}
	o.outbox.parcels = append(o.outbox.parcels, parcel{Message: *m})
	o.move()
	if left := o.outbox.parcels; len(left) > 0 {
		last := &left[len(left)-1]
		last.Tail = bytes.Clone(last.Tail)
		if !o.outbox.pushing {
			o.outbox.pushing = true
			o.engine.pushers.Go(o.push)
		}
	}
}

// push waits at least shortPush and at most longPush between two tries.
const (
	shortPush = 20 * time.Microsecond
	longPush  = time.Millisecond
)

// push moves messages from the outbox to the ring until the outbox is empty, for a rank that does not poll.
func (o *outgoing) push() {
	for wait := shortPush; ; wait = min(2*wait, longPush) {
		time.Sleep(wait)
		o.outbox.mu.Lock()
		if o.move() {
			wait = shortPush
		}
		if len(o.outbox.parcels) == 0 {
			o.outbox.pushing = false
			o.outbox.mu.Unlock()
			return
		}
		o.outbox.mu.Unlock()
	}
}

// flush moves messages from the outbox into the free lines of the ring, and reports whether the outbox is empty.
func (o *outgoing) flush() bool {
	if atomic.LoadUint64(&o.place)&queued == 0 {
		return true
	}
	o.outbox.mu.Lock()
	defer o.outbox.mu.Unlock()
	o.move()
	return len(o.outbox.parcels) == 0
}

// move moves messages from the outbox into the free lines of the ring, and reports whether it wrote a line. The
// caller holds the lock.
func (o *outgoing) move() (moved bool) {
	at := atomic.LoadUint64(&o.place)
	if at&queued == 0 {
		return false
	}
	at &^= queued
	for len(o.outbox.parcels) > 0 {
		n, whole := o.writePart(at, o.room(at, 1), &o.outbox.parcels[0])
		moved = moved || n > 0
		at += uint64(n)
		if !whole {
			break
		}
		o.outbox.parcels[0] = parcel{}
		o.outbox.parcels = o.outbox.parcels[1:]
	}
	if o.peer.closed.Load() != 0 || o.engine.page.closed.Load() != 0 {
		o.outbox.parcels = nil
	}
	if len(o.outbox.parcels) == 0 {
		o.outbox.parcels = nil
		atomic.StoreUint64(&o.place, at)
		o.engine.queues.Add(-1)
	} else {
		atomic.StoreUint64(&o.place, at|queued)
	}
	if moved {
		o.peer.mark(o.from) // Subtle: after the store to place, which is a fence.
	}
	return moved
}

// writePart writes a parcel, or as much of it as the free lines hold. It returns how many lines it took,
// and whether it wrote the whole rest.
func (o *outgoing) writePart(at uint64, free int, p *parcel) (taken int, whole bool) {
	if free == 0 {
		return 0, false
	}
	length, first := len(p.Tail), !p.begun
	if first {
		p.Tail = p.Tail[o.begin(at, &p.Message):]
		p.begun = true
		taken = 1
	}
	part := p.Tail[:min(len(p.Tail), (free-taken)*lineBytes)]
	o.writeTail(at+uint64(taken), part)
	if first {
		o.publish(at, &p.Message, length)
	}
	p.Tail = p.Tail[len(part):]
	return taken + (len(part)+lineBytes-1)/lineBytes, len(p.Tail) == 0
}
