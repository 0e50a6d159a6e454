package compare

import (
	"fmt"
	"math"

	"ocr/internal/measure/machine"
)

// By how much the conditions of two files may differ if their figures are to be compared.
const (
	likeOthers   = 0.10 // share of the processors' time that other processes took
	likeSteal    = 0.05 // share that the hypervisor took
	likeCapacity = 0.20 // of what the processors gave, as a share of all
	likeSwitches = 4.0  // factor between involuntary switches, if there are many
	manySwitches = 20.0 // a second on each processor
)

// unlike says how the conditions of two measurements differ too much, empty if they do
// not, or if one file does not tell. What other processes took is known best; the other
// figures count if that is not known, or if it misses something.
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
	one, other := switchRate(a), switchRate(b)
	if most := max(one, other); !known && most > manySwitches && most > likeSwitches*min(one, other) {
		return fmt.Sprintf("threads lost their processor %.0f times a second in one and %.0f times in the other", one, other)
	}
	return ""
}

// switchRate returns involuntary switches a second on each processor.
func switchRate(c *machine.Conditions) float64 {
	if c.Seconds <= 0 {
		return 0
	}
	return float64(c.Involuntary) / c.Seconds / float64(c.Processors)
}

// meanConditions returns what several measurements had on average, nil if one does not tell.
func meanConditions(all []*machine.Conditions) *machine.Conditions {
	var mean machine.Conditions
	n := float64(len(all))
	var others, steal, load known
	for _, c := range all {
		if c == nil {
			return nil
		}
		mean.Processors = max(mean.Processors, c.Processors)
		mean.Seconds += c.Seconds
		mean.CapacityBefore += c.CapacityBefore / n
		mean.CapacityAfter += c.CapacityAfter / n
		mean.OneBefore += c.OneBefore / n
		mean.OneAfter += c.OneAfter / n
		others.add(c.Others)
		steal.add(c.Steal)
		load.add(c.Load)
		mean.Involuntary += c.Involuntary
	}
	mean.Others, mean.Steal, mean.Load = others.mean(len(all)), steal.mean(len(all)), load.mean(len(all))
	return &mean
}

// known are those of several figures that are known; of others, -1 stands in the documents.
type known struct {
	sum float64
	n   int
}

func (k *known) add(v float64) {
	if v >= 0 {
		k.sum += v
		k.n++
	}
}

// mean returns the mean, -1 if fewer than half of all figures are known.
func (k *known) mean(all int) float64 {
	if k.n == 0 || 2*k.n < all {
		return -1
	}
	return k.sum / float64(k.n)
}
