package report

import (
	"slices"
	"strings"
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

// IsPace reports whether a unit is a time or a rate: results in it are faster or slower, in others better or worse.
func IsPace(unit string) bool {
	of, per, _ := strings.Cut(unit, "/")
	return per == "s" || per == "sec" || hasWord(strings.Split(of, "-"), times)
}
