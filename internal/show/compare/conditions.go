package compare

import (
	"fmt"
	"math"

	"ocr/internal/measure/machine"
)

// The greatest differences of the conditions of two files whose figures are comparable, in shares of the processors'
// time.
const (
	likeOthers = 0.10
	likeSteal  = 0.05
)

// unlike says how the conditions of two measurements differ too much, "" if they do not, or if one file does not have
// them.
func unlike(a, b *machine.Conditions) string {
	took := func(who string, a, b float64) string {
		return fmt.Sprintf("%s took %.0f %% of the processors in one and %.0f %% in the other", who, 100*a, 100*b)
	}
	switch {
	case a == nil || b == nil:
		return ""
	case math.Abs(a.Others-b.Others) > likeOthers:
		return took("other processes", a.Others, b.Others)
	case math.Abs(a.Steal-b.Steal) > likeSteal:
		return took("the hypervisor", a.Steal, b.Steal)
	}
	return ""
}
