package sys

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
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

func TestFutexHandOff(t *testing.T) {
	const rounds = 2000
	turn := new(uint32)
	var wg sync.WaitGroup
	for me := range uint32(2) {
		wg.Go(func() {
			for range rounds {
				for atomic.LoadUint32(turn) != me {
					FutexWait(turn, 1-me, 0)
				}
				atomic.StoreUint32(turn, 1-me)
				FutexWake(turn, 1)
			}
		})
	}
	wg.Wait()
	testrun.Equal(t, 0, *turn, "turn after an even number of hand-offs")
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
