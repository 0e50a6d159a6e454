//go:build explore

package explore

import (
	"errors"
	"fmt"
	"strings"
)

// A Run is one execution of a program: its threads, and the check of its end.
type Run struct {
	threads []*thread
	bodies  []func()
	check   func() error
	cleanup []func()
	failure error
	trace   *trace
}

// Go adds a thread. Each runs up to its first step before any of them makes a step.
func (r *Run) Go(name string, body func()) {
	r.threads = append(r.threads, &thread{name: name, run: r})
	r.bodies = append(r.bodies, body)
}

// Finally sets the check that runs when all threads have ended.
func (r *Run) Finally(check func() error) { r.check = check }

// Cleanup adds a function that is called after the run, whether the run came to its end or not.
func (r *Run) Cleanup(f func()) { r.cleanup = append(r.cleanup, f) }

// Fail ends the run with an error. Threads call it.
func (r *Run) Fail(format string, args ...any) {
	if r.failure == nil {
		r.failure = fmt.Errorf(format, args...)
	}
}

// maxSteps is the largest number of steps of a run.
const maxSteps = 20_000

// An order chooses, in each run, which thread makes the next step.
type order interface {
	// choose returns a thread in the set ready, or -1 if an earlier run has had the same remaining steps.
	choose(r *Run, depth int, ready uint64) int
	// ended is called when no step is possible any more.
	ended(r *Run, depth int)
	// next chooses another order for the next run; it returns false if there is none.
	next() bool
	// keep makes the next run repeat the last one.
	keep()
}

// errRepeats ends a run that would go on as an earlier one did.
var errRepeats = errors.New("explore: an earlier run has had the same remaining steps")

// play runs the threads to their end in an order.
func play(setup func(*Run), o order, tr *trace) (r *Run, steps int, err error) {
	r = &Run{trace: tr}
	setup(r)
	defer func() {
		for _, t := range r.threads[:len(r.bodies)] {
			if t.live {
				t.end()
			}
		}
		for _, f := range r.cleanup {
			f()
		}
	}()
	for k, t := range r.threads {
		t.start(r.bodies[k])
	}
	for _, t := range r.threads[:len(r.bodies)] {
		r.threads = append(r.threads, &thread{name: t.name, run: r, of: t})
	}
	if len(r.threads) > 64 {
		panic("explore: too many threads")
	}
	for depth := 0; r.failure == nil; depth++ {
		ready := r.ready()
		switch {
		case ready == 0:
			o.ended(r, depth)
			return r, depth, r.end()
		case depth == maxSteps:
			return r, depth, fmt.Errorf("no end after %d steps", depth)
		}
		k := o.choose(r, depth, ready)
		if k < 0 {
			return r, depth, errRepeats
		}
		if tr != nil {
			tr.made(r.threads[k])
		}
		r.threads[k].advance()
	}
	return r, 0, r.failure
}

// ready returns the set of threads whose next step is possible.
func (r *Run) ready() (set uint64) {
	for k, t := range r.threads {
		if t.prepare(); t.ready() {
			set |= 1 << k
		}
	}
	return set
}

// end returns the error of a run in which no step is possible any more: a deadlock, or the error of the check.
func (r *Run) end() error {
	var waiting []string
	for _, t := range r.threads {
		if t.live {
			waiting = append(waiting, t.String())
		}
	}
	if waiting != nil {
		return errors.New("deadlock: " + strings.Join(waiting, ", "))
	}
	if r.check != nil {
		return r.check()
	}
	return nil
}
