package report

import (
	"math"
	"slices"
	"strings"

	"ocr/internal/measure/bench"
)

// Efficiency labels a result with its part of the rate that a machine can reach, 0 to 1.
const Efficiency = "efficiency"

// Better is which way a unit improves.
type Better int8

// The ways. Of a [Neither] unit no value is better: counts of events, say.
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

// BetterOf returns which way a unit improves, by its name: rates (anything a second), efficiency and speed-up upwards;
// times, sizes and allocations, whole or by anything, and ratios of times downwards. A part in front or behind, as in
// min-MB/s or ns/element-b, changes nothing.
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

// IsPace reports whether a unit is a time or a rate: those get faster or slower, others better or worse.
func IsPace(unit string) bool {
	of, per, _ := strings.Cut(unit, "/")
	return per == "s" || per == "sec" || hasWord(strings.Split(of, "-"), times)
}

// sameThing is by how much, relatively, a ratio of two units may vary over samples if they
// say the same thing: what floating-point numbers round off.
const sameThing = 1e-9

// Restates reports whether the k-th metric of a result is an earlier one in another unit: both are times or rates, and
// sample by sample their quotient is the same, or their product. One sample shows nothing.
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
