package compare

import (
	"fmt"
	"math"

	"ocr/internal/measure/machine"
)

// The greatest differences of the conditions of two files whose figures are comparable.
const (
	likeOthers   = 0.10 // share of the processors' time that other processes took
	likeSteal    = 0.05 // share that the hypervisor took
	likeCapacity = 0.20 // capacity, as a fraction of all processors
)

// unlike says how the conditions of two measurements differ too much, "" if they do not, or if one file does not have
// them.
func unlike(a, b *machine.Conditions) string {
	if a == nil || b == nil || a.Processors == 0 || b.Processors == 0 {
		return ""
	}
	known := a.Others >= 0 && b.Others >= 0
	switch given := func(c *machine.Conditions) float64 { return c.Capacity() / float64(c.Processors) }; {
	case known && math.Abs(a.Others-b.Others) > likeOthers:
		return fmt.Sprintf("other processes took %.0f %% of the processors in one and %.0f %% in the other", 100*a.Others,
			100*b.Others)
	case known && math.Abs(a.Steal-b.Steal) > likeSteal:
		return fmt.Sprintf("the hypervisor took %.0f %% of the processors in one and %.0f %% in the other", 100*a.Steal,
			100*b.Steal)
	case a.Capacity() > 0 && b.Capacity() > 0 && math.Abs(given(a)-given(b)) > likeCapacity:
		return fmt.Sprintf("the processors gave %.2f of %d in one and %.2f of %d in the other", a.Capacity(), a.Processors,
			b.Capacity(), b.Processors)
	}
	return ""
}
