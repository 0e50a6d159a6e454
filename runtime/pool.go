package runtime

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"ocr/edt"
	"ocr/internal/topo"
)

// A pool is workers and what they share. They take part in one run after the other.
//
// Concurrency: what is above the padding is read by all on every EDT and written
// rarely. graph, ranks, lookGap and begin are written between two runs. endedAt is written by who ends a run, before over. numParked
// holds the number of parked workers below, and above how often one has woken up; a worker changes it as it parks and after it woke. docs/scheduler.md
// defines the states of workers.
type pool struct {
	graph       *edt.Graph
	workers     []*worker
	stealOrders *topo.StealOrders
	spinTime    int64 // how long an idle worker searches before it parks, ns
	spinFull    int64 // the same if another worker shares its processor
	restTime    int64 // how long a worker spins between two runs before it parks, ns
	stealGap    int64 // least time between two thefts of a worker, ns
	pauses      uint32
	// nextTasks says whether workers may use their next-task slots. If not, busy is
	// never true: noSpinner is what spinning is compared with.
	nextTasks bool
	noSpinner int64
	ranks     *edt.Ranks // nil: the run has one
	lookGap   int64      // see looksTooOften
	stopped   atomic.Bool
	why       atomic.Int32 // the first stopReason
	_         [64]byte

	door        atomic.Int64 // see rest.go
	beginning   atomic.Bool  // worker 0 has yet to call begin
	begin       func()
	closed      atomic.Bool
	over        atomic.Uint32 // see rest.go
	overLong    chan struct{} // the run has ended, if its caller did not wait for over
	endedAt     int64         // at this time
	lives       sync.WaitGroup
	faultsPanic bool // on the workers' goroutines
	inside      insiders
	waiting     callsWaiting
	_           [64]byte

	numParked atomic.Uint64
	_         [56]byte

	spinning atomic.Int64 // idle workers that pushes rely on
	_        [56]byte

	listener  atomic.Pointer[worker] // sleeps until a message of another rank comes, see ranks.go
	delivered readyList              // see standby.go
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
	awake      atomic.Int32 // its workers that are not parked
	_          [56]byte
}

// full reports whether another worker that is awake would have to share.
func (c *cpu) full() bool { return c.awake.Load() >= c.processors }

// oversubscribed reports whether workers that are awake share.
func (c *cpu) oversubscribed() bool { return c.awake.Load() > c.processors }

func (p *pool) parkedNow() int { return int(p.numParked.Load() & parkedMask) }

// countParked counts the worker as parked and returns how many are; countAwake takes
// that back.
func (w *worker) countParked() (count int) {
	w.cpu.awake.Add(-1)
	return int(w.pool.numParked.Add(parkedOne) & parkedMask)
}

func (w *worker) countAwake() {
	w.pool.numParked.Add(parkedEpoch - parkedOne)
	w.cpu.awake.Add(1)
}

// busy reports whether every worker is busy, and an EDT may go to a next-task slot.
func (p *pool) busy() bool { return p.parkedNow() == 0 && p.spinning.Load() == p.noSpinner }

// notify says that there is something to steal. It comes after the push.
func (p *pool) notify() {
	yield()
	if p.parkedNow() > 0 && p.spinning.Load() == 0 { // (1)
		p.wakeOne()
	}
}

// wakeOne wakes a parked worker that gets a processor to itself, if there is one. If
// every processor has a worker that is awake there is nothing to gain: those find the
// work when they are done with theirs.
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

// ring makes a worker look for mail from outside the pool, which is there already. Anybody may
// call it, at any time.
//
// An idle worker looks for mail by itself. A busy one does so between two EDTs if it has a hint;
// as nobody knows which of them is done first, all get one. If none is spinning a parked one is
// woken, though it may have to share its processor: unlike an EDT that was pushed, mail belongs
// to no worker that is awake.
func (p *pool) ring() {
	for _, w := range p.workers {
		yield()
		w.inbox.hint()
	}
	yield()
	if p.parkedNow() > 0 && p.spinning.Load() == 0 { // (1)
		p.wakeAny()
	}
}

// anyStealable reports whether there is anything that any worker could take: mail from outside,
// or an EDT that another worker has.
func (p *pool) anyStealable() bool {
	if p.graph.Mail() || p.delivered.count.Load() > 0 {
		return true
	}
	for _, w := range p.workers {
		yield()
		if w.stealable() {
			return true
		}
	}
	return false
}

// stealable reports whether the worker has an EDT that others could steal.
func (w *worker) stealable() bool {
	return !w.deque.empty() || w.ranked.count.Load() > 0 || w.nextTask.peek() != 0
}

// unread returns a worker in whose inbox a message is, or to which one is on its way; nil if there is none. It looks at
// worker first before the others.
func (p *pool) unread(first int) *worker {
	for k := range p.workers {
		yield()
		if w := p.workers[(first+k)%len(p.workers)]; !w.inbox.empty() {
			return w
		}
	}
	return nil
}

// quiescent reports whether nothing is left to run, and nothing may come from outside: all workers
// are parked, and were parked all the while that this was found.
func (p *pool) quiescent() bool {
	before := p.numParked.Load()
	return int(before&parkedMask) == len(p.workers) && !p.beginning.Load() && !p.graph.Expects() &&
		!p.anyStealable() && p.unread(0) == nil && p.numParked.Load() == before
}

// A stopReason is why a run ends; the first counts.
type stopReason int32

const (
	running      stopReason = iota
	fromEDT                 // shutdown, abort, misuse, panic: the graph knows which
	drained                 // nothing is left to run
	cancelledRun            // the context is done
	rankLost                // another rank is gone
)

// stop ends the run: each worker ends after the EDT it runs.
func (p *pool) stop(why stopReason) {
	p.why.CompareAndSwap(int32(running), int32(why))
	yield()
	p.stopped.Store(true)
	for _, w := range p.workers {
		w.inbox.close()
		w.wakeFrom(parkedInRun)
	}
	p.shut()
}

func futexWord(a *atomic.Uint32) *uint32 { return (*uint32)(unsafe.Pointer(a)) }
