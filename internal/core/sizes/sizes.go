// Package sizes reads and writes numbers of bytes, such as 64KiB, and lists of numbers with ranges that double, such as
// 8,4KiB:4MiB.
package sizes

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var suffixes = []string{"KiB", "MiB", "GiB"}

// Parse reads a number of bytes with a suffix B, KiB, MiB or GiB, or without.
func Parse(text string) (int, error) {
	unit := 1
	for i, suffix := range suffixes {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = number, 1<<(10*(i+1))
			break
		}
	}
	if unit == 1 {
		text = strings.TrimSuffix(text, "B")
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, err
	}
	if n < 0 || n > (1<<62)/unit {
		return 0, strconv.ErrRange
	}
	return n * unit, nil
}

// Format writes a number of bytes for [Parse], in the largest unit of which it is a multiple.
func Format(n int) string {
	for i := len(suffixes); i > 0; i-- {
		if unit := 1 << (10 * i); n >= unit && n%unit == 0 {
			return strconv.Itoa(n/unit) + suffixes[i-1]
		}
	}
	return strconv.Itoa(n)
}

// ErrList is the error of [ParseList].
var ErrList = errors.New("not a list of numbers and doubling ranges")

// ParseList returns the numbers in a list, each from 1 to most, ascending and each once. The list has single numbers
// and ranges low:high, which are low, twice low and so on up to high.
func ParseList(text string, most int) ([]int, error) {
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		from, to, ranged := strings.Cut(part, ":")
		if !ranged {
			to = from
		}
		first, err1 := Parse(from)
		last, err2 := Parse(to)
		if errors.Join(err1, err2) != nil || first < 1 || last < first || last > most {
			return nil, ErrList
		}
		for n := first; n <= last; n *= 2 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// FormatList writes ascending numbers for [ParseList]: three or more, each twice its predecessor, become a range.
func FormatList(list []int) string {
	var parts []string
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n] == 2*list[n-1] {
			n++
		}
		if n < 3 {
			n = 1
			parts = append(parts, Format(list[0]))
		} else {
			parts = append(parts, Format(list[0])+":"+Format(list[n-1]))
		}
		list = list[n:]
	}
	return strings.Join(parts, ",")
}

// Join writes values with commas between them.
func Join[T any](values []T) string {
	var parts []string
	for _, v := range values {
		parts = append(parts, fmt.Sprint(v))
	}
	return strings.Join(parts, ",")
}
