package runtime

import (
	"sync/atomic"
	"unsafe"

	"ocr/edt"
	"ocr/internal/topo"
)

// A pool is the workers of one run and what they share.
//
// Concurrency: what is above the padding is read by all on every EDT and written
// rarely. idle holds the number of sleeping workers below, and above how often one
// has woken up; a worker changes it as it goes to sleep and after it woke.
type pool struct {
	graph       *edt.Graph
	workers     []*worker
	stealOrders *topo.StealOrders
	spinTime    int64 // how long an idle worker spins before it sleeps, ns
	spinFull    int64 // the same where another worker shares its processor
	stealGap    int64 // least time between two thefts of a worker, ns
	pauses      uint32
	// nextTasks says whether workers may use their next-task slots. If not, busy is
	// never true: noSpinner is what spinning is compared with.
	nextTasks bool
	noSpinner int64
	stopped   atomic.Bool
	why       atomic.Int32 // the first stopReason
	_         [64]byte

	idle atomic.Uint64
	_    [56]byte

	spinning atomic.Int64 // workers that look for work
	_        [56]byte
}

const (
	idleOne   = 1
	idleMask  = 1<<32 - 1
	idleEpoch = 1 << 32
)

// A seat is a processor that workers are pinned to, or all of them where workers
// are not pinned.
type seat struct {
	processors int32
	awake      atomic.Int32 // its workers that do not sleep
	_          [56]byte
}

// full reports whether another worker that is awake would have to share.
func (s *seat) full() bool { return s.awake.Load() >= s.processors }

// crowded reports whether workers that are awake share.
func (s *seat) crowded() bool { return s.awake.Load() > s.processors }

func (p *pool) sleepers() int { return int(p.idle.Load() & idleMask) }

func (w *worker) goIdle() (count int) {
	w.seat.awake.Add(-1)
	return int(w.pool.idle.Add(idleOne) & idleMask)
}

func (w *worker) leaveIdle() {
	w.pool.idle.Add(idleEpoch - idleOne)
	w.seat.awake.Add(1)
}

// busy reports whether every worker has work, and an EDT may go to a next-task slot.
func (p *pool) busy() bool { return p.sleepers() == 0 && p.spinning.Load() == p.noSpinner }

// notify says that there is something to steal. It comes after the push.
func (p *pool) notify() {
	yield()
	if p.sleepers() > 0 && p.spinning.Load() == 0 { // (1)
		p.wakeOne()
	}
}

// wakeOne wakes a worker that has a processor to itself, if one sleeps. Where every
// processor has a worker awake there is nothing to gain: those find the work when
// they are done with theirs.
func (p *pool) wakeOne() {
	for _, w := range p.workers {
		if !w.seat.full() && w.wake() {
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

// anyLoot reports whether any worker has something that others could steal.
func (p *pool) anyLoot() bool {
	for _, w := range p.workers {
		yield()
		if w.hasLoot() {
			return true
		}
	}
	return false
}

func (w *worker) hasLoot() bool {
	return !w.deque.empty() || w.ranked.count.Load() > 0 || w.nextTask.peek() != 0
}

func (p *pool) anyMail() bool {
	for _, w := range p.workers {
		yield()
		if !w.inbox.empty() {
			return true
		}
	}
	return false
}

// quiescent reports whether nothing is left to run: all workers sleep, and slept
// all the while that their lists were found empty.
func (p *pool) quiescent() bool {
	before := p.idle.Load()
	return int(before&idleMask) == len(p.workers) && !p.anyLoot() && !p.anyMail() && p.idle.Load() == before
}

// A stopReason is why a run ends; the first counts.
type stopReason int32

const (
	running   stopReason = iota
	fromEDT              // shutdown, abort, misuse, panic: the graph knows which
	drained              // nothing is left to run
	cancelled            // the context is done
)

// stop ends the run: each worker ends after the EDT it runs.
func (p *pool) stop(why stopReason) {
	p.why.CompareAndSwap(int32(running), int32(why))
	yield()
	p.stopped.Store(true)
	for _, w := range p.workers {
		w.wake()
	}
}

func futexWord(a *atomic.Uint32) *uint32 { return (*uint32)(unsafe.Pointer(a)) }
