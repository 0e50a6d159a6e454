// Package pgas measures the PGAS suite of apps/pgas: tests at several sizes and settings, in both forms.
//
//	d, err := pgas.Run(ctx, bed, pgas.Defaults()) // bed, of package testbed, says where and how
package pgas

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	app "ocr/apps/pgas"
	"ocr/apps/trial"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

const name = "pgas"

// Config is what to measure. The PEs are the workers of the testbed, of all ranks.
type Config struct {
	Tests          []string // names; none: all
	Sizes, Strides []int    // for all tests; none: a few for each test
	Forms          []app.Form
	Iterations     int  // of a sample; 0: as many as last the sample time
	Peers          bool // MPI's program takes turns with the rows that it can run

	fault app.Fault // for tests: see [app.Config]
}

// MPI is the form of rows that MPI ranks run, one rank in place of each PE.
const MPI app.Form = "mpi"

// Defaults returns the default measurement: all tests, in both forms.
func Defaults() Config { return Config{Forms: []app.Form{app.Direct, app.EDT}} }

// A key is one measurement: a test in a form, at a size, with the settings that the test uses.
type key struct {
	test   string
	form   app.Form
	bytes  int
	sync   app.Sync // "" for tests that do not synchronise
	stride int      // 1 for tests without strides
}

// unread reports whether no PE reads the messages in the timed loop.
func (k key) unread() bool {
	t := app.Lookup(k.test)
	return t.Kind != app.Reduction && !t.Gets && k.sync != app.Flag
}

// The default sizes and strides: about one size for each level of the caches.
var (
	fewSizes = map[app.Kind][]int{
		app.Latency: {8}, app.Bandwidth: {8, 4 << 10, 64 << 10, 4 << 20}, app.Reduction: {8, 64 << 10, 4 << 20},
	}
	fewStrides = []int{1, 8}
)

// keys returns the keys of a test. It leaves out sync=flag for EDTs, which do not poll, and for sizes that are no
// multiple of 8, as the flag is a message's last word of 8 bytes.
func (c *Config) keys(t app.Test) (all []key) {
	sizes, strides, syncs := c.Sizes, []int{1}, t.Syncs
	if len(sizes) == 0 {
		sizes = fewSizes[t.Kind]
		if t.Strided {
			sizes = []int{app.DefaultStrided}
		}
	}
	if t.Strided {
		if strides = c.Strides; len(strides) == 0 {
			strides = fewStrides
		}
	}
	if len(syncs) == 0 {
		syncs = []app.Sync{""}
	}
	for _, bytes := range sizes {
		for _, stride := range strides {
			for _, sync := range syncs {
				for _, form := range c.Forms {
					if sync != app.Flag || form == app.Direct && bytes%8 == 0 {
						all = append(all, key{t.Name, form, bytes, sync, stride})
					}
				}
			}
		}
	}
	return all
}

// assigned returns the settings as parts of a name.
func (k key) assigned() (words []string) {
	if k.sync != "" {
		words = append(words, "sync="+string(k.sync))
	}
	if k.stride > 1 {
		words = append(words, fmt.Sprintf("stride=%d", k.stride))
	}
	return words
}

func (k key) in(form app.Form) key {
	k.form = form
	return k
}

// resultName returns the name of a row, without values that are the default.
func (k key) resultName(pool *testbed.Pool) string {
	parts := []string{name, k.test, string(k.form), fmt.Sprintf("bytes=%d", k.bytes),
		fmt.Sprintf("pes=%d", pool.Threads())}
	if pool.Ranks > 1 && k.form != MPI {
		parts = append(parts, fmt.Sprintf("ranks=%d", pool.Ranks))
	}
	return strings.Join(append(parts, k.assigned()...), "/")
}

// config returns the app's Config for a key.
func (r *run) config(k key) app.Config {
	c := app.Defaults(k.test)
	c.Form, c.PEs, c.Bytes, c.Stride = k.form, r.bed.Pool.Threads(), k.bytes, k.stride
	c.Sync, c.Seed, c.NoVerify, c.Fault = cmp.Or(k.sync, c.Sync), r.bed.Seed, !r.bed.Verify, r.cfg.fault
	c.Iterations = cmp.Or(r.cfg.Iterations, c.Iterations)
	return c
}

// layOut lists the keys to measure. It leaves out, with a note, default sizes for which a segment has no room.
func (r *run) layOut() (keys []key, err error) {
	for _, t := range app.Tests() {
		if len(r.cfg.Tests) > 0 && !slices.Contains(r.cfg.Tests, t.Name) {
			continue
		}
		if t.Random && r.bed.Pool.Threads() == 2 {
			r.bed.Note("random tests with 2 PEs: each PE has one target, the other, so only the offset is random")
		}
		for _, k := range r.cfg.keys(t) {
			bad, _ := r.config(k).Validate().(*trial.ConfigError)
			switch {
			case bad == nil:
				keys = append(keys, k)
			case bad.Flag == "sizes" && len(r.cfg.Sizes) == 0 && k.stride == 1:
				r.bed.Note(fmt.Sprintf("left out: %s: %v", k.resultName(r.bed.Pool), bad))
			default:
				return nil, spelled(bad, k, len(r.cfg.Sizes) > 0)
			}
		}
	}
	return keys, nil
}

// spelled returns the app's error about a key in terms of the user's setting.
func spelled(bad *trial.ConfigError, k key, sized bool) error {
	switch {
	case bad.Flag != "sizes":
	case sized:
		bad.Value = sizes.Format(k.bytes)
	default:
		bad.Flag, bad.Value = "strides", fmt.Sprint(k.stride)
	}
	return bad
}

func (c *Config) settings(pool *testbed.Pool) report.Config {
	tests := c.Tests
	if len(tests) == 0 {
		tests = app.TestNames()
	}
	own := report.Settings(
		"tests", sizes.Join(tests), "pes", pool.Threads(), "sizes", cmp.Or(sizes.FormatList(c.Sizes), "default"),
		"strides", cmp.Or(sizes.FormatList(c.Strides), "default"), "iters", c.Iterations, "forms", sizes.Join(c.Forms),
		"peers", c.Peers)
	if pool.Ranks > 1 {
		own = own.With("segments", "MPI one-sided")
	}
	return own
}
