package compare

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"ocr/internal/measure/bench"
)

// uTest returns the two-sided p-value of the Mann-Whitney U test. [benchmath.AssumeNothing] takes the wrong tail if its
// first sample is the greater one, values tie, and the samples differ in size: so the lesser sample goes first.
func uTest(before, after []float64) float64 {
	if rise(before, after) < 0 {
		before, after = after, before
	}
	sample := func(values []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	}
	return min(1, benchmath.AssumeNothing.Compare(sample(before), sample(after)).P)
}

// rise pairs each value of before with each of after. It returns the number of pairs that rise less those that fall.
func rise(before, after []float64) (pairs int) {
	after = slices.Sorted(slices.Values(after))
	for _, v := range before {
		below, _ := slices.BinarySearch(after, v)
		upTo, _ := slices.BinarySearch(after, math.Nextafter(v, math.Inf(1)))
		pairs += len(after) - upTo - below
	}
	return pairs
}

// signTest returns the two-sided p-value of the sign test of pairs: if old and new do not differ, the second sample of
// a pair is as likely greater than the first as less. Pairs of equal samples do not count. The size of a difference
// does not matter: the largest are of pairs during which the machine has changed its pace.
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

// leastP returns the smallest p-value that samples of these sizes can have. Paired samples have it if all pairs differ
// in the same direction, unpaired ones if their ranges do not overlap.
func leastP(n, m int, paired bool) float64 {
	if paired {
		return math.Ldexp(2, -n)
	}
	arrangements := 1.0 // the binomial coefficient n+m over n
	for i := 1; i <= n && arrangements < 1e300; i++ {
		arrangements *= float64(m+i) / float64(i)
	}
	return min(2/arrangements, 1)
}

// enough returns how many samples of each file make it possible that a difference is significant, 500 at most.
func enough(alpha float64, paired bool) int {
	n := 2
	for n < 500 && leastP(n, n, paired) >= alpha {
		n++
	}
	return n
}
