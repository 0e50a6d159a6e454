package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// count is a flag value: a whole number within a range.
type count struct {
	p      *int
	lo, hi int
}

func (c *count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < c.lo || n > c.hi {
		return fmt.Errorf("must be a whole number in %d..%d", c.lo, c.hi)
	}
	*c.p = n
	return nil
}

func (c *count) Type() string { return "N" }

// String is empty for what is not set: help shows no default then.
func (c *count) String() string {
	if c.p == nil || *c.p < c.lo {
		return ""
	}
	return strconv.Itoa(*c.p)
}

// span is a flag value: a duration within a range.
type span struct {
	p      *time.Duration
	lo, hi time.Duration
}

func (d *span) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil || v < d.lo || v > d.hi {
		return fmt.Errorf("must be a duration in %v..%v", d.lo, d.hi)
	}
	*d.p = v
	return nil
}

func (d *span) Type() string { return "DURATION" }

func (d *span) String() string {
	if d.p == nil {
		return ""
	}
	return d.p.String()
}

// words is a flag value: a comma-separated list of some of a few words.
type words struct {
	p       *string
	allowed []string
}

func (w *words) Set(text string) error {
	for _, word := range strings.Split(text, ",") {
		if !slices.Contains(w.allowed, word) {
			return fmt.Errorf("must be a comma-separated list of %s", strings.Join(w.allowed, ", "))
		}
	}
	*w.p = text
	return nil
}

func (w *words) Type() string { return "LIST" }

func (w *words) String() string {
	if w.p == nil {
		return ""
	}
	return *w.p
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
