package sys

import (
	goruntime "runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"ocr/internal/proof/testrun"
)

// onLockedThread runs f on a thread of its own, whose mask f may change: the goroutine ends locked, so Go ends the
// thread.
func onLockedThread(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		goruntime.LockOSThread()
		f()
	}()
	<-done
}

func inherited(t *testing.T) []int {
	t.Helper()
	cpus, err := GetAffinity()
	testrun.OK(t, err)
	if len(cpus) == 0 || !slices.IsSorted(cpus) {
		t.Fatalf("GetAffinity() = %v, want at least one CPU, ascending", cpus)
	}
	return cpus
}

func TestSetAffinityRefuses(t *testing.T) {
	allowed := inherited(t)
	for _, tt := range []struct {
		cpus []int
		want string
	}{
		{nil, "invalid argument"},
		{[]int{-1}, "no CPU -1 (allowed: 0 to 1048575)"},
		{[]int{1 << 20}, "no CPU 1048576 (allowed: 0 to 1048575)"},
		{[]int{50000}, "invalid argument"},
		{[]int{allowed[0], 50000}, "the kernel allowed"},
	} {
		onLockedThread(t, func() { testrun.Fails(t, SetAffinity(tt.cpus), tt.want, "SetAffinity(%v)", tt.cpus) })
	}
}

func TestMembersBeyond1024(t *testing.T) {
	set := unix.NewCPUSet(4096)
	want := []int{0, 63, 64, 1023, 1024, 4095}
	for _, cpu := range want {
		set.Set(cpu)
	}
	testrun.Same(t, want, members(set, 4096), "members")
}

func TestPin(t *testing.T) {
	allowed := inherited(t)
	for _, cpu := range allowed {
		undo, err := Pin(cpu)
		testrun.OK(t, err)
		got, err := GetAffinity()
		if at := CurrentCPU(); err != nil || !slices.Equal(got, []int{cpu}) || at != cpu {
			t.Errorf("pinned to %d: mask %v, on %d, %v", cpu, got, at, err)
		}
		undo()
		if got, err := GetAffinity(); err != nil || !slices.Equal(got, allowed) {
			t.Errorf("after undo: mask %v, %v, want %v", got, err, allowed)
		}
	}
	if _, err := Pin(1 << 20); err == nil {
		t.Error("pinned to a CPU that no machine has")
	}
}
