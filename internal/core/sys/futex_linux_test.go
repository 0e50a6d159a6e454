package sys

import (
	"sync/atomic"
	"testing"
	"time"
)

func TestFutexWaitTimesOut(t *testing.T) {
	const timeout = 20 * time.Millisecond
	var word uint32
	began := time.Now()
	for time.Since(began) < timeout { // a signal may end it sooner
		FutexWait(&word, 0, timeout)
	}
}

// wakeAll changes the word, then wakes the waiters once: if a wake-up is lost the test hangs.
func wakeAll(word *uint32, waiters int, done <-chan struct{}) {
	atomic.StoreUint32(word, 1)
	FutexWake(word, waiters)
	<-done
}

func TestFutexWakeAll(t *testing.T) {
	const waiters = 8
	word := new(uint32)
	done := make(chan struct{})
	var left atomic.Int32
	left.Store(waiters)
	for range waiters {
		go func() {
			for atomic.LoadUint32(word) == 0 {
				FutexWait(word, 0, 0)
			}
			if left.Add(-1) == 0 {
				close(done)
			}
		}()
	}
	time.Sleep(5 * time.Millisecond)
	wakeAll(word, waiters, done)
}
