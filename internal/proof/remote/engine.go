package remote

import (
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/rank"
)

// Kinds of messages between a rank and its process. send and came precede the message itself.
const (
	send    uint8 = iota // to a rank
	verdict              // the rank's verdict on the last message: 1: handled; 0: refused, as it came too early
	over                 // the rank has closed its engine
	came                 // from a rank
	handled              // how many messages another rank has handled
)

// An engine is the rank's end of the connection.
//
// Concurrency: mu keeps a message next to its send. polling guards the reading of messages.
type engine struct {
	*end       // to the process
	rank, size int
	mu         sync.Mutex
	sent       []atomic.Uint64
	handled    []atomic.Uint64
	news       atomic.Bool // handled has grown since the last Sleep
	refused    atomic.Bool // the last message was refused, and will be handled again
	polling    atomic.Bool
	from       int // under polling: the sender of the message that follows, -1 if none follows
}

func newEngine(rank, size int, to *end) *engine {
	return &engine{end: to, rank: rank, size: size, sent: make([]atomic.Uint64, size),
		handled: make([]atomic.Uint64, size), from: -1}
}

func (e *engine) Rank() int             { return e.rank }
func (e *engine) Size() int             { return e.size }
func (e *engine) Sent(to int) uint64    { return e.sent[to].Load() }
func (e *engine) Handled(to int) uint64 { return e.handled[to].Load() }
func (e *engine) Arrived() bool         { return e.refused.Load() || e.end.Arrived() }

func (e *engine) Send(to int, m *rank.Message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent[to].Add(1)
	e.tell(send, to)
	e.send(m)
}

func (e *engine) Poll(budget int, handle func(from int, m *rank.Message) bool) (n int) {
	if !e.polling.CompareAndSwap(false, true) {
		return 0
	}
	defer e.polling.Store(false)
	refused := make([]bool, e.size)
	e.poll(1000, func(m *rank.Message) bool {
		switch {
		case e.from >= 0 && (n == budget || refused[e.from]):
			return false
		case e.from >= 0:
			if from := e.from; e.handOut(m, handle) {
				n++
			} else {
				refused[from] = true
			}
		case m.Kind == came:
			e.from = int(m.Words[0])
		case m.Kind == handled:
			e.handled[m.Words[0]].Store(m.Words[1])
			e.news.Store(true)
		}
		return true
	})
	return n
}

// handOut calls handle for a message, and sends the verdict to the process.
func (e *engine) handOut(m *rank.Message, handle func(from int, m *rank.Message) bool) bool {
	e.refused.Store(false)
	answer, from := 1, e.from
	defer func() {
		e.mu.Lock()
		e.tell(verdict, answer)
		e.mu.Unlock()
	}()
	if e.from = -1; !handle(from, m) {
		answer = 0
		e.refused.Store(true)
	}
	return answer == 1
}

func (e *engine) Sleep(max time.Duration) {
	if !e.news.Swap(false) && !e.refused.Load() {
		e.end.Sleep(max)
	}
}

func (e *engine) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tell(over)
}
