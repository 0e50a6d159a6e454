package report

import (
	"math"
	"slices"
	"strings"

	"ocr/internal/measure/bench"
)

// Efficiency is the label of a result's fraction of the rate that a machine can reach, 0 to 1.
const Efficiency = "efficiency"

// Better is the direction in which a unit improves.
type Better int8

// The directions. No value of a [Neither] unit is better: for example, counts of events.
const (
	Neither Better = iota
	Lower
	Higher
)

var (
	times = []string{"ns", "us", "µs", "ms", "s", "sec", "cycles", "instructions"}
	sizes = []string{"B", "KB", "MB", "GB", "KiB", "MiB", "GiB", "bytes", "byte", "allocs"}
	gains = []string{"efficiency", "speedup", "parallelism"}
)

// BetterOf returns the direction in which a unit improves, by its name: rates (anything a second), efficiency and
// speed-up upwards; times, sizes and allocations, whole or per anything, and ratios of times downwards. A prefix or a
// suffix, as in min-MB/s or ns/element-b, changes nothing.
func BetterOf(unit string) Better {
	of, per, _ := strings.Cut(unit, "/")
	if per == "s" || per == "sec" {
		return Higher
	}
	words := strings.Split(of, "-")
	switch {
	case hasWord(words, gains):
		return Higher
	case of == "ratio", hasWord(words, times), hasWord(words, sizes):
		return Lower
	}
	return Neither
}

func hasWord(words, known []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(known, w) })
}

// IsPace reports whether a unit is a time or a rate: these are faster or slower, others better or worse.
func IsPace(unit string) bool {
	of, per, _ := strings.Cut(unit, "/")
	return per == "s" || per == "sec" || hasWord(strings.Split(of, "-"), times)
}

// sameThing is the relative variation of the ratio of two units over samples up to which they are the same measurement:
// the rounding of floating-point numbers.
const sameThing = 1e-9

// Restates reports whether the k-th metric of a result is an earlier one in another unit: both are times or rates, and
// their quotient, or their product, is the same in every sample. One sample shows nothing.
func Restates(all bench.Metrics, k int) bool {
	return slices.ContainsFunc(all[:k], func(earlier bench.Metric) bool {
		a, b := all[k].Samples, earlier.Samples
		if !IsPace(all[k].Unit) || !IsPace(earlier.Unit) || len(a) != len(b) || len(a) < 2 {
			return false
		}
		quotient, product := true, true
		for i := range a {
			quotient = quotient && alike(a[i]*b[0], a[0]*b[i])
			product = product && alike(a[i]*b[i], a[0]*b[0])
		}
		return quotient || product
	})
}

func alike(a, b float64) bool { return a != 0 && math.Abs(a-b) <= sameThing*math.Abs(b) }
