// Package pgas measures the PGAS suite of apps/pgas: tests at several sizes and settings,
// in both forms.
//
//	d, err := pgas.Run(ctx, bed, pgas.Defaults()) // of package testbed: where and how; what was measured
package pgas

import (
	"cmp"
	"slices"
	"time"

	app "ocr/apps/pgas"
	"ocr/apps/trial"
	"ocr/internal/core/sizes"
	"ocr/internal/show/report"
)

// Bounds of Sizes and Strides.
const (
	MaxBytes  = 1 << 30
	MaxStride = 1 << 20
)

// Config is what to measure. The PEs are the workers of the testbed, of all ranks.
type Config struct {
	Tests          []string // names; none: all
	Sizes, Strides []int    // of all tests; none: a few of each test's
	Forms          []app.Form

	Iterations int           // of a sample; 0: as many as fit the sample time
	MaxTime    time.Duration // for the timed parts of a row's samples together
	Peers      bool          // MPI takes turns with the rows that it has

	segment  int                     // most bytes of a PE's segment that a test may use
	sabotage func(segments [][]byte) // for tests: see [app.Config]
}

// Defaults returns what is measured if nothing else is asked for: all that there is.
func Defaults() Config {
	return Config{Forms: []app.Form{app.Direct, app.EDT}, MaxTime: app.DefaultMaxTime, segment: app.DefaultSegment}
}

// Validate returns a [*trial.ConfigError] for what no machine can run. What depends on the
// PEs and their memory is refused by [Run].
func (c *Config) Validate() error {
	for _, test := range c.Tests {
		if e := trial.OneOf("tests", test, app.TestNames()...); e != nil {
			return trial.First(name, e)
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
		"tests", sizes.Join(c.tests()), "pes", r.bed.Pool.Threads(), "sizes", cmp.Or(sizes.FormatList(c.Sizes), "default"),
		"strides", cmp.Or(sizes.FormatList(c.Strides), "default"), "iters", c.Iterations,
		"max-time", c.MaxTime.String(), "forms", sizes.Join(c.Forms), "peers", c.Peers)
	return append(append(own, r.bed.Settings()...), r.segments()...)
}

// segments is how PEs reach those of others, if they are of several ranks.
func (r *run) segments() report.Config {
	if r.bed.Pool.Ranks == 1 {
		return nil
	}
	return report.Settings("segments", "MPI one-sided")
}
