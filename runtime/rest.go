package runtime

import (
	goruntime "runtime"
	"runtime/debug"
	"time"

	"ocr/edt"
	"ocr/internal/sys"
)

// Between two runs the workers of a pool are at rest. docs/scheduler.md ("Runs") has the
// protocol and its argument; the numbers there are those in the comments here.

// The states of worker.parked; 0 is awake.
const (
	parkedInRun  = 1 // anybody who has work wakes it
	parkedAtRest = 2 // the same, and it takes part then; the end of a run leaves it alone
)

// The word pool.door: the number of workers that take part in the run, and whether others
// may come in.
const doorOpen = 1 << 32

// call wakes worker 0 for a run that is about to start, if that is on another processor: it wakes up
// while the caller makes the graph.
func (p *pool) call(cpu int) {
	if w := p.workers[0]; w.parked.Load() != 0 && sys.CurrentCPU() != cpu {
		w.wake()
	}
}

// start begins a run: worker 0 begins the graph and the others come as they are needed. All
// workers are at rest.
func (p *pool) start(begin func()) {
	p.begin = begin
	p.why.Store(int32(running))
	p.spinning.Store(0) // a panic has left its worker counted
	p.beginning.Store(true)
	p.stopped.Store(false)
	p.over.Store(overNot)
	p.door.Store(doorOpen) // (a)
	p.workers[0].wake()    // (b)
}

// comeIn reports whether a run is on, and counts the worker among those that take part.
func (p *pool) comeIn() bool {
	for {
		v := p.door.Load()
		if v&doorOpen == 0 {
			return false
		}
		if p.door.CompareAndSwap(v, v+1) {
			return true
		}
	}
}

// goOut counts the worker out. The last one ends the run.
func (p *pool) goOut() {
	if p.door.Add(-1) == 0 {
		p.ended()
	}
}

// shut lets no worker in any more.
func (p *pool) shut() {
	if p.door.And(^doorOpen) == doorOpen { // it was open, and nobody is in
		p.ended()
	}
}

// The word pool.over.
const (
	overNot     = iota // the caller may be blocked on the word
	overLooked         // it waits for overLong
	overAlready        // the run has ended
)

// awaitEnd returns when the run has ended. For a short time it keeps the caller's thread, which then wakes
// sooner: the scheduler of Go leaves a goroutine that is made ready with the worker that did
// so, which stays busy, and takes it from there after some 60 us.
func (p *pool) awaitEnd() {
	const short = 200 * time.Microsecond
	sys.FutexWait(futexWord(&p.over), overNot, short)
	if p.over.CompareAndSwap(overNot, overLooked) {
		<-p.overLong
	}
}

func (p *pool) ended() {
	p.endedAt = sys.Nanotime()
	if p.over.Swap(overAlready) == overLooked {
		p.overLong <- struct{}{}
	} else {
		sys.FutexWake(futexWord(&p.over), 1)
	}
}

// live is the goroutine of a worker: it takes part in one run after the other, until the
// pool is closed. A body that leaves by runtime.Goexit takes the goroutine along; the worker
// goes on with another.
func (w *worker) live(pin func()) {
	p, closed := w.pool, false
	goruntime.LockOSThread() // the goroutine ends locked, and takes its pinned thread along
	before, err := sys.GetAffinity()
	defer func() {
		w.thread.Store(0)
		switch {
		case !closed:
			go w.live(pin)
			return
		case w.id == 0 && err == nil && sys.SetAffinity(before) == nil:
			goruntime.UnlockOSThread() // but for this one: short runs would pay for a new thread
		}
		p.lives.Done()
	}()
	pin()
	w.thread.Store(int64(sys.ThreadID()))
	debug.SetPanicOnFault(p.faultsPanic)
	for w.rest() {
		w.takePart()
	}
	closed = true
}

// takePart is a worker's part in a run.
func (w *worker) takePart() {
	defer w.pool.goOut()
	if w.core == nil {
		w.enlist(w.idle)
		w.idle = nil
	}
	w.core.Own()
	w.guarded(func() {
		if w.id == 0 && w.pool.beginning.Load() {
			w.pool.begin()
			w.pool.beginning.Store(false)
		}
		w.run()
	})
}

// rest waits until there is a run to take part in, and reports false if the pool was closed
// instead.
func (w *worker) rest() bool {
	p := w.pool
	if w.idle == nil {
		w.idle = new(edt.Worker)
	}
	for spin := p.restTime; ; spin = calledTime {
		for start := sys.Nanotime(); ; sys.Pause(p.pauses) {
			if p.comeIn() {
				return true
			}
			if p.closed.Load() {
				return false
			}
			if sys.Nanotime()-start >= spin {
				break
			}
		}
		w.parkAtRest()
	}
}

// calledTime is how long a worker at rest that was woken waits at the door, in ns: a run is about to start.
const calledTime = 20_000

func (w *worker) parkAtRest() {
	p := w.pool
	w.parked.Store(parkedAtRest) // (c)
	w.countParked()
	if p.door.Load()&doorOpen != 0 || p.closed.Load() { // (d)
		w.parked.Store(0)
	}
	for w.parked.Load() == parkedAtRest {
		sys.FutexWait(futexWord(&w.parked), parkedAtRest, 0)
	}
	w.countAwake()
}
