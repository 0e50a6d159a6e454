package runtime

import (
	"slices"
	"sync"

	"ocr/edt"
	"ocr/internal/core/word"
	"ocr/internal/rank/remote"
)

// A pool is a set of workers, which execute one run after the other, and the state that they share.
//
// Concurrency: all workers read the fields above the first padding, some fields for every EDT; these fields are seldom
// written. graph, ranks, lookGap and begin are written between two runs. The goroutine that ends a run writes endedAt,
// then over. numParked has the number of parked workers in its lower half, and the number of wake-ups so far in its
// upper half; a worker changes it when it parks and when it has woken. README.md defines the states of workers.
type pool struct {
	graph      *edt.Graph
	workers    []*worker
	victims    func(worker int) []int // see topo.StealOrder
	spinTime   int64                  // how long an idle worker searches before it parks, ns
	spinFull   int64                  // spinTime for a worker whose processor other awake workers share
	awaitSpin  int64                  // how long a worker spins between two runs before it parks, ns
	calledSpin int64                  // awaitSpin after a wake-up: the next run is about to start
	stealGap   int64                  // least time between two attempts of a worker to steal, ns
	// nextSlots says whether workers may use their next-EDT slots. If not, noSpinner is -1, which spinning never is, so
	// busy is never true.
	nextSlots bool
	noSpinner int64
	ranks     *remote.Part // nil if there is one rank
	lookGap   int64        // the least time between two polls of a busy worker, ns; see pollsTooOften
	stopped   word.Bool
	halted    word.Uint32 // futex word: 1 while workers stop between two EDTs, see halt.go
	_         [64]byte

	door        word.Int64 // see between_runs.go
	beginning   word.Bool  // begin has yet to return
	begin       func()
	closed      word.Bool
	over        word.Uint32 // see between_runs.go
	overLong    word.Signal // given at the end of the run, if the caller has stopped waiting on the word over
	endedAt     int64       // when the run ended, in sys.Nanotime
	lives       sync.WaitGroup
	faultsPanic bool // memory faults on the workers' goroutines are panics
	inside      insiders
	outside     insiders
	reading     sync.Mutex      // held during a halt, and while the poller changes the graph
	waiting     func() []string // the lines of calls that wait for the end of the run
	_           [64]byte

	numParked word.Uint64
	_         [56]byte

	spinning word.Int64 // idle workers that count as spinning: pushes rely on them
	_        [56]byte

	listener  word.Pointer[worker] // the worker that sleeps until another rank sends a message, see ranks.go
	delivered prioList             // EDTs for any worker, which the poller has made ready
}

const (
	parkedOne   = 1
	parkedMask  = 1<<32 - 1
	parkedEpoch = 1 << 32
)

// A cpu is a processor that workers are pinned to, or all processors if workers are not pinned.
type cpu struct {
	processors int32
	awake      word.Int32 // its workers that are awake
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

// busy reports whether an EDT may stay in a next-EDT slot: whether no worker spins or is parked, and slots may be used.
func (p *pool) busy() bool { return p.parkedNow() == 0 && p.spinning.Load() == p.noSpinner }

// notify wakes a worker for an EDT that the caller has pushed, unless a spinning worker will steal it.
func (p *pool) notify() {
	if p.parkedNow() > 0 && p.spinning.Load() == 0 { // (1)
		p.wakeOne()
	}
}

// wakeOne wakes a parked worker whose processor has room for another awake worker (see full), if there is one. Else it
// wakes none: an awake worker on each processor finds the EDT when its own EDT ends.
func (p *pool) wakeOne() {
	for _, w := range p.workers {
		if !w.cpu.full() && w.wake() {
			return
		}
	}
}

// wakeAny wakes a parked worker, even if that worker must share its processor, and reports whether there was one.
func (p *pool) wakeAny() bool { return slices.ContainsFunc(p.workers, (*worker).wake) }

// ring makes a worker look for mail from outside the pool. The mail must be visible already. Any goroutine may call
// ring at any time.
//
// An idle worker polls for mail without a hint. A busy worker polls between two EDTs if it has a hint; every worker
// gets a hint, as any of them may be the first to end its EDT. If no worker spins, ring wakes a parked one, even if
// that worker must share its processor: unlike a pushed EDT, mail is in no worker's list.
func (p *pool) ring() {
	for _, w := range p.workers {
		w.inbox.hint()
	}
	if p.parkedNow() > 0 && p.spinning.Load() == 0 { // (1)
		p.wakeAny()
	}
}

// anyStealable reports whether there is mail, or an EDT that any worker could steal.
func (p *pool) anyStealable() bool {
	return p.graph.Mail() || p.delivered.count.Load() > 0 || slices.ContainsFunc(p.workers, (*worker).stealable)
}

// stealable reports whether the worker has an EDT that other workers could steal.
func (w *worker) stealable() bool {
	return !w.deque.empty() || w.prio.count.Load() > 0 || w.nextEDT.peek() != 0
}

// anyUnread reports whether an inbox has a message, or one is being sent.
func (p *pool) anyUnread() bool {
	return slices.ContainsFunc(p.workers, func(w *worker) bool { return !w.inbox.empty() })
}

// quiescent reports whether no EDT is left to run and no mail can come: all workers are parked, and were so during the
// whole check.
func (p *pool) quiescent() bool {
	before := p.numParked.Load()
	return int(before&parkedMask) == len(p.workers) && !p.beginning.Load() && !p.graph.Expects() &&
		!p.anyStealable() && !p.anyUnread() && p.numParked.Load() == before
}

// stop ends the run: each worker leaves it after its present EDT. It reports whether this call is the run's first.
func (p *pool) stop() (first bool) {
	p.shut() // first, so no worker that leaves the run enters it again
	first = !p.stopped.Swap(true)
	for _, w := range p.workers {
		w.inbox.close()
		w.wakeFrom(parkedInRun)
	}
	return first
}
