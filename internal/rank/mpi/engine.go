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

// An Engine is a rank's end of a job of MPI.
//
// Concurrency: process.calls is for what is said in C, and for packets on their way out and in. polling is for messages
// that are handed out. While handlers run, what is sent waits: it goes with the news of what they have handled.
type Engine struct {
	process *process
	rank    int
	c       *C.ocr_engine // process.calls, as what follows
	slot    *C.char       // of the packet that is filled next; nil: none is free, or not known
	left    bool          // something has found no room
	untold  bool          // some ranks have not been told of all that was handled
	late    bool          // they must be
	sends   uint64        // packets
	pushed  uint64        // of them, when push looked
	pushing bool          // it runs

	outgoing []*outgoing // by rank; that of this one is not used
	incoming []*incoming
	unread   atomic.Int64 // packets that were not read to the end
	polling  atomic.Bool
	handling atomic.Bool
	turn     int // polling: the rank to begin with

	woken uint32 // a futex: the next Sleep is none

	closing sync.Once
	ended   atomic.Bool   // what comes is dropped
	closed  chan struct{} // this rank's part has ended
	drained chan struct{} // that of the others too

	lose sync.Once
	lost chan struct{}
	err  error // once lost is closed
}

var _ rank.Engine = (*Engine)(nil)
var _ rank.Dear = (*Engine)(nil)

// Rank is the number of this rank.
func (e *Engine) Rank() int { return e.rank }

// Size is how many ranks there are.
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

// Sent is how many messages were sent to a rank.
func (e *Engine) Sent(to int) uint64 { return e.outgoing[to].sent.Load() }

// Handled is how many of them have been handled. If that is not all, the rank is to tell of the next ones at once.
func (e *Engine) Handled(to int) uint64 {
	o := e.outgoing[to]
	n := o.handled.Load()
	if n < o.sent.Load() && !o.wanted.Load() {
		o.wanted.Store(true)
	}
	return n
}

// Poll hands at most budget messages to handle.
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

// handOut hands out what was pulled, and what was refused if that is to be, and sends what its handlers have sent.
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

// Arrived reports whether Poll would find a message, or a part of one. If nothing is known to be there it
// asks MPI, which takes 100 to 200 ns.
func (e *Engine) Arrived() bool {
	return !e.ended.Load() && (e.unread.Load() > 0 || e.look())
}

// LookGap implements [rank.Dear].
func (e *Engine) LookGap() time.Duration { return 2 * time.Microsecond }

// look pulls what has come, unless another goroutine calls MPI. It reports whether there is something to read.
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

// flush sends what there is room for, and tells others what was handled. The caller holds process.calls.
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
		go e.push()
	}
}

// push looks again and again while something waits for room or for the next packet, or is on its way: MPI may have kept
// it, and goes on with it only if it is called. So what a rank has sent arrives even if the rank does not poll.
func (e *Engine) push() {
	const enough = 10 // looks, after which MPI has nothing left of a packet if its receiver looks too
	for idle, wait := 0, backoff(0); ; {
		time.Sleep(wait.next())
		done := false
		e.process.call(func() {
			if e.isDrained() || e.isLost() {
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

// isUnread reports whether another rank has not read all that was sent to it. The caller holds process.calls.
func (e *Engine) isUnread() bool {
	for k, o := range e.outgoing {
		if o.packets != o.taken && !e.incoming[k].bye {
			return true
		}
	}
	return false
}

// Sleep waits for a message, for Handled to grow, for Wake, or until max has passed. MPI wakes no thread, so Sleep
// polls, first every 20 us, then less often.
func (e *Engine) Sleep(max time.Duration) {
	for end, wait := time.Now().Add(max), backoff(0); ; {
		left := time.Until(end)
		if e.Arrived() || e.news() || atomic.SwapUint32(&e.woken, 0) != 0 || e.isLost() || e.ended.Load() || left <= 0 {
			return
		}
		sys.FutexWait(&e.woken, 0, min(left, wait.next()))
	}
}

// news reports whether more messages were handled than its last call knew of. The caller of Sleep
// may have looked before them.
func (e *Engine) news() (any bool) {
	for _, o := range e.outgoing {
		if n := o.handled.Load(); n != o.known {
			o.known = n
			any = true
		}
	}
	return any
}

// Wake ends Sleep, or the next one.
func (e *Engine) Wake() {
	if atomic.SwapUint32(&e.woken, 1) == 0 {
		sys.FutexWake(&e.woken, 1)
	}
}

// Lose reports to the engine that a rank of the job is lost. Err returns the first loss.
func (e *Engine) Lose(loss error) {
	e.lose.Do(func() {
		e.err = loss
		close(e.lost)
	})
	e.Wake()
}

// Lost is closed when a rank is gone.
func (e *Engine) Lost() <-chan struct{} { return e.lost }

func (e *Engine) isLost() bool { return isClosed(e.lost) }

func (e *Engine) isDrained() bool { return isClosed(e.drained) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Err says which rank is gone, and is nil while none is.
func (e *Engine) Err() error {
	if e.isLost() {
		return e.err
	}
	return nil
}

// Close waits until MPI has all messages that were sent, unless a rank is lost. Messages to
// this rank are dropped from then on.
func (e *Engine) Close() error {
	e.closing.Do(func() {
		e.until(func() bool { return !e.left })
		e.ended.Store(true)
		e.until(e.said)
		close(e.closed)
		go e.drain()
	})
	<-e.closed
	return e.Err()
}

// until goes on with sending until a condition holds, which is looked at with process.calls held.
func (e *Engine) until(done func() bool) {
	p := e.process
	for wait := backoff(0); !e.isLost(); time.Sleep(wait.next()) {
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

// said reports whether all others were told that this rank has ended, and all packets have gone.
func (e *Engine) said() bool {
	all := true
	for k, o := range e.outgoing {
		if k != e.rank && !o.byeSent {
			all = false
		}
	}
	return all && C.ocr_sending(e.c) == 0
}

// drain drops what comes until nothing can come any more.
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
