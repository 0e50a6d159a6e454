package ring

import (
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/core/relaxed"
	"ocr/internal/core/sys"
	"ocr/internal/rank"
)

// calm is how many polls find nothing before a rank takes mail out of its attention: more than between the
// messages of two ranks that answer each other, which would pay for it.
const calm = 4096

// An Engine is a rank's end of all rings.
//
// Concurrency: incoming and turn are of the goroutine that polls.
type Engine struct {
	rank     int
	memory   *Memory
	page     *rankPage
	outgoing []*outgoing  // to each rank; nil for this one
	queues   atomic.Int32 // outboxes that have something
	pushers  sync.WaitGroup
	quiet    uint64 // polls that found nothing although mail was set; some are not counted

	incoming []*incoming // from all other ranks
	turn     int         // the one to begin with

	lose sync.Once
	lost chan struct{}
	err  error // once lost is closed
}

var _ rank.Engine = (*Engine)(nil)

// Open returns the engine of one rank. A rank is opened once.
func Open(m *Memory, self int) *Engine {
	e := &Engine{rank: self, memory: m, page: m.rank(self), outgoing: make([]*outgoing, m.ranks),
		lost: make(chan struct{})}
	for k := range m.ranks {
		if k == self {
			continue
		}
		page, lines := m.ring(self, k)
		e.outgoing[k] = &outgoing{engine: e, peer: m.rank(k), page: page, lines: lines}
		page, lines = m.ring(k, self)
		e.incoming = append(e.incoming, &incoming{from: k, own: e.page, page: page, lines: lines})
	}
	return e
}

// Rank is the number of this rank.
func (e *Engine) Rank() int { return e.rank }

// Size is how many ranks there are.
func (e *Engine) Size() int { return e.memory.ranks }

// Send sends a message to another rank.
func (e *Engine) Send(to int, m *rank.Message) { e.outgoing[to].send(m) }

// Sent is how many messages were sent to a rank.
func (e *Engine) Sent(to int) uint64 {
	if to == e.rank {
		return 0
	}
	return atomic.LoadUint64(&e.outgoing[to].sent)
}

// Handled is how many of them have been handled.
func (e *Engine) Handled(to int) uint64 {
	if to == e.rank {
		return 0
	}
	return atomic.LoadUint64(&e.outgoing[to].page.handled)
}

// Poll hands at most budget messages to handle.
func (e *Engine) Poll(budget int, handle func(from int, m *rank.Message) bool) (n int) {
	if e.queues.Load() > 0 {
		e.flushAll()
	}
	turn, left := e.turn, len(e.incoming)
	for ; left > 0 && n < budget; left-- {
		n += e.incoming[turn].poll(budget-n, handle)
		if turn++; turn == len(e.incoming) {
			turn = 0
		}
	}
	e.turn = turn
	return n
}

// flushAll moves what it can out of all outboxes.
func (e *Engine) flushAll() {
	for _, o := range e.outgoing {
		if o != nil {
			o.flush()
		}
	}
}

// Arrived reports whether Poll would find a message, or a part of one. If often there is none, it takes mail out of
// attention.
func (e *Engine) Arrived() bool {
	if e.page.attention.Load()&mail == 0 {
		return false
	}
	for _, in := range e.incoming {
		if in.arrived() {
			return true
		}
	}
	quiet := atomic.LoadUint64(&e.quiet) + 1
	relaxed.Store64(&e.quiet, quiet)
	return quiet%calm == 0 && !e.takeMail()
}

// takeMail takes mail out of attention, and reports whether nothing has arrived then.
func (e *Engine) takeMail() bool {
	e.page.attention.And(^uint32(mail))
	for _, in := range e.incoming {
		if in.arrived() {
			e.page.notify(mail)
			return false
		}
	}
	return true
}

// Sleep waits for a message, for Wake, or until max has passed.
func (e *Engine) Sleep(max time.Duration) {
	attention := &e.page.attention
	if max <= 0 || e.isLost() || !e.takeMail() {
		return
	}
	if attention.CompareAndSwap(0, asleep) {
		for end := time.Now().Add(max); attention.Load() == asleep && max > 0; max = time.Until(end) {
			sys.SharedFutexWait(e.page.futex(), asleep, max)
		}
	}
	attention.And(^uint32(asleep | woken))
}

// Wake ends Sleep, or the next one.
func (e *Engine) Wake() { e.page.notify(woken) }

// Lose says that a rank is gone, or, on a rank other than 0, the job with rank 0. What was not
// yet sent to it is dropped. The first loss counts.
func (e *Engine) Lose(loss *rank.LostError) {
	e.memory.rank(loss.Rank).closed.Store(1)
	e.lose.Do(func() {
		e.err = loss
		close(e.lost)
	})
	e.Wake()
}

// Lost is closed when a rank is gone.
func (e *Engine) Lost() <-chan struct{} { return e.lost }

func (e *Engine) isLost() bool {
	select {
	case <-e.lost:
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

// Close waits until all that was sent is in the rings, and ends this rank's part: what is
// sent to it from now on is dropped. If a rank is lost it waits for nobody.
func (e *Engine) Close() error {
	for _, o := range e.outgoing {
		for wait := shortPush; o != nil && !e.isLost() && !o.flush(); wait = min(2*wait, longPush) {
			time.Sleep(wait)
		}
	}
	e.page.closed.Store(1)
	e.pushers.Wait()
	return e.Err()
}
