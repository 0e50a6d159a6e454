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

// BetterOf returns the direction in which a unit improves, by its name: rates (anything a second) upwards; times and
// ratios of times downwards. A prefix or a suffix, as in mean-ns/op or metg50-ns, changes nothing.
func BetterOf(unit string) Better {
	of, per, _ := strings.Cut(unit, "/")
	switch {
	case per == "s":
		return Higher
	case of == "ratio", isTime(unit):
		return Lower
	}
	return Neither
}

// isTime reports whether unit is a time, or a time per something.
func isTime(unit string) bool {
	of, _, _ := strings.Cut(unit, "/")
	return slices.ContainsFunc(strings.Split(of, "-"), func(word string) bool {
		return slices.Contains([]string{"ns", "us", "ms", "s"}, word)
	})
}
