package trial

import (
	"sync/atomic"
	"testing"
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
			if did[w].Load() != 1 {
				t.Errorf("worker %d of %d: %d times", w, workers, did[w].Load())
			}
		}
	}
}
