package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ocr/internal/core/sizes"
	"ocr/internal/show/report"
)

// Value is a flag value of type T.
type Value[T any] struct {
	p     *T
	kind  string                       // its name in help: N, LIST
	read  func(text string) (T, error) // the error says what is allowed
	print func(T) string               // inverse of read; "" for a value that is not set: help shows no default
}

// New makes a flag value that is read into p. kind is its name in help. The error of read says what is allowed: "must
// be ...". print is the inverse of read; nil for [fmt.Sprint].
func New[T any](p *T, kind string, read func(text string) (T, error), print func(T) string) *Value[T] {
	if print == nil {
		print = func(v T) string { return fmt.Sprint(v) }
	}
	return &Value[T]{p: p, kind: kind, read: read, print: print}
}

// Set implements [pflag.Value].
func (v *Value[T]) Set(text string) error {
	x, err := v.read(text)
	if err == nil {
		*v.p = x
	}
	return err
}

// Type implements [pflag.Value].
func (v *Value[T]) Type() string { return v.kind }

// String implements [pflag.Value].
func (v *Value[T]) String() string {
	if v == nil || v.p == nil {
		return ""
	}
	return v.print(*v.p)
}

// ranged makes a flag value in lo..hi. If *p is below lo, help shows no default.
func ranged[T cmp.Ordered](p *T, lo, hi T, kind, what string, read func(string) (T, error),
	print func(T) string) *Value[T] {
	return New(p, kind, func(text string) (T, error) {
		x, err := read(text)
		if err != nil || !(x >= lo && x <= hi) { // NaN fails both comparisons
			return x, fmt.Errorf("must be %s in %s..%s", what, print(lo), print(hi))
		}
		return x, nil
	}, func(x T) string {
		if x < lo {
			return ""
		}
		return print(x)
	})
}

// Whole makes a flag value of a whole number in lo..hi.
func Whole[T int | int64](p *T, lo, hi T) *Value[T] {
	read := func(text string) (T, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		return T(n), err
	}
	return ranged(p, lo, hi, "N", "a whole number", read, func(n T) string { return strconv.FormatInt(int64(n), 10) })
}

// Seed makes a flag value of a seed.
func Seed(p *uint64) *Value[uint64] {
	return New(p, "uint64", func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }, nil)
}

// Number makes a flag value of a number in lo..hi.
func Number(p *float64, lo, hi float64) *Value[float64] {
	read := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
	return ranged(p, lo, hi, "X", "a number", read, func(x float64) string { return fmt.Sprint(x) })
}

// Duration makes a flag value of a duration in lo..hi.
func Duration(p *time.Duration, lo, hi time.Duration) *Value[time.Duration] {
	return ranged(p, lo, hi, "DURATION", "a duration, as 10ms,", time.ParseDuration, time.Duration.String)
}

// Wholes makes a flag value of a list of whole numbers in lo..hi, in the order given.
func Wholes(p *[]int, lo, hi int) *Value[[]int] {
	whole := func(item string) (int, error) {
		n, err := strconv.Atoi(item)
		if err == nil && strconv.Itoa(n) != item { // 01 would be 1 again
			return 0, fmt.Errorf("must be written %d", n)
		}
		if err != nil || n < lo || n > hi {
			err = fmt.Errorf("must be a comma-separated list of whole numbers in %d..%d", lo, hi)
		}
		return n, err
	}
	return New(p, "LIST", func(text string) ([]int, error) { return Items(text, whole) }, sizes.Join[int])
}

// Items reads the items of a comma-separated list, in the order given. It refuses an item that occurs twice. If there
// are several items the error names the refused item.
func Items[T any](text string, read func(item string) (T, error)) (list []T, err error) {
	words := strings.Split(text, ",")
	for k, word := range words {
		item, err := read(word)
		switch {
		case err != nil && len(words) > 1:
			return nil, fmt.Errorf("part %s: %w", report.Plain(word), err)
		case err != nil:
			return nil, err
		case slices.Contains(words[:k], word):
			return nil, fmt.Errorf("%s is there twice: must be there once", report.Plain(word))
		}
		list = append(list, item)
	}
	return list, nil
}

// Choice makes a flag value that is one of the allowed values, each named as it prints.
func Choice[T any](p *T, allowed ...T) *Value[T] {
	return New(p, "WORD", oneOf(allowed, "must be one of "+strings.Join(Words(allowed), ", ")), nil)
}

// List makes a flag value of some of the allowed values, each named as it prints: comma-separated, in the order given,
// each at most once.
func List[T any](p *[]T, allowed []T) *Value[[]T] { return list(p, allowed, "") }

// ListOrAll is [List] that also takes the word "all", for all values.
func ListOrAll[T any](p *[]T, allowed []T) *Value[[]T] { return list(p, allowed, ", or all") }

func list[T any](p *[]T, allowed []T, orAll string) *Value[[]T] {
	rule := "must be a comma-separated list of " + strings.Join(Words(allowed), ", ") + orAll
	return New(p, "LIST", func(text string) ([]T, error) {
		if orAll != "" && text == "all" {
			return allowed, nil
		}
		return Items(text, oneOf(allowed, rule))
	}, sizes.Join[T])
}

// oneOf returns a function that turns the name of an allowed value into the value. The text rule says what is allowed.
func oneOf[T any](allowed []T, rule string) func(text string) (T, error) {
	words := Words(allowed)
	return func(text string) (x T, err error) {
		k := slices.Index(words, text)
		if k < 0 {
			return x, noneOf(text, words, rule)
		}
		return allowed[k], nil
	}
}

// Doubling makes a flag value of a list of numbers in 1..hi and of ranges that double: 1,512 or 1:4096. The result is
// ascending, each number once. In errors the parameter what names the numbers.
func Doubling(p *[]int, hi int, what string) *Value[[]int] {
	read := func(text string) ([]int, error) {
		parts, err := Items(text, func(item string) ([]int, error) {
			list, err := sizes.ParseList(item, hi)
			if err != nil {
				err = fmt.Errorf("must be a comma-separated list of %s and doubling ranges of them, as 8,16:256, within 1..%s",
					what, sizes.Format(hi))
			}
			return list, err
		})
		list := slices.Concat(parts...)
		slices.Sort(list)
		return slices.Compact(list), err
	}
	return New(p, "LIST", read, sizes.FormatList)
}

// Words returns values as the words that name them.
func Words[T any](values []T) []string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return words
}
