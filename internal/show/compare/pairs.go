package compare

import (
	"slices"

	"ocr/internal/measure/bench"
)

// signTest returns the two-sided p-value of the sign test of pairs: if the two do not differ, the second of a pair is
// as likely greater as less. Pairs without a difference do not count. How large a difference is does not matter: the
// largest are of pairs between which the machine has changed its pace.
func signTest(before, after []float64) float64 {
	greater, less := 0, 0
	for i := range before {
		switch {
		case after[i] > before[i]:
			greater++
		case after[i] < before[i]:
			less++
		}
	}
	n, chance := greater+less, 0.0
	for k := range min(greater, less) + 1 {
		chance += bench.BinomialHalf(n, k)
	}
	return min(1, 2*chance)
}

// pairedChange returns the median of the changes from each sample to its partner.
func pairedChange(before, after []float64) float64 {
	var changes []float64
	for i := range before {
		changes = append(changes, change(before[i], after[i]))
	}
	return bench.Quantile(slices.Sorted(slices.Values(changes)), 0.5)
}
