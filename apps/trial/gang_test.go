package trial

import (
	goruntime "runtime"
	"sync/atomic"
	"testing"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

func TestGang(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		begun, did := false, make([]atomic.Int64, workers)
		Gang(workers, func() { begun = true }, func(w int) {
			if !begun {
				t.Error("work before the beginning")
			}
			did[w].Add(1)
		})
		for w := range did {
			testrun.Equal(t, 1, did[w].Load(), "calls of worker %d of %d", w, workers)
		}
	}
}

// TestPinned: each goroutine works on its processor, and a processor that there is not is an error.
func TestPinned(t *testing.T) {
	allowed, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("processors are not known: %v", err)
	}
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(len(allowed) + 1))
	err = Pinned(allowed, func() {}, func(w int) {
		testrun.Equal(t, allowed[w], See().CPU, "processor of goroutine %d", w)
	})
	testrun.OK(t, err)
	testrun.Fails(t, Pinned([]int{1 << 20}, func() {}, func(int) {}), "1048576")
}
