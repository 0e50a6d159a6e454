package ring

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"ocr/internal/core/relaxed"
	"ocr/internal/core/sys"
	"ocr/internal/rank"
)

// calm is the number of calls of Arrived without a message after which a rank clears mail in its attention. Two ranks
// that answer each other make fewer between two messages, so they do not pay for it.
const calm = 4096

// An Engine is one rank's ends of its rings.
//
// Concurrency: incoming and turn belong to the goroutine that polls.
type Engine struct {
	rank     int
	memory   *Memory
	page     *rankPage
	outgoing []*outgoing  // to each rank; nil for this one
	queues   atomic.Int32 // outboxes that are not empty
	pushers  sync.WaitGroup
	quiet    uint64 // calls of Arrived that found no message although mail was set; racing ones may count as one

	incoming []*incoming // by rank; nil for this one
	turn     int         // the rank with which the next poll begins

	lose sync.Once
	lost chan struct{}
	err  error // written before lost is closed
}

var _ rank.Engine = (*Engine)(nil)

// Open returns the engine of one rank. A rank is opened once.
func Open(m *Memory, self int) *Engine {
	e := &Engine{rank: self, memory: m, page: m.rank(self), outgoing: make([]*outgoing, m.ranks),
		incoming: make([]*incoming, m.ranks), lost: make(chan struct{})}
	for k := range m.ranks {
		if k == self {
			continue
		}
		page, lines := m.ring(self, k)
		e.outgoing[k] = &outgoing{engine: e, from: self, peer: m.rank(k), page: page, lines: lines}
		page, lines = m.ring(k, self)
		e.incoming[k] = &incoming{from: k, own: e.page, page: page, lines: lines}
	}
	return e
}

// Rank returns the number of this rank.
func (e *Engine) Rank() int { return e.rank }

// Size returns the number of ranks.
func (e *Engine) Size() int { return e.memory.ranks }

// Send sends a message to another rank.
func (e *Engine) Send(to int, m *rank.Message) { e.outgoing[to].send(m) }

// Sent returns how many messages this rank has sent to another.
func (e *Engine) Sent(to int) uint64 {
	if to == e.rank {
		return 0
	}
	return atomic.LoadUint64(&e.outgoing[to].sent)
}

// Handled returns how many of them that rank has handled.
func (e *Engine) Handled(to int) uint64 {
	if to == e.rank {
		return 0
	}
	return atomic.LoadUint64(&e.outgoing[to].page.handled)
}

// Poll calls handle for at most budget messages.
func (e *Engine) Poll(budget int, handle func(from int, m *rank.Message) bool) (n int) {
	if e.queues.Load() > 0 {
		e.flushAll()
	}
	// The words from that of turn on, whose lower bits come last.
	first, words, lower := e.turn/64, (len(e.incoming)+63)/64, uint64(1)<<(e.turn%64)-1
	for w := range words + 1 {
		at := (first + w) % words
		set := e.page.senders[at].Load()
		switch w {
		case 0:
			set &^= lower
		case words:
			set &= lower
		}
		for ; set != 0 && n < budget; set &= set - 1 {
			from := 64*at + bits.TrailingZeros64(set)
			n += e.incoming[from].poll(budget-n, handle)
			e.turn = (from + 1) % len(e.incoming)
		}
	}
	return n
}

// flushAll moves messages from all outboxes into the rings, as far as these have room.
func (e *Engine) flushAll() {
	for _, o := range e.outgoing {
		if o != nil {
			o.flush()
		}
	}
}

// Arrived reports whether Poll would find a message, or a part of one. Every calm calls without one it clears mail.
func (e *Engine) Arrived() bool {
	if e.page.attention.Load()&mail == 0 {
		return false
	}
	for w := range (len(e.incoming) + 63) / 64 {
		for set := e.page.senders[w].Load(); set != 0; set &= set - 1 {
			if e.incoming[64*w+bits.TrailingZeros64(set)].arrived() {
				return true
			}
		}
	}
	quiet := atomic.LoadUint64(&e.quiet) + 1
	relaxed.Store64(&e.quiet, quiet)
	return quiet%calm == 0 && !e.takeMail()
}

// takeMail clears mail and the bits of senders, and then reports whether no message has arrived.
func (e *Engine) takeMail() (none bool) {
	e.page.attention.And(^uint32(mail))
	none = true
	for w := range (len(e.incoming) + 63) / 64 {
		if e.page.senders[w].Load() == 0 {
			continue
		}
		for set := e.page.senders[w].Swap(0); set != 0; set &= set - 1 {
			if from := 64*w + bits.TrailingZeros64(set); e.incoming[from].arrived() {
				e.page.mark(from)
				none = false
			}
		}
	}
	return none
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

// Wake ends the present Sleep, or the next one.
func (e *Engine) Wake() { e.page.notify(woken) }

// Lose reports to the engine that a rank is lost; on a rank other than 0, the loss of rank 0 is that of the job.
// Messages to it that are not in its ring are dropped. Err returns the first loss.
func (e *Engine) Lose(loss *rank.LostError) {
	e.memory.rank(loss.Rank).closed.Store(1)
	e.lose.Do(func() {
		e.err = loss
		close(e.lost)
	})
	e.Wake()
}

// Lost returns a channel that is closed when a rank is lost.
func (e *Engine) Lost() <-chan struct{} { return e.lost }

func (e *Engine) isLost() bool {
	select {
	case <-e.lost:
		return true
	default:
		return false
	}
}

// Err returns an error that names the rank that is lost, nil while none is.
func (e *Engine) Err() error {
	if e.isLost() {
		return e.err
	}
	return nil
}

// Close waits until all messages that were sent are in the rings, unless a rank is lost. Messages to this
// rank are dropped from then on.
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
