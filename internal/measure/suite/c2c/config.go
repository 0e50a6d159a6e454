package c2c

import (
	"fmt"
	"slices"

	app "ocr/apps/c2c"
	"ocr/apps/trial"
	"ocr/internal/core/cpulist"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/machine"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
)

// Name is the app's.
const Name = "c2c"

// C is the form of the same loops in C.
const C app.Form = "c"

// Forms returns all forms in the order in which they are listed.
func Forms() []app.Form { return append(app.Forms(), C) }

// MaxLength bounds Config.Lengths.
const MaxLength = 1 << 16

// lines is the number of cache lines that trials use in turn, as lines differ in speed for one pair of processors.
const lines = 20

// Config is what to measure. The testbed has the number of kept trials, and the seed of their order.
type Config struct {
	CPUs     []int // the two ends: A is on the first; nil for two cores near each other
	AllPairs bool  // in place of CPUs: each pair of the allowed processors

	Tests     []app.Test
	Forms     []app.Form
	Widths    []int // bytes of an element
	Lengths   []int // elements of an array; nil for the tests' defaults
	Transfers int   // of a trial; 0: as many as take 8 ms, 20000 at most
	Warmup    int   // transfers before the timed ones; 0: as many as take 8 ms
}

// Defaults are the tests in all forms, with 8-byte elements.
func Defaults() Config { return Config{Tests: app.Tests(), Forms: Forms(), Widths: []int{8}} }

func (c *Config) lengths(test app.Test) []int {
	switch {
	case !test.HasLength():
		return []int{1}
	case c.Lengths != nil:
		return c.Lengths
	case len(c.Tests) > 1:
		return []int{64, 512}
	}
	var doubling []int
	for n := 1; n <= 4096; n *= 2 {
		doubling = append(doubling, n)
	}
	return doubling
}

func (c *Config) settings(pairs []matrix.Pair) report.Config {
	shown, lengths := pairs[0].String(), ""
	if c.AllPairs {
		shown = "all"
	}
	if slices.Contains(c.Tests, app.Array) {
		lengths = sizes.FormatList(c.lengths(app.Array))
	}
	return report.Settings("tests", sizes.Join(c.Tests), "forms", sizes.Join(c.Forms), "widths", sizes.Join(c.Widths),
		"lengths", lengths, "pairs", shown, "stim-len", c.Transfers,
		"warmup-transfers", c.Warmup, "lines", lines)
}

func refuse(flag string, value any, reason, allowed string) error {
	return &trial.ConfigError{App: Name, Flag: flag, Value: fmt.Sprint(value), Reason: reason, Allowed: allowed}
}

// pairs returns the pairs to measure on a machine. All pairs are in the order of a matrix, each once.
func (c *Config) pairs(m *machine.Machine) (pairs []matrix.Pair, err error) {
	allowed := cpulist.Format(m.Allowed)
	for _, cpu := range c.CPUs {
		if !slices.Contains(m.Allowed, cpu) {
			return nil, refuse("cpus", sizes.Join(c.CPUs), fmt.Sprintf("the process may not use %d", cpu), "within "+allowed)
		}
	}
	order := m.Topology.Order(m.Allowed)
	switch {
	case len(c.CPUs) == 2:
		return []matrix.Pair{{From: c.CPUs[0], To: c.CPUs[1]}}, nil
	case len(order) < 2:
		return nil, refuse("cpus", "", "", fmt.Sprintf("two processors, and the process may use %s only: allow another "+
			"(taskset), or put both ends on it with --cpus %s,%s", allowed, allowed, allowed))
	case !c.AllPairs: // near each other: threads of one core only if there is no second core
		return []matrix.Pair{{From: order[0], To: order[1]}}, nil
	}
	all := matrix.New("", "", m.Topology, m.Allowed, nil)
	all.Pairs(func(row, column int, _ float64) {
		pairs = append(pairs, matrix.Pair{From: all.CPUs[row].ID, To: all.CPUs[column].ID})
	})
	return pairs, nil
}
