// Package cpulist reads and writes sets of CPUs in the list syntax of Linux, as in
// /sys/devices/system/cpu/online: numbers and ranges separated by commas.
//
//	cpus, err := cpulist.Parse("0-3,8") // 0 1 2 3 8
//	text := cpulist.Format(cpus)        // 0-3,8
package cpulist

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxCPU is the largest CPU number in a list, far above what Linux can be built for (8191).
const MaxCPU = 1<<20 - 1

var errSyntax = errors.New("want a CPU number, or a range such as 0-3")

// Parse returns the CPUs in s, ascending and each once. A list may have a CPU twice, and its parts may stand in any
// order. Space around parts is ignored, and a blank s is the empty list, as the kernel writes it. An error has the part
// that is wrong and what is allowed.
func Parse(s string) ([]int, error) {
	cpus, err := ParseInOrder(s)
	slices.Sort(cpus)
	return cpus, err
}

// ParseInOrder is Parse for a list whose order matters: CPUs are in the order in which s first has them.
func ParseInOrder(s string) ([]int, error) {
	cpus := []int{}
	if strings.TrimSpace(s) == "" {
		return cpus, nil
	}
	seen := map[int]bool{}
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		first, last, err := parsePart(part)
		if err != nil {
			return nil, fmt.Errorf("CPU list %.60q: bad part %.60q: %w", s, part, err)
		}
		for cpu := first; cpu <= last; cpu++ {
			if !seen[cpu] {
				seen[cpu] = true
				cpus = append(cpus, cpu)
			}
		}
	}
	return cpus, nil
}

func parsePart(part string) (first, last int, err error) {
	from, to, ranged := strings.Cut(part, "-")
	if first, err = parseNumber(from); err != nil || !ranged {
		return first, first, err
	}
	if last, err = parseNumber(to); err == nil && last < first {
		err = fmt.Errorf("the range ends below its start (%d < %d)", last, first)
	}
	return first, last, err
}

func parseNumber(s string) (int, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, errSyntax
	}
	n, err := strconv.Atoi(s)
	if err != nil || n > MaxCPU {
		return 0, fmt.Errorf("%.60s is too large (allowed: 0 to %d)", s, MaxCPU)
	}
	return n, nil
}

// Format writes cpus, in any order and with repeats, as the shortest list ("0-3,8"), as the kernel would.
func Format(cpus []int) string {
	sorted := slices.Clone(cpus)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	var parts []string
	for i := 0; i < len(sorted); {
		end := i + 1
		for end < len(sorted) && sorted[end] == sorted[end-1]+1 {
			end++
		}
		part := strconv.Itoa(sorted[i])
		if end > i+1 {
			part += "-" + strconv.Itoa(sorted[end-1])
		}
		parts, i = append(parts, part), end
	}
	return strings.Join(parts, ",")
}
