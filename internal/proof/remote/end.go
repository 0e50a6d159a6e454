package remote

import (
	"bufio"
	"encoding/gob"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/rank"
)

// An end is one of the two ends of a connection between a rank and its process.
//
// Concurrency: in is under mu. Any goroutine may send, but one at a time; one goroutine at a time may poll.
type end struct {
	conn net.Conn
	to   *gob.Encoder
	mu   sync.Mutex
	in   []rank.Message
	wake chan struct{}
	gone atomic.Bool // the other end has closed
}

func newEnd(c net.Conn) *end {
	e := &end{conn: c, to: gob.NewEncoder(c), wake: make(chan struct{}, 1)}
	go e.read()
	return e
}

// read always takes what arrives, so the other end never waits to send.
func (e *end) read() {
	for from := gob.NewDecoder(bufio.NewReader(e.conn)); ; {
		var m rank.Message
		if from.Decode(&m) != nil {
			e.gone.Store(true)
			e.Wake()
			return
		}
		e.mu.Lock()
		e.in = append(e.in, m)
		e.mu.Unlock()
		e.Wake()
	}
}

func (e *end) send(m *rank.Message) {
	if e.to.Encode(m) != nil {
		e.gone.Store(true)
	}
}

// tell sends a message that has only words.
func (e *end) tell(kind uint8, words ...int) {
	m := rank.Message{Kind: kind, Count: uint8(len(words))}
	for k, w := range words {
		m.Words[k] = uint64(w)
	}
	e.send(&m)
}

// poll calls handle for at most budget messages, and for none after a message that handle refuses. A refused message
// stays the first; a message whose handle panics does not.
func (e *end) poll(budget int, handle func(m *rank.Message) bool) (n int) {
	for ; n < budget; n++ {
		m, ok := e.take()
		if !ok {
			return n
		}
		if !handle(&m) {
			e.mu.Lock()
			e.in = slices.Insert(e.in, 0, m)
			e.mu.Unlock()
			return n
		}
	}
	return n
}

func (e *end) take() (m rank.Message, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.in) == 0 {
		return m, false
	}
	m, e.in = e.in[0], e.in[1:]
	return m, true
}

func (e *end) Arrived() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.in) > 0
}

// Sleep waits for a message, for Wake, or until max has passed.
func (e *end) Sleep(max time.Duration) {
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

func (e *end) Wake() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}
