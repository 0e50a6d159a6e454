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
	arrived func(from, to int)
}

// A LoopEngine is the [Engine] of one rank of a [Loop].
//
// Concurrency: everything but polling and wake is under the lock of the loop.
type LoopEngine struct {
	loop    *Loop
	rank    int
	in      [][]Message // by sender
	sent    []uint64    // by receiver
	handled []uint64    // by receiver: of what this rank has sent
	turn    int
	offered int // stepwise: the sender whose next message Poll handles, -1 for none
	polling sync.Mutex
	wake    chan struct{}
	lost    chan struct{}
	err     error // written before lost is closed
}

// Elsewhere is for tests. If it is not nil, package edttest uses the engines that it returns in place of those of a
// Loop.
var Elsewhere func(ranks int) []Engine

// NewLoop creates the engines of n ranks. If arrived is not nil the loop is stepwise: it calls arrived for each message
// that is sent, and Poll handles one message at a time, only after [LoopEngine.Offer].
func NewLoop(n int, arrived func(from, to int)) *Loop {
	l := &Loop{arrived: arrived}
	for k := range n {
		l.engines = append(l.engines, &LoopEngine{
			loop: l, rank: k, in: make([][]Message, n), sent: make([]uint64, n), handled: make([]uint64, n),
			offered: -1, wake: make(chan struct{}, 1), lost: make(chan struct{}),
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
	kept := *m
	kept.Tail = slices.Clone(m.Tail)
	l := e.loop
	l.mu.Lock()
	other := l.engines[to]
	other.in[e.rank] = append(other.in[e.rank], kept)
	e.sent[to]++
	l.mu.Unlock()
	if l.arrived != nil {
		l.arrived(e.rank, to)
	}
	other.Wake()
}

// Offer has the next Poll handle the next message of one rank.
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
	for idle := 0; idle < size && n < budget; {
		e.turn = (e.turn + 1) % size
		if e.handOut(e.turn, handle) {
			n++
			idle = 0
		} else {
			idle++
		}
	}
	return n
}

// handOut calls handle for the next message of a rank, and reports whether that accepted it.
func (e *LoopEngine) handOut(from int, handle func(from int, m *Message) bool) bool {
	l := e.loop
	l.mu.Lock()
	if len(e.in[from]) == 0 {
		l.mu.Unlock()
		return false
	}
	m := e.in[from][0]
	l.mu.Unlock()
	refused := false
	defer func() {
		if refused {
			return
		}
		l.mu.Lock()
		e.in[from] = e.in[from][1:]
		sender := l.engines[from]
		sender.handled[e.rank]++
		l.mu.Unlock()
		sender.Wake()
	}()
	refused = !handle(from, &m)
	return !refused
}

// Arrived implements [Engine].
func (e *LoopEngine) Arrived() bool {
	e.loop.mu.Lock()
	defer e.loop.mu.Unlock()
	return slices.ContainsFunc(e.in, func(in []Message) bool { return len(in) > 0 })
}

// Waiting returns how many messages of a rank have arrived and were not handled.
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
	t := time.NewTimer(max)
	defer t.Stop()
	select {
	case <-e.wake:
	case <-t.C:
	}
}

// Wake implements [Engine].
func (e *LoopEngine) Wake() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Lose reports to all engines that a rank is lost. It is called once.
func (l *Loop) Lose(loss *LostError) {
	for _, e := range l.engines {
		e.err = loss
		close(e.lost)
		e.Wake()
	}
}

// Lost implements [Engine].
func (e *LoopEngine) Lost() <-chan struct{} { return e.lost }

// Err implements [Engine].
func (e *LoopEngine) Err() error {
	select {
	case <-e.lost:
		return e.err
	default:
		return nil
	}
}

// Close implements [Engine].
func (e *LoopEngine) Close() error { return e.Err() }
