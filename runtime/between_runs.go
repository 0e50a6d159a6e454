package runtime

import (
	goruntime "runtime"
	"runtime/debug"
	"time"

	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/core/word"
)

// How workers enter and leave a run. README.md ("Runs") has the argument; the letters in these comments are its
// letters.
//
//	pool.door               the run
//	closed, 0 workers       none is on: all workers are between two runs
//	open, n workers         is on: n workers take part, others may enter
//	closed, n workers       is stopped: the n workers leave, and the last one ends it

// The states of worker.parked; 0 is awake.
const (
	parkedInRun       = 1 // woken for an EDT or for mail, and by the end of the run
	parkedBetweenRuns = 2 // woken for an EDT, for mail, for the next run, or by Close, but not by the end of a run
)

// doorOpen is the bit of pool.door that lets workers enter; the bits below it count the workers in the run.
const doorOpen = 1 << 32

// call wakes worker 0 for a run that is about to start, unless worker 0 is on the caller's processor. Worker 0 then
// wakes up while the caller makes the graph.
func (p *pool) call(cpu int) {
	if w := p.workers[0]; w.parked.Load() != 0 && sys.CurrentCPU() != cpu {
		w.wake()
	}
}

// start begins a run: it wakes worker 0, which calls begin. The other workers enter when they are woken. The caller
// ensures that all workers are between two runs.
func (p *pool) start(begin func()) {
	p.begin = begin
	p.spinning.Store(0) // a worker that has panicked may still be counted
	p.beginning.Store(true)
	p.stopped.Store(false)
	p.over.Store(overNot)
	p.door.Store(doorOpen) // (a)
	p.workers[0].wake()    // (b)
}

// enterRun counts the worker as in the present run; it returns false if there is none.
func (p *pool) enterRun() bool {
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

// exitRun counts the worker out. The last one ends the run.
func (p *pool) exitRun() {
	if p.door.Add(-1) == 0 {
		p.ended()
	}
}

// shut closes the door. If no worker is in the run, shut ends the run.
func (p *pool) shut() {
	if p.door.And(^doorOpen) == doorOpen { // it was open, and no worker takes part
		p.ended()
	}
}

// The values of pool.over.
const (
	overNot     = iota // the run is on; the caller may be blocked on the word
	overLooked         // the caller waits for overLong instead
	overAlready        // the run has ended
)

// awaitEnd returns when the run has ended. For 200 us it blocks the caller's thread, not only its goroutine, as a
// thread wakes sooner. Go would queue the goroutine behind the worker that makes it ready, and another thread would
// take it from that queue only after some 60 us.
func (p *pool) awaitEnd() {
	const short = 200 * time.Microsecond
	word.Wait(&p.over, overNot, short)
	if p.over.CompareAndSwap(overNot, overLooked) {
		p.overLong.Take()
	}
}

func (p *pool) ended() {
	p.endedAt = sys.Nanotime()
	if p.over.Swap(overAlready) == overLooked {
		p.overLong.Give()
	} else {
		word.Wake(&p.over, 1)
	}
}

// live is the goroutine of a worker: it takes part in one run after the other, until the pool is closed. If a body ends
// the goroutine with runtime.Goexit, the worker continues on a new one.
func (w *worker) live(pin func()) {
	p, closed := w.pool, false
	goruntime.LockOSThread() // so Go ends this thread when the goroutine ends
	before, err := sys.GetAffinity()
	defer func() {
		w.thread.Store(0)
		if err == nil {
			err = sys.SetAffinity(before) // Go never ends the first thread, whose mask tools show for the process
		}
		switch {
		case !closed:
			go w.live(pin)
			return
		case w.id == 0 && err == nil:
			goruntime.UnlockOSThread() // keeps one thread: else each short run would start one
		}
		p.lives.Done()
	}()
	pin()
	w.thread.Store(int64(sys.ThreadID()))
	name := sys.GoroutineName()
	w.goroutine.Store(&name)
	debug.SetPanicOnFault(p.faultsPanic)
	for w.awaitRun() {
		w.serveRun()
	}
	closed = true
}

// serveRun takes part in a run, from the worker's entry to its exit.
func (w *worker) serveRun() {
	defer w.pool.exitRun()
	defer w.inRun.Store(false)
	w.inRun.Store(true)
	w.gap()
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

// awaitRun waits for a run and enters it; it returns false if the pool was closed instead.
func (w *worker) awaitRun() bool {
	p := w.pool
	if w.idle == nil {
		w.idle = new(edt.Worker)
	}
	for spin := p.awaitSpin; ; spin = p.calledSpin {
		for start := sys.Nanotime(); ; word.Pause(1) {
			if p.enterRun() {
				return true
			}
			if p.closed.Load() {
				return false
			}
			if sys.Nanotime()-start >= spin {
				break
			}
		}
		w.parkBetweenRuns()
	}
}

// calledTime is the value of pool.calledSpin, in ns.
const calledTime = 20_000

func (w *worker) parkBetweenRuns() {
	p := w.pool
	w.parked.Store(parkedBetweenRuns) // (c)
	w.countParked()
	if p.door.Load()&doorOpen != 0 || p.closed.Load() { // (d)
		w.parked.Store(0)
	}
	for w.parked.Load() == parkedBetweenRuns {
		word.Wait(&w.parked, parkedBetweenRuns, 0)
	}
	w.countAwake()
}
