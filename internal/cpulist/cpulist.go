package cpulist

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxCPU is the largest CPU number a list may hold, far above what Linux can be
// built for (8191).
const MaxCPU = 1<<20 - 1

var errSyntax = errors.New("want a CPU number, a range such as 0-3, or a range with a stride such as 0-14:2")

// Parse returns the CPUs that s lists, ascending and each once; a list may name a
// CPU twice and its parts may stand in any order. Space around parts is ignored,
// and a blank s is the empty list, as the kernel writes it. An error names the
// part that is wrong and what is allowed.
func Parse(s string) ([]int, error) {
	cpus, err := ParseInOrder(s)
	slices.Sort(cpus)
	return cpus, err
}

// ParseInOrder is Parse of a list whose order matters: the CPUs come as s names them first.
func ParseInOrder(s string) ([]int, error) {
	cpus := []int{}
	if strings.TrimSpace(s) == "" {
		return cpus, nil
	}
	seen := map[int]bool{}
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			return nil, fmt.Errorf("CPU list %s: empty part: %w", quote(s), errSyntax)
		}
		r, err := parsePart(part)
		if err != nil {
			return nil, fmt.Errorf("CPU list %s: bad part %s: %w", quote(s), quote(part), err)
		}
		for cpu := r.first; cpu <= r.last; cpu += r.stride {
			if !seen[cpu] {
				seen[cpu] = true
				cpus = append(cpus, cpu)
			}
		}
	}
	return cpus, nil
}

// Format writes cpus, in any order and with any repeats, as the shortest list
// without strides: "0-3,8". It is what the kernel would write.
func Format(cpus []int) string {
	sorted := slices.Clone(cpus)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	var b strings.Builder
	for i := 0; i < len(sorted); {
		end := i + 1
		for end < len(sorted) && sorted[end] == sorted[end-1]+1 {
			end++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(sorted[i]))
		if end > i+1 {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(sorted[end-1]))
		}
		i = end
	}
	return b.String()
}

// span is the CPUs first, first+stride, ... up to last.
type span struct{ first, last, stride int }

func parsePart(part string) (span, error) {
	from, rest, ranged := strings.Cut(part, "-")
	first, err := parseNumber(from)
	if err != nil {
		return span{}, err
	}
	if !ranged {
		return span{first, first, 1}, nil
	}
	to, by, strided := strings.Cut(rest, ":")
	last, err := parseNumber(to)
	if err != nil {
		return span{}, err
	}
	if last < first {
		return span{}, fmt.Errorf("the range ends below its start (%d < %d)", last, first)
	}
	stride := 1
	if strided {
		if stride, err = parseNumber(by); err != nil {
			return span{}, err
		}
		if stride == 0 {
			return span{}, errors.New("a stride is 1 or more")
		}
	}
	return span{first, last, stride}, nil
}

func parseNumber(s string) (int, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, errSyntax
	}
	n, err := strconv.Atoi(s)
	if err != nil || n > MaxCPU {
		return 0, fmt.Errorf("%s is too large (allowed: 0 to %d)", abbreviate(s), MaxCPU)
	}
	return n, nil
}

// quote quotes user input for an error of one line.
func quote(s string) string { return strconv.Quote(abbreviate(s)) }

func abbreviate(s string) string {
	const limit = 60
	if len(s) <= limit {
		return s
	}
	return s[:limit] + "..."
}
