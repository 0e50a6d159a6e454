package bench

import (
	"math"
	"slices"
)

// confidence is the required level of the interval of a median.
const confidence = 0.95

// Summary describes a series of samples, in the unit of the samples.
type Summary struct {
	N               int     // number of samples
	Median          float64 // mean of the two middle samples if N is even
	Lo, Hi          float64 // interval of the median, at 95 % or the next possible level above
	Min, Max        float64
	Mean, StdDev    float64 // StdDev is the sample's (N-1), 0 for one sample
	P90, P99        float64 // percentiles, interpolated between samples
	BelowConfidence bool    // too few samples: the interval is the range, below 95 %
}

// Summarize describes samples, and does not change them. It returns the zero Summary for no samples.
func Summarize(samples []float64) Summary {
	n := len(samples)
	if n == 0 {
		return Summary{}
	}
	s := slices.Clone(samples)
	slices.Sort(s)
	mean, dev := meanDev(s)
	k, level := medianOrder(n)
	return Summary{
		N: n, Median: Quantile(s, 0.5),
		Lo: s[k-1], Hi: s[n-k], BelowConfidence: level < confidence,
		Min: s[0], Max: s[n-1],
		Mean: mean, StdDev: dev,
		P90: Quantile(s, 0.90), P99: Quantile(s, 0.99),
	}
}

// Quantile returns the q-quantile (0 to 1) of samples in ascending order, interpolated between the two nearest.
func Quantile(ascending []float64, q float64) float64 {
	at := q * float64(len(ascending)-1)
	below := int(math.Floor(at))
	if below+1 >= len(ascending) {
		return ascending[len(ascending)-1]
	}
	lo, hi, part := ascending[below], ascending[below+1], at-float64(below)
	if lo == hi || part == 0 || math.IsInf(lo, -1) { // infinities cannot be interpolated
		return lo
	}
	return lo + part*(hi-lo)
}

// Ratio returns the median of [Ratios].
func Ratio(side, base []float64) float64 { return Ratios(side, base).Median }

// Ratios describes the ratio of a side's samples to those of base, see [ByRound].
func Ratios(side, base []float64) Summary {
	return ByRound(side, base, func(a, b float64) float64 { return a / b })
}

// ByRound compares two sides that have taken turns, round by round, as far as both have samples. A state of the machine
// that lasts longer than a round affects both samples of the round, and cancels out. It would not cancel out of the two
// medians, which may be of different states.
func ByRound(side, base []float64, compare func(a, b float64) float64) Summary {
	var all []float64
	for k := range min(len(side), len(base)) {
		all = append(all, compare(side[k], base[k]))
	}
	return Summarize(all)
}

func meanDev(samples []float64) (mean, dev float64) {
	var squares float64
	for i, v := range samples { // Welford's method: precise even if the spread is small
		d := v - mean
		mean += d / float64(i+1)
		squares += d * (v - mean)
	}
	if len(samples) > 1 {
		dev = math.Sqrt(squares / float64(len(samples)-1))
	}
	return mean, dev
}

// medianOrder returns the largest k for which the interval from the k-th smallest to the k-th largest of n samples
// holds the median of any distribution at the confidence level. level is the interval's own level. If even the range
// does not reach the confidence level, k is 1.
//
// The median lies below the k-th smallest sample if fewer than k of the n samples fall below the median: a binomial
// tail with probability one half.
func medianOrder(n int) (k int, level float64) {
	tail := 0.0
	k, level = 1, 1-2*BinomialHalf(n, 0)
	for i := 0; i < (n+1)/2; i++ {
		tail += BinomialHalf(n, i)
		if 1-2*tail < confidence {
			break
		}
		k, level = i+1, 1-2*tail
	}
	return k, max(level, 0)
}

// BinomialHalf returns the probability of i heads among n fair coins.
func BinomialHalf(n, i int) float64 {
	lgamma := func(x int) float64 {
		v, _ := math.Lgamma(float64(x + 1))
		return v
	}
	return math.Exp(lgamma(n) - lgamma(i) - lgamma(n-i) - float64(n)*math.Ln2)
}
