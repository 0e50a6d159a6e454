package runtime

import (
	goruntime "runtime"
	"runtime/debug"

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

// start begins a run: worker 0 begins the graph and the others come as they are needed. All
// workers are at rest.
func (p *pool) start(begin func()) {
	p.begin = begin
	p.why.Store(int32(running))
	p.beginning.Store(true)
	p.stopped.Store(false)
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

func (p *pool) ended() {
	p.endedAt = sys.Nanotime()
	p.over <- struct{}{}
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
	w.guarded(func() {
		if w.id == 0 && w.pool.beginning.Load() {
			w.pool.begin()
			w.pool.beginning.Store(false)
		}
		w.run()
	})
}

// rest waits until there is a run to take part in, and reports false if the pool was closed
// instead. It spins first, as a worker does that is idle in a run.
func (w *worker) rest() bool {
	p := w.pool
	for start := sys.Nanotime(); sys.Nanotime()-start < w.spinLimit(); sys.Pause(p.pauses) {
		if p.comeIn() {
			return true
		}
		if p.closed.Load() {
			return false
		}
	}
	for {
		w.parked.Store(parkedAtRest) // (c)
		w.countParked()
		if p.door.Load()&doorOpen != 0 || p.closed.Load() { // (d)
			w.parked.Store(0)
		}
		for w.parked.Load() == parkedAtRest {
			sys.FutexWait(futexWord(&w.parked), parkedAtRest, 0)
		}
		w.countAwake()
		switch {
		case p.comeIn():
			return true
		case p.closed.Load():
			return false
		}
	}
}
