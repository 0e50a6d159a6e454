package trial

import (
	"sync/atomic"
	"testing"

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
