package c2c

import (
	"slices"
	"time"

	app "ocr/apps/c2c"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
)

// Name is the app's.
const Name = "c2c"

// C is the form of the same loops in C.
const C app.Form = "c"

// Forms returns all forms in the order in which they are listed.
func Forms() []app.Form { return append(app.Forms(), C) }

// Bounds of a Config.
const (
	// MaxWarmup bounds Config.Warmup: form edt makes all EDTs of a trial beforehand.
	MaxWarmup = 1_000_000
	// MaxLength bounds Config.Lengths.
	MaxLength = 1 << 16
)

// lines is how many places in memory trials take in turn: lines of one pair differ.
const lines = 20

// Config is what is measured. How many trials are kept, and the seed of their order, are the testbed's.
type Config struct {
	AllPairs bool  // of the processors that may be used
	CPUs     []int // else the two ends: A is on the first; nil for two cores near each other
	SameCPU  bool  // both ends may be on one processor, and are if CPUs are not given
	SkipSMT  bool  // pairs of two threads of one core are left out

	Tests     []app.Test
	Forms     []app.Form
	Widths    []int // bytes of an element
	Lengths   []int // elements of an array; nil for those that suit the tests
	Transfers int   // of a trial; 0: as many as take 8 ms, 20000 at most
	Warmup    int   // transfers before those; 0: as many as take 8 ms

	MaxTime time.Duration // for the trials of a row together, with their warm-ups

	Show    []Part // of the text
	Picture string // the flag that asks for a picture or a table of the pairs; empty for none
}

// A Part is something that the text shows.
type Part string

// The parts. Title, Header, Trials and Statistics are the switches of the seed.
const (
	Title      Part = "title"  // the facts of the run, and titles
	Header     Part = "header" // the heads of tables
	Trials     Part = "trials" // a line for each trial
	Statistics Part = "stats"
)

// Parts returns all parts.
func Parts() []Part { return []Part{Title, Header, Trials, Statistics} }

// Defaults are the tests in all forms, with 8-byte elements.
func Defaults() Config {
	return Config{
		Tests: app.Tests(), Forms: Forms(), Widths: []int{8}, MaxTime: 5 * time.Second,
		Show: []Part{Title, Header, Statistics},
	}
}

func (c *Config) shows(p Part) bool { return slices.Contains(c.Show, p) }

// lengths returns the lengths that a test is run with.
func (c *Config) lengths(test app.Test) []int {
	switch {
	case !test.HasLength():
		return []int{1}
	case c.Lengths != nil:
		return c.Lengths
	case slices.Equal(c.Tests, Defaults().Tests):
		return []int{64, 512}
	}
	return doubling(4096)
}

func doubling(most int) []int {
	var list []int
	for n := 1; n <= most; n *= 2 {
		list = append(list, n)
	}
	return list
}

// allLengths returns the lengths of all tests.
func (c *Config) allLengths() []int {
	var all []int
	for _, test := range c.Tests {
		if test.HasLength() {
			all = append(all, c.lengths(test)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// settings returns the recorded configuration; first is the pair if there is one.
func (c *Config) settings(bed *testbed.Bed, first matrix.Pair) report.Config {
	pairs := first.String()
	if c.AllPairs {
		pairs = "all"
	}
	return slices.Concat(report.Settings(
		"tests", sizes.Join(c.Tests), "forms", sizes.Join(c.Forms),
		"widths", sizes.Join(c.Widths), "lengths", sizes.FormatList(c.allLengths()),
		"pairs", pairs, "skip-smt", c.SkipSMT, "same-core", c.SameCPU, "stim-len", c.Transfers, "lines", lines,
		"seed", bed.Seed, "samples", bed.Samples, "warmup", c.Warmup,
		"max-time", c.MaxTime.String()), bed.CheckSetting())
}
