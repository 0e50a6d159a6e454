package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds of --sizes and --strides.
const (
	maxPGASBytes  = 1 << 30
	maxPGASStride = 1 << 20
)

var (
	errSizes   = errors.New("must be a comma-separated list of sizes and doubling ranges of them, as 8,4KiB:4MiB, within 1..1GiB")
	errStrides = fmt.Errorf("must be a comma-separated list of strides and doubling ranges of them, as 1,8 or 1:32, within 1..%d elements: with less they would overlap", maxPGASStride)
)

// parseBytes reads a number of bytes with a suffix B, KiB, MiB or GiB, or none.
func parseBytes(text string) (int, error) {
	unit := 1
	for i, suffix := range []string{"KiB", "MiB", "GiB"} {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = number, 1<<(10*(i+1))
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

// formatBytes writes a number of bytes as parseBytes reads it.
func formatBytes(n int) string {
	for i, suffix := range []string{"GiB", "MiB", "KiB"} {
		if unit := 1 << (10 * (3 - i)); n >= unit && n%unit == 0 {
			return strconv.Itoa(n/unit) + suffix
		}
	}
	return strconv.Itoa(n)
}

// doublingList returns the numbers that a text lists, ascending and each once: single
// ones and ranges low:high, of low, twice low and so on.
func doublingList(text string, most int, read func(string) (int, error)) ([]int, bool) {
	var list []int
	for _, part := range strings.Split(text, ",") {
		from, to, ranged := strings.Cut(part, ":")
		if !ranged {
			to = from
		}
		first, err1 := read(from)
		last, err2 := read(to)
		if errors.Join(err1, err2) != nil || first < 1 || last < first || last > most {
			return nil, false
		}
		for n := first; n <= last; n *= 2 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), true
}

func parseSizes(text string) ([]int, bool)   { return doublingList(text, maxPGASBytes, parseBytes) }
func parseStrides(text string) ([]int, bool) { return doublingList(text, maxPGASStride, strconv.Atoi) }

// byteSizes is a flag value: sizes and doubling ranges of them.
type byteSizes struct{ p *string }

func (b *byteSizes) Set(text string) error {
	if _, ok := parseSizes(text); !ok {
		return errSizes
	}
	*b.p = text
	return nil
}

func (b *byteSizes) Type() string { return "LIST" }

func (b *byteSizes) String() string { return shown(b.p) }

// stepList is a flag value: strides and doubling ranges of them.
type stepList struct{ p *string }

func (l *stepList) Set(text string) error {
	if _, ok := parseStrides(text); !ok {
		return errStrides
	}
	*l.p = text
	return nil
}

func (l *stepList) Type() string { return "LIST" }

func (l *stepList) String() string { return shown(l.p) }

// byteSize is a flag value: a number of bytes within a range.
type byteSize struct {
	p      *int
	lo, hi int
}

func (b *byteSize) Set(text string) error {
	n, err := parseBytes(text)
	if err != nil || n < b.lo || n > b.hi {
		return fmt.Errorf("must be a size in %s..%s", formatBytes(b.lo), formatBytes(b.hi))
	}
	*b.p = n
	return nil
}

func (b *byteSize) Type() string { return "SIZE" }

// String is empty for what is not set: help shows no default then.
func (b *byteSize) String() string {
	if b.p == nil || *b.p == 0 {
		return ""
	}
	return formatBytes(*b.p)
}

func shown(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
