package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// even is a flag value: an even whole number within a range.
type even struct {
	p      *int
	lo, hi int
}

func (e *even) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < e.lo || n > e.hi || n%2 != 0 {
		return fmt.Errorf("must be an even whole number in %d..%d", e.lo, e.hi)
	}
	*e.p = n
	return nil
}

func (e *even) Type() string { return "N" }

func (e *even) String() string {
	if e.p == nil {
		return ""
	}
	return strconv.Itoa(*e.p)
}

// maxElements bounds --lengths.
const maxElements = 1 << 16

// lengths is a flag value: lengths and doubling ranges of them, as 1,16:256.
type lengths struct{ p *string }

func (l *lengths) Set(text string) error {
	if _, err := parseLengths(text); err != nil {
		return err
	}
	*l.p = text
	return nil
}

func (l *lengths) Type() string { return "LIST" }

func (l *lengths) String() string {
	if l.p == nil {
		return ""
	}
	return *l.p
}

var errLengths = fmt.Errorf("must be a comma-separated list of lengths and doubling ranges of them, as 1,16:256, within 1..%d", maxElements)

// parseLengths returns the lengths that a text lists, ascending and each once.
func parseLengths(text string) ([]int, error) {
	var list []int
	for _, part := range strings.Split(text, ",") {
		from, to, ranged := strings.Cut(part, ":")
		if !ranged {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if errors.Join(err1, err2) != nil || first < 1 || last < first || last > maxElements {
			return nil, errLengths
		}
		for n := first; n <= last; n *= 2 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// spelled returns values as the words of a flag.
func spelled[T any](values []T) []string {
	var words []string
	for _, v := range values {
		words = append(words, fmt.Sprint(v))
	}
	return words
}

// chosen returns those of all that a comma-separated list names, in the order of all.
func chosen[T any](list string, all []T) []T {
	named := strings.Split(list, ",")
	var some []T
	for _, v := range all {
		if slices.Contains(named, fmt.Sprint(v)) {
			some = append(some, v)
		}
	}
	return some
}
