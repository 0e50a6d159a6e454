package sys

import (
	"testing"
	"time"
)

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
