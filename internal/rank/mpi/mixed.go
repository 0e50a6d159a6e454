//go:build mpi

package mpi

import (
	"sync/atomic"
	"time"

	"ocr/internal/rank"
	"ocr/internal/rank/ring"
)

// A mixed is the engine of a rank that has rings to some ranks and MPI to others.
//
// Concurrency: polling guards the reading of messages, from rings and from MPI.
type mixed struct {
	*Engine  // to other machines; its methods serve for both unless mixed has its own
	ring     *ring.Engine
	near     []int // by rank in MPI, its number on this machine, -1 for none
	ranks    []int // the inverse
	polling  atomic.Bool
	farFirst bool // whether the last Poll began with far; the polling goroutine owns it
	woken    atomic.Bool
	known    []uint64 // Sleep's: of what the rings' ranks have handled, by number on this machine
}

func newMixed(far *Engine, n *neighbours) *mixed {
	m := &mixed{Engine: far, ring: n.engine, near: make([]int, far.Size()), ranks: n.ranks,
		known: make([]uint64, len(n.ranks))}
	for k := range m.near {
		m.near[k] = -1
	}
	for k, r := range n.ranks {
		m.near[r] = k
	}
	return m
}

func (m *mixed) Send(to int, what *rank.Message) {
	if k := m.near[to]; k >= 0 {
		m.ring.Send(k, what)
	} else {
		m.Engine.Send(to, what)
	}
}

func (m *mixed) Sent(to int) uint64 {
	if k := m.near[to]; k >= 0 {
		return m.ring.Sent(k)
	}
	return m.Engine.Sent(to)
}

func (m *mixed) Handled(to int) uint64 {
	if k := m.near[to]; k >= 0 {
		return m.ring.Handled(k)
	}
	return m.Engine.Handled(to)
}

func (m *mixed) Poll(budget int, handle func(from int, m *rank.Message) bool) (n int) {
	if !m.polling.CompareAndSwap(false, true) {
		return 0
	}
	defer m.polling.Store(false)
	first := func(budget int) int {
		return m.ring.Poll(budget, func(from int, what *rank.Message) bool { return handle(m.ranks[from], what) })
	}
	second := func(budget int) int { return m.Engine.Poll(budget, handle) }
	if m.farFirst = !m.farFirst; m.farFirst { // in turns, as either may always have as many as the budget allows
		first, second = second, first
	}
	if n = first(budget); n < budget {
		n += second(budget - n)
	}
	return n
}

func (m *mixed) Arrived() bool { return m.ring.Arrived() || m.Engine.Arrived() }

// Sleep sleeps as the rings do, and calls MPI repeatedly.
func (m *mixed) Sleep(max time.Duration) {
	for end, wait := time.Now().Add(max), backoff(0); ; {
		began := time.Now()
		if m.Arrived() || m.news() || m.newsOfRings() || m.woken.Swap(false) || m.isLost() || m.ended.Load() ||
			!began.Before(end) {
			return
		}
		short := min(end.Sub(began), wait.next())
		if m.ring.Sleep(short); time.Since(began) < short {
			return // not for the time
		}
	}
}

// newsOfRings is Engine.news for the ranks of this machine: the rings' Sleep does not report that Handled has grown.
func (m *mixed) newsOfRings() (any bool) {
	for k := range m.known {
		if n := m.ring.Handled(k); n != m.known[k] {
			m.known[k] = n
			any = true
		}
	}
	return any
}

func (m *mixed) Wake() {
	m.woken.Store(true)
	m.ring.Wake()
}

func (m *mixed) Close() error {
	_ = m.ring.Close() // it has the same loss
	return m.Engine.Close()
}
