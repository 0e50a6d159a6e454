package sys

import (
	"os/exec"
	"path/filepath"
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
