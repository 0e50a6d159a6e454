//go:build !explore

package word

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"ocr/internal/core/sys"
)

// An Of is a word with a number of type T.
type Of[T number] = plain[T]

// A Pointer is a word with a pointer.
type Pointer[T any] = atomic.Pointer[T]

// A Mutex is a lock.
type Mutex = sync.Mutex

// Barrier makes visible to the caller what all running threads of the process have published, and to them what the
// caller has stored.
func Barrier() { sys.ProcessBarrier() }

// Wait blocks the caller's thread if the word equals old, until [Wake] is called or limit has passed; 0 is no limit.
// It may return sooner.
func Wait(w *Uint32, old uint32, limit time.Duration) {
	sys.FutexWait((*uint32)(unsafe.Pointer(w)), old, limit)
}

// Wake ends the calls of [Wait] of up to n threads.
func Wake(w *Uint32, n int) { sys.FutexWake((*uint32)(unsafe.Pointer(w)), n) }

// A Signal wakes one goroutine that waits for it, once.
type Signal struct{ c chan struct{} }

// NewSignal returns a signal.
func NewSignal() Signal { return Signal{make(chan struct{}, 1)} }

// Give gives the signal. A signal given before must have been taken.
func (s *Signal) Give() { s.c <- struct{}{} }

// Take waits for the signal.
func (s *Signal) Take() { <-s.c }

// Pause is called in each round of a loop that waits for a word and only reads: it executes the processor's spin-wait
// hint n times.
func Pause(n uint32) { sys.Pause(n) }
