//go:build explore

package word

import (
	goruntime "runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"ocr/internal/core/sys"
)

// A Place is the address and width of a word.
type Place struct {
	P    unsafe.Pointer
	Wide bool // eight bytes, else four
}

// Value returns the word.
func (p Place) Value() uint64 {
	if p.Wide {
		return *(*uint64)(p.P)
	}
	return uint64(*(*uint32)(p.P))
}

// Set sets the word.
func (p Place) Set(x uint64) {
	if p.Wide {
		*(*uint64)(p.P) = x
		return
	}
	*(*uint32)(p.P) = uint32(x)
}

// A Thread is a thread of an exploration. Each call, except Wrote and Buffered, returns when the explorer lets the
// thread make its next step. Until the thread's next call no other thread runs.
type Thread interface {
	Load(Place)                    // before a load
	Change(Place)                  // before an atomic operation that may change the word
	Wrote()                        // after Change and the operation, if the operation has changed the word
	Buffered(Place) (uint64, bool) // the newest value that the thread has published, if others do not see it yet
	Publish(Place, uint64)
	Barrier()
	Await(p Place, change bool, ok func(uint64) bool) // before an access that waits until ok(word) is true
	Wait(Place, uint32)
	Wake(Place, int)
	Pause()
}

// Now is the thread that runs, nil if there is no exploration.
var Now Thread

// An Of is a word with a number of type T.
type Of[T number] struct{ plain[T] }

func (w *Of[T]) place() Place { return Place{unsafe.Pointer(w), unsafe.Sizeof(w.v) == 8} }

// Load returns the word.
func (w *Of[T]) Load() T {
	if Now == nil {
		return w.plain.Load()
	}
	Now.Load(w.place())
	return w.Own()
}

// change makes the step of an atomic change. It returns the old word; the caller sets the new one.
func (w *Of[T]) change() T {
	Now.Change(w.place())
	Now.Wrote()
	return w.v
}

// Store sets the word.
func (w *Of[T]) Store(x T) {
	if Now == nil {
		w.plain.Store(x)
		return
	}
	w.change()
	w.v = x
}

// Publish sets the word. Other threads may see it later than the caller's next steps.
func (w *Of[T]) Publish(x T) {
	if Now == nil {
		w.plain.Publish(x)
		return
	}
	Now.Publish(w.place(), uint64(x))
}

// CompareAndSwap sets the word to new if it equals old, and reports whether it did.
func (w *Of[T]) CompareAndSwap(old, new T) bool {
	if Now == nil {
		return w.plain.CompareAndSwap(old, new)
	}
	Now.Change(w.place())
	if w.v != old {
		return false
	}
	Now.Wrote()
	w.v = new
	return true
}

// Add adds d, and returns the sum.
func (w *Of[T]) Add(d T) T {
	if Now == nil {
		return w.plain.Add(d)
	}
	w.change()
	w.v += d
	return w.v
}

// Swap sets the word, and returns the old one.
func (w *Of[T]) Swap(x T) T {
	if Now == nil {
		return w.plain.Swap(x)
	}
	old := w.change()
	w.v = x
	return old
}

// And clears the bits that mask lacks, and returns the old word.
func (w *Of[T]) And(mask T) T {
	if Now == nil {
		return w.plain.And(mask)
	}
	old := w.change()
	w.v &= mask
	return old
}

// Or sets the bits of mask, and returns the old word.
func (w *Of[T]) Or(mask T) T {
	if Now == nil {
		return w.plain.Or(mask)
	}
	old := w.change()
	w.v |= mask
	return old
}

// Own returns the word, for its only writer.
func (w *Of[T]) Own() T {
	if Now != nil {
		if x, ok := Now.Buffered(w.place()); ok {
			return T(x)
		}
	}
	return w.v
}

// Await blocks a thread of an exploration until ok(word) is true.
func (w *Of[T]) Await(ok func(T) bool) {
	Now.Await(w.place(), false, func(x uint64) bool { return ok(T(x)) })
}

// Publish sets a number that its owner also reads and writes plainly: the value is visible at once.
func Publish(p *uint64, x uint64) {
	if Now != nil {
		Now.Change(Place{unsafe.Pointer(p), true})
		Now.Wrote()
	}
	atomic.StoreUint64(p, x)
}

// Load returns a number that its owner may also read and write plainly.
func Load(p *uint64) uint64 {
	if Now != nil {
		Now.Load(Place{unsafe.Pointer(p), true})
	}
	return atomic.LoadUint64(p)
}

// A Pointer is a word with a pointer.
type Pointer[T any] struct{ p atomic.Pointer[T] }

func (w *Pointer[T]) place() Place { return Place{unsafe.Pointer(w), true} }

// Load returns the word.
func (w *Pointer[T]) Load() *T {
	if Now != nil {
		Now.Load(w.place())
	}
	return w.p.Load()
}

// Store sets the word.
func (w *Pointer[T]) Store(x *T) {
	if Now != nil {
		Now.Change(w.place())
		Now.Wrote()
	}
	w.p.Store(x)
}

// CompareAndSwap sets the word to new if it equals old, and reports whether it did.
func (w *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	if Now != nil {
		Now.Change(w.place())
	}
	if swapped = w.p.CompareAndSwap(old, new); swapped && Now != nil {
		Now.Wrote()
	}
	return swapped
}

// A Mutex is a lock.
type Mutex struct {
	held Uint32
	_    uint32
}

// Lock waits until the lock is free, and takes it.
func (m *Mutex) Lock() {
	if Now != nil {
		Now.Await(m.held.place(), true, func(held uint64) bool { return held == 0 })
		Now.Wrote()
		m.held.v = 1
		return
	}
	for !m.TryLock() {
		goruntime.Gosched()
	}
}

// TryLock takes the lock if it is free.
func (m *Mutex) TryLock() bool { return m.held.CompareAndSwap(0, 1) }

// Unlock frees the lock.
func (m *Mutex) Unlock() {
	defer func() { m.held.v = 0 }() // also if the explorer ends the thread here
	m.held.Store(0)
}

// Barrier makes visible what all threads have published.
func Barrier() {
	if Now == nil {
		sys.ProcessBarrier()
		return
	}
	Now.Barrier()
}

// Wait blocks the caller's thread if the word equals old, until [Wake] is called or limit has passed; 0 is no limit.
// In an exploration a Wait with a limit returns at once: other threads may run in between, so the exploration has all
// that can happen in that time.
func Wait(w *Uint32, old uint32, limit time.Duration) {
	switch {
	case Now == nil:
		sys.FutexWait((*uint32)(unsafe.Pointer(&w.v)), old, limit)
	case limit == 0:
		Now.Wait(w.place(), old)
	}
}

// Wake ends the calls of [Wait] of up to n threads.
func Wake(w *Uint32, n int) {
	if Now == nil {
		sys.FutexWake((*uint32)(unsafe.Pointer(&w.v)), n)
		return
	}
	Now.Wake(w.place(), n)
}

// A Signal wakes one goroutine that waits for it, once.
type Signal struct {
	c     chan struct{}
	given *Uint32
}

// NewSignal returns a signal.
func NewSignal() Signal { return Signal{make(chan struct{}, 1), new(Uint32)} }

// Give gives the signal. A signal given before must have been taken.
func (s *Signal) Give() {
	if Now == nil {
		s.c <- struct{}{}
		return
	}
	s.given.Store(1)
}

// Take waits for the signal.
func (s *Signal) Take() {
	if Now == nil {
		<-s.c
		return
	}
	s.given.Await(func(given uint32) bool { return given != 0 })
	s.given.Store(0)
}

// Pause is called in each round of a loop that waits for a word and only reads. In an exploration the thread continues
// when one of the words that it has read in this round has changed.
func Pause(n uint32) {
	if Now == nil {
		sys.Pause(n)
		return
	}
	Now.Pause()
}
