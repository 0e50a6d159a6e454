package rank

import (
	"slices"
	"sync"
	"time"
)

// A Loop carries messages between ranks in one process, for tests.
type Loop struct {
	mu      sync.Mutex
	engines []*LoopEngine
	spare   []byte // memory for the next tail
	arrived func(from, to int)
}

// A LoopEngine is the [Engine] of one rank of a [Loop].
//
// Concurrency: Loop.mu guards in, waiting, sent, bytes and handled; polling guards turn, offered, message and refused.
// The goroutine that polls a stepwise loop also calls Offer.
type LoopEngine struct {
	loop    *Loop
	rank    int
	in      [][]Message // by sender
	waiting int         // the sum of the lengths of in
	sent    []uint64    // by receiver
	bytes   uint64      // of all that was sent
	handled []uint64    // by receiver: how many of this rank's messages the receiver has handled
	turn    int
	offered int // in a stepwise loop the sender whose next message Poll handles, -1 for none
	polling sync.Mutex
	message Message // the message that the handler has
	refused []bool  // by sender: the handler has refused a message in this Poll
	wake    chan struct{}
	timer   *time.Timer // of Sleep
}

// NewLoop creates the engines of n ranks. If arrived is not nil the loop is stepwise: it calls arrived for each message
// that is sent, and Poll handles only the next message of the rank that [LoopEngine.Offer] has named.
func NewLoop(n int, arrived func(from, to int)) *Loop {
	l := &Loop{arrived: arrived}
	for k := range n {
		l.engines = append(l.engines, &LoopEngine{
			loop: l, rank: k, in: make([][]Message, n), sent: make([]uint64, n), handled: make([]uint64, n),
			offered: -1, refused: make([]bool, n), wake: make(chan struct{}, 1),
		})
	}
	return l
}

// Engine returns the engine of a rank.
func (l *Loop) Engine(rank int) *LoopEngine { return l.engines[rank] }

// Rank implements [Engine].
func (e *LoopEngine) Rank() int { return e.rank }

// Size implements [Engine].
func (e *LoopEngine) Size() int { return len(e.loop.engines) }

// Send implements [Engine].
func (e *LoopEngine) Send(to int, m *Message) {
	l := e.loop
	l.mu.Lock()
	kept := *m
	if len(m.Tail) > 0 {
		kept.Tail, l.spare = append(l.spare, m.Tail...), nil
	}
	other := l.engines[to]
	other.in[e.rank] = append(other.in[e.rank], kept)
	other.waiting++
	e.sent[to]++
	e.bytes += 8*uint64(m.Count) + uint64(len(m.Tail))
	l.mu.Unlock()
	if l.arrived != nil {
		l.arrived(e.rank, to)
	}
	other.Wake()
}

// Offer makes the next Poll handle the next message from a rank.
func (e *LoopEngine) Offer(from int) { e.offered = from }

// Poll implements [Engine].
func (e *LoopEngine) Poll(budget int, handle func(from int, m *Message) bool) (n int) {
	if !e.polling.TryLock() {
		return 0
	}
	defer e.polling.Unlock()
	if e.loop.arrived != nil {
		from := e.offered
		if e.offered = -1; from >= 0 && e.handOut(from, handle) {
			return 1
		}
		return 0
	}
	size := e.Size()
	clear(e.refused)
	for idle := 0; idle < size && n < budget; {
		e.turn = (e.turn + 1) % size
		if !e.refused[e.turn] && e.handOut(e.turn, handle) {
			n++
			idle = 0
		} else {
			idle++
		}
	}
	return n
}

// handOut calls handle for the next message from a rank, and reports whether there was one and handle accepted it.
func (e *LoopEngine) handOut(from int, handle func(from int, m *Message) bool) bool {
	l := e.loop
	l.mu.Lock()
	if len(e.in[from]) == 0 {
		l.mu.Unlock()
		return false
	}
	e.message = e.in[from][0]
	l.mu.Unlock()
	refused := false
	defer func() {
		if refused {
			return
		}
		l.mu.Lock()
		if tail := e.message.Tail; len(tail) > 0 {
			l.spare = tail[:0]
		}
		if in := e.in[from]; len(in) < 64 {
			e.in[from] = slices.Delete(in, 0, 1) // the slice keeps its memory
		} else {
			e.in[from] = in[1:]
		}
		e.waiting--
		sender := l.engines[from]
		sender.handled[e.rank]++
		l.mu.Unlock()
		sender.Wake()
	}()
	refused = !handle(from, &e.message)
	e.refused[from] = refused
	return !refused
}

// Arrived implements [Engine].
func (e *LoopEngine) Arrived() bool {
	e.loop.mu.Lock()
	defer e.loop.mu.Unlock()
	return e.waiting > 0
}

// Waiting returns how many messages from a rank have arrived and were not handled.
func (e *LoopEngine) Waiting(from int) int {
	e.loop.mu.Lock()
	defer e.loop.mu.Unlock()
	return len(e.in[from])
}

// Sent implements [Engine].
func (e *LoopEngine) Sent(to int) uint64 {
	e.loop.mu.Lock()
	defer e.loop.mu.Unlock()
	return e.sent[to]
}

// Traffic returns how many messages this rank has sent, and the bytes of their words and tails.
func (e *LoopEngine) Traffic() (messages, bytes uint64) {
	e.loop.mu.Lock()
	defer e.loop.mu.Unlock()
	for _, n := range e.sent {
		messages += n
	}
	return messages, e.bytes
}

// Handled implements [Engine].
func (e *LoopEngine) Handled(to int) uint64 {
	e.loop.mu.Lock()
	defer e.loop.mu.Unlock()
	return e.handled[to]
}

// Sleep implements [Engine].
func (e *LoopEngine) Sleep(max time.Duration) {
	if e.Arrived() {
		return
	}
	if e.timer == nil {
		e.timer = time.NewTimer(max)
	} else {
		e.timer.Reset(max)
	}
	defer e.timer.Stop()
	select {
	case <-e.wake:
	case <-e.timer.C:
	}
}

// Wake implements [Engine].
func (e *LoopEngine) Wake() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Close implements [Engine].
func (e *LoopEngine) Close() {}
