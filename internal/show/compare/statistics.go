package compare

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"ocr/internal/measure/bench"
)

// uTest returns the two-sided p-value of the Mann-Whitney U test. [benchmath.AssumeNothing] takes the wrong tail if the
// first of its samples is the greater, samples tie, and their numbers differ.
func uTest(before, after []float64) float64 {
	if rise(before, after) < 0 {
		before, after = after, before
	}
	sample := func(values []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	}
	return min(1, benchmath.AssumeNothing.Compare(sample(before), sample(after)).P)
}

// rise returns in how many more pairs the sample after is the greater than in how many it is the less.
func rise(before, after []float64) (pairs int) {
	after = slices.Sorted(slices.Values(after))
	for _, v := range before {
		below, _ := slices.BinarySearch(after, v)
		upTo, _ := slices.BinarySearch(after, math.Nextafter(v, math.Inf(1)))
		pairs += len(after) - upTo - below
	}
	return pairs
}

// signTest returns the two-sided p-value of the sign test of pairs: if the two do not differ, the second of a pair is
// as likely greater as less. Pairs without a difference do not count. The size of a difference does not matter: the
// largest are those of pairs during which the machine has changed its pace.
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

func change(before, after float64) float64 {
	switch {
	case before == after:
		return 0
	case before == 0:
		return math.Inf(int(math.Copysign(1, after)))
	}
	return (after - before) / math.Abs(before)
}

// pairedChange returns the median of the changes from each sample to its partner.
func pairedChange(before, after []float64) float64 {
	return bench.ByRound(before, after, change).Median
}

// leastP returns the smallest p-value that samples of these sizes can have: if all pairs differ in the same direction,
// or if two samples that are not paired do not overlap.
func leastP(n, m int, paired bool) float64 {
	if paired {
		return math.Ldexp(2, -n)
	}
	arrangements := 1.0 // n+m over n
	for i := 1; i <= n && arrangements < 1e300; i++ {
		arrangements *= float64(m+i) / float64(i)
	}
	return min(2/arrangements, 1)
}

// enough returns the number of samples, of each file, from which a difference can be significant.
func enough(alpha float64, paired bool) int {
	n := 2
	for n < 500 && leastP(n, n, paired) >= alpha {
		n++
	}
	return n
}
