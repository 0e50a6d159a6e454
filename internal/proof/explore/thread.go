//go:build explore

package explore

import (
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"

	"ocr/internal/core/word"
)

// A thread is a thread of a run (a coroutine that stops before each step), or the store buffer of such a thread.
type thread struct {
	name  string
	run   *Run
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	want  step // its next step
	live  bool
	ended bool // the run stops it: its accesses are no steps any more

	buffer    []stored
	published int
	of        *thread // if this is a store buffer: the thread whose stores it makes visible

	looks  []look     // what it has read since its last Pause
	wrote  bool       // it has changed a word since its last Pause
	undone uint64     // in word.Barrier: the threads whose buffers have not been empty since it began
	asleep bool       // in word.Wait
	at     word.Place // the word in which it sleeps
}

// A step is an access of a thread, before it is made.
type step struct {
	at      word.Place // none if P is nil
	change  bool       // the word may change
	fence   fence
	flush   bool // a published value becomes visible
	publish bool
	number  int // a publication and its flush have the same number

	until func(uint64) bool // the step waits until this is true for the word
	slept bool              // the step waits until the thread is woken
	looks []look            // the step waits until one of these has changed
}

// A fence says which store buffers must be empty before a step.
type fence uint8

const (
	own      fence = iota + 1 // the thread's own buffer
	begins                    // the thread's own buffer; a barrier begins
	everyone                  // each buffer, at some time since the barrier began
)

// A stored value waits in a store buffer.
type stored struct {
	at     word.Place
	x      uint64
	number int
}

// A look is a word and what a thread has seen there.
type look struct {
	at word.Place
	x  uint64
}

var errStopped = errors.New("the thread is stopped")

// start runs the thread to its first step.
func (t *thread) start(body func()) {
	t.live = true
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		defer func() {
			if e := recover(); e != nil && e != errStopped {
				t.run.Fail("%s: panic: %v\n%s", t.name, e, debug.Stack())
			}
		}()
		body()
	})
	t.goOn()
}

// goOn runs the thread to its next step, or its end.
func (t *thread) goOn() {
	word.Now = t
	_, t.live = t.next()
	word.Now = nil
}

// end ends a thread that has not ended.
func (t *thread) end() {
	t.ended = true
	word.Now = t
	t.stop()
	word.Now = nil
}

// step waits until the explorer lets the thread make this step.
func (t *thread) step(s step) {
	if t.ended {
		return
	}
	if t.want = s; t.run.trace != nil {
		t.run.trace.at(t)
	}
	if !t.yield(struct{}{}) {
		panic(errStopped)
	}
}

// Load implements [word.Thread].
func (t *thread) Load(p word.Place) {
	t.step(step{at: p})
	t.saw(p)
}

func (t *thread) saw(p word.Place) {
	if !t.wrote {
		t.looks = append(t.looks, look{p, t.value(p)})
	}
}

// value returns the value of a word that the thread sees.
func (t *thread) value(p word.Place) uint64 {
	if x, own := t.Buffered(p); own {
		return x
	}
	return p.Value()
}

// Change implements [word.Thread].
func (t *thread) Change(p word.Place) {
	t.step(step{at: p, change: true, fence: own})
	t.saw(p)
}

// Wrote implements [word.Thread].
func (t *thread) Wrote() { t.wrote = true }

// Buffered implements [word.Thread].
func (t *thread) Buffered(p word.Place) (uint64, bool) {
	for _, s := range slices.Backward(t.buffer) {
		if s.at == p {
			return s.x, true
		}
	}
	return 0, false
}

// Publish implements [word.Thread].
func (t *thread) Publish(p word.Place, x uint64) {
	t.published++
	s := stored{p, x, t.published}
	t.step(step{publish: true, number: s.number})
	t.wrote = true
	t.buffer = append(t.buffer, s)
}

// Barrier implements [word.Thread].
func (t *thread) Barrier() {
	t.step(step{fence: begins})
	t.undone = 1<<len(t.run.bodies) - 1
	t.step(step{fence: everyone})
}

// Await implements [word.Thread].
func (t *thread) Await(p word.Place, change bool, ok func(uint64) bool) {
	s := step{at: p, change: change, until: ok}
	if change {
		s.fence = own
	}
	t.wait(s)
}

// wait is step for a step that may have to wait. A thread that the run stops panics, as it must not go on.
func (t *thread) wait(s step) {
	if t.ended {
		panic(errStopped)
	}
	t.step(s)
}

// Wait implements [word.Thread]: a futex.
func (t *thread) Wait(p word.Place, old uint32) {
	t.wait(step{at: p, change: true, fence: own})
	t.wrote = true
	if uint32(p.Value()) != old {
		return
	}
	t.asleep, t.at = true, p
	t.wait(step{at: p, change: true, fence: own, slept: true})
}

// Wake implements [word.Thread].
func (t *thread) Wake(p word.Place, n int) {
	t.step(step{at: p, change: true, fence: own})
	t.wrote = true
	for _, u := range t.run.threads {
		if n > 0 && u.asleep && u.at == p {
			u.asleep = false
			n--
		}
	}
}

// Pause implements [word.Thread].
func (t *thread) Pause() {
	if !t.wrote {
		t.wait(step{looks: t.looks})
	}
	t.looks, t.wrote = nil, false
}

// prepare sets the next step of a store buffer.
func (t *thread) prepare() {
	if t.of != nil && len(t.of.buffer) > 0 {
		first := t.of.buffer[0]
		t.want = step{at: first.at, change: true, flush: true, number: first.number}
	}
}

// pending reports whether the thread has a next step, which may have to wait.
func (t *thread) pending() bool { return t.live || t.of != nil && len(t.of.buffer) > 0 }

// ready reports whether the next step is possible.
func (t *thread) ready() bool {
	s := &t.want
	switch {
	case t.of != nil:
		return len(t.of.buffer) > 0
	case !t.live || s.slept && t.asleep || s.until != nil && !s.until(t.value(s.at)):
		return false
	case s.looks != nil && !slices.ContainsFunc(s.looks, t.changed):
		return false
	case s.fence == own, s.fence == begins:
		return len(t.buffer) == 0
	case s.fence == everyone:
		for k, u := range t.run.threads[:len(t.run.bodies)] {
			if len(u.buffer) == 0 {
				t.undone &^= 1 << k
			}
		}
		return t.undone == 0
	}
	return true
}

func (t *thread) changed(l look) bool { return t.value(l.at) != l.x }

// advance makes the next step.
func (t *thread) advance() {
	if u := t.of; u != nil {
		s := u.buffer[0]
		u.buffer = u.buffer[1:]
		s.at.Set(s.x)
		return
	}
	t.goOn()
}

// String says what the thread waits for.
func (t *thread) String() string {
	switch s := &t.want; {
	case s.slept:
		return fmt.Sprintf("%s sleeps until it is woken", t.name)
	case s.looks != nil:
		return fmt.Sprintf("%s looks at words that do not change", t.name)
	case s.until != nil:
		return fmt.Sprintf("%s waits for a word", t.name)
	}
	return fmt.Sprintf("%s waits", t.name)
}

// hidden reports whether the step is a publication or its flush.
func (s *step) hidden() bool { return s.publish || s.flush }

// dependent reports whether it matters in which order two steps of different threads come.
func dependent(a, b *step) bool {
	return a.at.P != nil && a.at.P == b.at.P && (a.change || b.change) ||
		a.fence >= begins && b.hidden() || b.fence >= begins && a.hidden() ||
		a.looks != nil && b.change && a.sees(b.at) || b.looks != nil && a.change && b.sees(a.at)
}

func (s *step) sees(p word.Place) bool {
	return slices.ContainsFunc(s.looks, func(l look) bool { return l.at.P == p.P })
}
