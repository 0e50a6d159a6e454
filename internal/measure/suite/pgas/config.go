// Package pgas measures the PGAS suite of apps/pgas: tests at several sizes and settings,
// in both forms.
//
//	d, err := pgas.Run(ctx, bed, pgas.Defaults()) // of package testbed: where and how; what was measured
package pgas

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	app "ocr/apps/pgas"
	"ocr/apps/trial"
	"ocr/internal/core/sizes"
	"ocr/internal/show/report"
)

// Mode says which buffers a bandwidth test uses.
type Mode string

const (
	Hot    Mode = "hot"    // one
	Stream Mode = "stream" // in turn, of more than twice the second-level cache
)

// Bounds of Sizes and Strides.
const (
	MaxBytes  = 1 << 30
	MaxStride = 1 << 20
)

// Config is what to measure. The PEs are the workers of the testbed, of all ranks.
type Config struct {
	Tests         []string // names; none: all
	PartnerOffset int      // 0: half of the PEs away

	Sizes, Strides []int // of all tests; none: a few of each test's
	Full           bool  // the original's sizes and strides, and every combination of settings

	Forms   []app.Form
	Syncs   []app.Sync
	Windows []int
	Self    bool // random tests may draw the PE itself as target

	Iterations int           // of a sample; 0: as many as fit the sample time
	MaxTime    time.Duration // for the timed parts of a row's samples together
	Segment    int           // most bytes of a PE's segment that a test may use

	Peers  bool // MPI takes turns with the rows that it has
	Compat bool // text in the original suite's columns, of its completion and mode alone

	sabotage func(segments [][]byte) // for tests: see [app.Config]
}

// Defaults returns what is measured if nothing else is asked for: all that there is, but for windows.
func Defaults() Config {
	return Config{
		Forms:   []app.Form{app.Direct, app.EDT},
		Syncs:   []app.Sync{app.Barrier, app.Pairwise, app.Flag},
		Windows: []int{1, 64},
		MaxTime: app.DefaultMaxTime, Segment: app.DefaultSegment,
	}
}

// Validate returns a [*trial.ConfigError] for what no machine can run. What depends on the
// PEs and their memory is refused by [Run].
func (c *Config) Validate() error {
	for _, test := range c.Tests {
		if e := trial.OneOf("tests", test, app.TestNames()...); e != nil {
			return trial.First(name, e)
		}
	}
	part := func(bytes int) bool { return bytes%app.ElementBytes != 0 }
	if c.Compat && slices.ContainsFunc(c.Sizes, part) {
		return &trial.ConfigError{
			App: name, Flag: "sizes", Value: sizes.FormatList(c.Sizes),
			Reason: fmt.Sprintf("--compat prints elements of %d bytes", app.ElementBytes), Allowed: "multiples of it",
		}
	}
	return nil
}

// tests returns the tests to run, in the suite's order.
func (c *Config) tests() []app.Test {
	return slices.DeleteFunc(app.Tests(), func(t app.Test) bool {
		return len(c.Tests) > 0 && !slices.Contains(c.Tests, t.Name)
	})
}

// settings returns what is recorded of a Config.
func (r *run) settings() report.Config {
	c := r.cfg
	own := report.Settings(
		"tests", sizes.Join(c.tests()), "pes", r.bed.Pool.Threads(), "partner-offset", c.PartnerOffset,
		"sizes", cmp.Or(sizes.FormatList(c.Sizes), "default"),
		"strides", cmp.Or(sizes.FormatList(c.Strides), "default"), "iters", c.Iterations,
		"max-time", c.MaxTime.String(), "forms", sizes.Join(c.Forms), "syncs", sizes.Join(c.Syncs),
		"windows", sizes.Join(c.Windows), "peers", c.Peers,
		"self", c.Self, "segment", c.Segment, "l2", r.l2, "full", c.Full)
	return append(append(own, r.bed.Settings()...), r.segments()...)
}
