package runtime

import (
	"sync"

	"ocr/edt"
	"ocr/internal/core/topo"
	"ocr/internal/core/word"
	"ocr/internal/rank/remote"
)

// A pool is a set of workers and the state they share. They execute one run after the other.
//
// Concurrency: the fields above the first padding are read by all workers for every EDT and written rarely. graph,
// ranks, lookGap and begin are written between two runs. endedAt is written by the goroutine that ends a run, before
// over. numParked has the number of parked workers in its lower half and the number of wake-ups so far in its upper
// half; a worker changes it when it parks and after it woke. README.md defines the states of workers.
type pool struct {
	graph       *edt.Graph
	workers     []*worker
	stealOrders *topo.StealOrders
	spinTime    int64 // how long an idle worker searches before it parks, ns
	spinFull    int64 // the same if another worker shares its processor
	awaitSpin   int64 // how long a worker spins between two runs before it parks, ns
	calledSpin  int64 // the same of a worker that was woken: the next run is about to start
	stealGap    int64 // least time between two thefts of a worker, ns
	pauses      uint32
	// nextSlots says whether workers may use their next-EDT slots. If not, busy is
	// never true: noSpinner is what spinning is compared with.
	nextSlots bool
	noSpinner int64
	ranks     *remote.Part // nil: the run has one
	lookGap   int64        // see pollsTooOften
	stopped   word.Bool
	why       word.Int32  // the first stopReason of the run
	halted    word.Uint32 // futex word: 1 while workers stop between two EDTs, see halt.go
	_         [64]byte

	door        word.Int64 // see between_runs.go
	beginning   word.Bool  // worker 0 has yet to call begin
	begin       func()
	closed      word.Bool
	over        word.Uint32 // see between_runs.go
	overLong    word.Signal // tells the end of the run to a caller that no longer waits on over
	endedAt     int64       // when the run ended, in sys.Nanotime
	lives       sync.WaitGroup
	faultsPanic bool // memory faults on the workers' goroutines are panics
	inside      insiders
	reading     sync.Mutex      // held during a halt, and while the poller changes the graph
	waiting     func() []string // the lines of calls that wait for the end of the run
	_           [64]byte

	numParked word.Uint64
	_         [56]byte

	spinning word.Int64 // idle workers that pushes rely on
	_        [56]byte

	listener  word.Pointer[worker] // sleeps until a message of another rank comes, see ranks.go
	delivered readyList            // see poller.go
}

const (
	parkedOne   = 1
	parkedMask  = 1<<32 - 1
	parkedEpoch = 1 << 32
)

// A cpu is a processor that workers are pinned to, or all of them if workers
// are not pinned.
type cpu struct {
	processors int32
	awake      word.Int32 // its workers that are not parked
	_          [56]byte
}

// full reports whether one more awake worker would have to share the processor.
func (c *cpu) full() bool { return c.awake.Load() >= c.processors }

// oversubscribed reports whether awake workers share the processor.
func (c *cpu) oversubscribed() bool { return c.awake.Load() > c.processors }

func (p *pool) parkedNow() int { return int(p.numParked.Load() & parkedMask) }

// countParked counts the worker as parked and returns the number of parked workers; countAwake undoes it.
func (w *worker) countParked() (count int) {
	w.cpu.awake.Add(-1)
	return int(w.pool.numParked.Add(parkedOne) & parkedMask)
}

func (w *worker) countAwake() {
	w.pool.numParked.Add(parkedEpoch - parkedOne)
	w.cpu.awake.Add(1)
}

// busy reports whether every worker is busy, and an EDT may go to a next-EDT slot.
func (p *pool) busy() bool { return p.parkedNow() == 0 && p.spinning.Load() == p.noSpinner }

// notify wakes a worker if an EDT that was pushed has no spinning worker to steal it. It comes after the push.
func (p *pool) notify() {
	if p.parkedNow() > 0 && p.spinning.Load() == 0 { // (1)
		p.wakeOne()
	}
}

// wakeOne wakes a parked worker whose processor has no awake worker, if there is one. If every processor has an awake
// worker another wake-up gains nothing: those workers find the EDT when they are done with their own.
func (p *pool) wakeOne() {
	for _, w := range p.workers {
		if !w.cpu.full() && w.wake() {
			return
		}
	}
}

// wakeAny wakes a worker, even if it has to share its processor.
func (p *pool) wakeAny() bool {
	for _, w := range p.workers {
		if w.wake() {
			return true
		}
	}
	return false
}

// ring makes a worker look for mail from outside the pool, which must be visible already. Any goroutine may call it, at
// any time.
//
// An idle worker polls for mail without a hint. A busy one polls between two EDTs if it has a hint; all workers get
// one, as any of them may be the first to finish its EDT. If no worker is spinning a parked one is woken, even if it
// has to share its processor: unlike an EDT that was pushed, mail belongs to no awake worker.
func (p *pool) ring() {
	for _, w := range p.workers {
		w.inbox.hint()
	}
	if p.parkedNow() > 0 && p.spinning.Load() == 0 { // (1)
		p.wakeAny()
	}
}

// anyStealable reports whether there is mail from outside, or an EDT that any worker could steal.
func (p *pool) anyStealable() bool {
	if p.graph.Mail() || p.delivered.count.Load() > 0 {
		return true
	}
	for _, w := range p.workers {
		if w.stealable() {
			return true
		}
	}
	return false
}

// stealable reports whether the worker has an EDT that others could steal.
func (w *worker) stealable() bool {
	return !w.deque.empty() || w.prio.count.Load() > 0 || w.nextEDT.peek() != 0
}

// anyUnread reports whether an inbox has a message, or one is being sent.
func (p *pool) anyUnread() bool {
	for _, w := range p.workers {
		if !w.inbox.empty() {
			return true
		}
	}
	return false
}

// quiescent reports whether no EDT is left to run and no mail can arrive: all workers are parked, and stayed parked
// during the check.
func (p *pool) quiescent() bool {
	before := p.numParked.Load()
	return int(before&parkedMask) == len(p.workers) && !p.beginning.Load() && !p.graph.Expects() &&
		!p.anyStealable() && !p.anyUnread() && p.numParked.Load() == before
}

// A stopReason is why a run ends; the first one counts.
type stopReason int32

const (
	running      stopReason = iota
	fromEDT                 // shutdown, abort, misuse, panic: the graph records which
	drained                 // no EDT is left to run
	cancelledRun            // the context is done
)

// stop ends the run: each worker leaves it after the EDT that it runs.
func (p *pool) stop(why stopReason) {
	p.why.CompareAndSwap(int32(running), int32(why))
	p.stopped.Store(true)
	for _, w := range p.workers {
		w.inbox.close()
		w.wakeFrom(parkedInRun)
	}
	p.shut()
}
