package sys

import (
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"ocr/internal/proof/testrun"
)

// TestSharedMemory maps a file twice, as two processes would, and hands a word to and fro.
func TestSharedMemory(t *testing.T) {
	f, err := NewSharedFile("test", 1<<13)
	testrun.OK(t, err)
	var words [2]*uint32
	for k := range words {
		memory, err := MapShared(f, 1<<13)
		testrun.OK(t, err)
		defer func() {
			if err := UnmapShared(memory); err != nil {
				t.Error(err)
			}
		}()
		words[k] = (*uint32)(unsafe.Pointer(&memory[4096]))
	}
	testrun.OK(t, f.Close())
	const rounds = 1000
	done := make(chan struct{})
	turn := func(me uint32) {
		for range rounds {
			for atomic.LoadUint32(words[me]) != me {
				SharedFutexWait(words[me], 1-me, 0)
			}
			atomic.StoreUint32(words[me], 1-me)
			SharedFutexWake(words[me], 1)
		}
	}
	go func() {
		turn(1)
		close(done)
	}()
	turn(0)
	<-done
	if words[0] == words[1] {
		t.Error("both maps are at one address")
	}
}

func TestSharedFutexWaitTimesOut(t *testing.T) {
	const timeout = 5 * time.Millisecond
	var word uint32
	began := time.Now()
	for time.Since(began) < timeout { // a signal may end it sooner
		SharedFutexWait(&word, 0, timeout)
	}
}
