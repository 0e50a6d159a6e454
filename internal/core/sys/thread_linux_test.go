package sys

import (
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
)

// TestUsageOfChildren: the time of a child counts while it runs.
func TestUsageOfChildren(t *testing.T) {
	if lists, _ := filepath.Glob("/proc/self/task/*/children"); lists == nil {
		t.Skip("this kernel does not list children")
	}
	child := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
	if err := child.Start(); err != nil {
		t.Skip(err)
	}
	for runningChildren("self") < 20*time.Millisecond && t.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
	before := ProcessTime()
	testrun.OK(t, child.Process.Kill())
	_ = child.Wait()
	if after := ProcessTime(); after < before || runningChildren("self") != 0 {
		t.Errorf("%v while the child ran, %v after; children that run: %v", before, after, runningChildren("self"))
	}
}

func TestThreadID(t *testing.T) {
	ids := make(chan int, 2)
	for range 2 {
		onLockedThread(t, func() { ids <- ThreadID() })
	}
	if a, b := <-ids, <-ids; a == b || a <= 0 || b <= 0 {
		t.Errorf("two locked threads have ids %d and %d, want two different positive ones", a, b)
	}
}

func TestContextSwitches(t *testing.T) {
	onLockedThread(t, func() {
		before, preempted := ContextSwitches()
		var word uint32
		const waits = 5
		for range waits {
			FutexWait(&word, 0, time.Millisecond)
		}
		Yield()
		after, preemptedLater := ContextSwitches()
		if after-before < waits {
			t.Errorf("voluntary switches went from %d to %d over %d waits", before, after, waits)
		}
		if preemptedLater < preempted {
			t.Errorf("involuntary switches went back from %d to %d", preempted, preemptedLater)
		}
	})
}

func TestFutexWaitTimesOut(t *testing.T) {
	const timeout = 20 * time.Millisecond
	var word uint32
	began := time.Now()
	for time.Since(began) < timeout { // a signal may end it sooner
		FutexWait(&word, 0, timeout)
	}
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
	atomic.StoreUint32(word, 1)
	FutexWake(word, waiters) // once: if a wake-up is lost the test hangs
	<-done
}
