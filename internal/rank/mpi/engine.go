//go:build mpi

package mpi

// #include "shim.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/core/sys"
	"ocr/internal/rank"
)

// An Engine is one rank's part of a job of MPI.
//
// Concurrency: process.calls guards the calls of MPI and the packets under way; polling guards the reading of messages.
// Messages that are sent while handlers run wait until these have returned, and share a packet with the news.
type Engine struct {
	process *process
	rank    int
	c       *C.ocr_engine // under process.calls, like the fields down to pushing
	slot    *C.char       // a free slot, for the next packet; nil if none is known
	left    bool          // messages are left that had no room
	untold  bool          // there is news that was not sent
	late    bool          // the news must be sent at once
	sends   uint64        // packets sent
	pushed  uint64        // the value of sends when push last checked
	pushing bool          // the goroutine push is running

	outgoing []*outgoing // by rank; this rank's is not used
	incoming []*incoming
	unread   atomic.Int64 // packets that were not read to their ends
	polling  atomic.Bool
	handling atomic.Bool
	turn     int // under polling: the rank whose messages come next

	woken uint32 // a futex; 1: Wake was called, so Sleep returns at once

	closing sync.Once
	ended   atomic.Bool   // packets that arrive are dropped
	closed  chan struct{} // this rank's part has ended
	drained chan struct{} // the parts of the other ranks have ended too
}

var _ rank.Engine = (*Engine)(nil)
var _ rank.Dear = (*Engine)(nil)

// Rank returns the number of this rank.
func (e *Engine) Rank() int { return e.rank }

// Size returns the number of ranks.
func (e *Engine) Size() int { return e.process.ranks }

// Send sends a message to another rank.
func (e *Engine) Send(to int, m *rank.Message) {
	if e.ended.Load() {
		return
	}
	e.outgoing[to].put(m)
	e.process.due.Store(true)
	if !e.handling.Load() {
		e.process.send()
	}
}

// Sent returns how many messages were sent to a rank.
func (e *Engine) Sent(to int) uint64 { return e.outgoing[to].sent.Load() }

// Handled returns how many of the messages that were sent to a rank are known to be handled. If some are not, the next
// packets to the rank ask for its news at once.
func (e *Engine) Handled(to int) uint64 {
	o := e.outgoing[to]
	n := o.handled.Load()
	if n < o.sent.Load() && !o.wanted.Load() {
		o.wanted.Store(true)
	}
	return n
}

// Poll calls handle for at most budget messages.
func (e *Engine) Poll(budget int, handle func(from int, m *rank.Message) bool) (n int) {
	if e.ended.Load() || !e.polling.CompareAndSwap(false, true) {
		return 0
	}
	defer e.polling.Store(false)
	if e.unread.Load() > 0 {
		n = e.handOut(budget, handle, true)
	}
	if n == 0 && e.look() {
		n = e.handOut(budget, handle, false)
	}
	return n
}

// handOut calls handle for messages that were pulled. It skips a rank whose next message was refused, unless refused is
// true. Then it makes MPI send the messages of the handlers.
func (e *Engine) handOut(budget int, handle func(from int, m *rank.Message) bool, refused bool) (n int) {
	e.handling.Store(true)
	defer func() {
		e.handling.Store(false)
		e.process.due.Store(true)
		e.process.send()
	}()
	for range e.incoming {
		if in := e.incoming[e.turn]; refused || !in.refused {
			n += in.poll(budget-n, handle)
		}
		e.turn = (e.turn + 1) % len(e.incoming)
		if n == budget {
			break
		}
	}
	return n
}

// Arrived reports whether Poll would find a message, or a part of one. If it knows of none it calls MPI, which takes
// 100 to 200 ns.
func (e *Engine) Arrived() bool { return !e.ended.Load() && (e.unread.Load() > 0 || e.look()) }

// LookGap implements [rank.Dear].
func (e *Engine) LookGap() time.Duration { return 2 * time.Microsecond }

// look pulls packets, unless another goroutine is calling MPI. It reports whether there are packets to read.
func (e *Engine) look() bool {
	if p := e.process; p.calls.TryLock() {
		e.pull()
		if e.untold && e.unread.Load() == 0 {
			e.late = true
			p.due.Store(true)
		}
		p.calls.Unlock()
		p.send()
	}
	return e.unread.Load() > 0
}

// pull takes packets from MPI. The caller holds process.calls.
func (e *Engine) pull() {
	if e.isDrained() {
		return
	}
	n := int(C.ocr_pull(e.c))
	for k := range n {
		p := &e.c.packets[k]
		from := int(p.from)
		news := e.outgoing[from].hear(packetOf(p))
		e.incoming[from].take(packetOf(p))
		if news {
			e.process.due.Store(true) // there may be room now
		}
	}
}

// flush sends the messages for which there is room, and news that must not wait. The caller holds process.calls.
func (e *Engine) flush() {
	if e.isDrained() || e.handling.Load() {
		return
	}
	late := e.late
	e.left, e.untold, e.late = false, false, false
	for k, o := range e.outgoing {
		if k != e.rank {
			left, news := o.flush(e.incoming[k], late)
			e.left, e.untold = e.left || left, e.untold || news
		}
	}
	if (e.left || e.untold || e.sends != e.pushed) && !e.pushing {
		e.pushing = true
		e.process.pushes.Go(e.push)
	}
}

// push calls MPI repeatedly while messages or news wait, or packets are under way: MPI may have kept a packet, and
// makes progress only if it is called. So a rank's messages arrive even if the rank does not poll.
func (e *Engine) push() {
	const enough = 10 // after so many calls MPI has no part of a packet left, if the receiver calls MPI too
	for idle, wait := 0, backoff(0); ; {
		time.Sleep(wait.next())
		done := false
		e.process.call(func() {
			if e.isDrained() {
				done = true
				return
			}
			e.pull()
			e.late = true
			e.process.due.Store(true)
			if idle++; e.left || e.untold || e.sends != e.pushed || e.isUnread() || C.ocr_sending(e.c) > 0 {
				e.pushed, idle = e.sends, 0
			}
			done = idle == enough
			e.pushing = !done
		})
		if done {
			return
		}
	}
}

// isUnread reports whether another rank has yet to read packets of this rank. The caller holds process.calls.
func (e *Engine) isUnread() bool {
	for k, o := range e.outgoing {
		if o.packets != o.taken && !e.incoming[k].bye {
			return true
		}
	}
	return false
}

// Sleep waits for a message, for Handled to grow, for Wake, or until max has passed. MPI wakes no thread, so Sleep
// polls, first after 20 us, then less often.
func (e *Engine) Sleep(max time.Duration) {
	for end, wait := time.Now().Add(max), backoff(0); ; {
		left := time.Until(end)
		if e.Arrived() || e.news() || atomic.SwapUint32(&e.woken, 0) != 0 || e.ended.Load() || left <= 0 {
			return
		}
		sys.FutexWait(&e.woken, 0, min(left, wait.next()))
	}
}

// news reports whether Handled has grown for a rank since the last call of news: this may happen after the caller of
// Sleep has called Handled, and before it calls Sleep.
func (e *Engine) news() (any bool) {
	for _, o := range e.outgoing {
		if n := o.handled.Load(); n != o.known {
			o.known = n
			any = true
		}
	}
	return any
}

// Wake ends the present Sleep, or the next one.
func (e *Engine) Wake() {
	if atomic.SwapUint32(&e.woken, 1) == 0 {
		sys.FutexWake(&e.woken, 1)
	}
}

func (e *Engine) isDrained() bool {
	select {
	case <-e.drained:
		return true
	default:
		return false
	}
}

// Close waits until MPI has all messages that were sent. From then on messages to this rank are dropped.
func (e *Engine) Close() {
	e.closing.Do(func() {
		e.until(func() bool { return !e.left })
		e.ended.Store(true)
		e.until(e.said)
		close(e.closed)
		go e.drain()
	})
	<-e.closed
}

// until sends and receives until done() is true. It calls done with process.calls held.
func (e *Engine) until(done func() bool) {
	p := e.process
	for wait := backoff(0); ; time.Sleep(wait.next()) {
		over := false
		p.call(func() {
			e.pull()
			e.late = true
			e.flush()
			over = done()
		})
		if over {
			return
		}
	}
}

// said reports whether MPI has sent all packets, and among them the last packet to each other rank.
func (e *Engine) said() bool {
	for k, o := range e.outgoing {
		if k != e.rank && !o.byeSent {
			return false
		}
	}
	return C.ocr_sending(e.c) == 0
}

// drain drops packets until each other rank has sent its last one.
func (e *Engine) drain() {
	e.until(func() bool {
		for k, in := range e.incoming {
			if k != e.rank && !in.bye {
				return false
			}
		}
		if C.ocr_sending(e.c) > 0 {
			return false
		}
		C.ocr_close(e.c)
		close(e.drained)
		return true
	})
}
