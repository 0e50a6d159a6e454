package pgas

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	app "ocr/apps/pgas"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

// row is a result: a key and its samples, each of which is one run of the app.
type row struct {
	key
	name    string
	once    func(context.Context, testbed.RunOptions, app.Config) (app.Result, error)
	options testbed.RunOptions
	budget  budget

	perClock int // how many PEs, one after the other, surely have a clock in common; 0 if all have

	cfg    app.Config // of the next run
	latest app.Result
	graph  *testbed.GraphRun // of the latest run that ended well; nil for none
	taken  int               // samples, those that are dropped too
	spent  time.Duration     // in the timed parts of all runs

	// Of the samples that are kept:
	kept        int
	repetitions int         // iterations of all
	samples     [][]float64 // of each, the percentiles of its slices: ns of an iteration
	sliced      []float64   // iterations of a slice
	series      bench.Series
}

func (r *run) newRow(k key) *row {
	x := &row{key: k, name: r.resultName(k), options: r.bed.Options, budget: r.budget(), cfg: r.config(k)}
	if r.window > 0 {
		x.perClock = r.bed.Pool.Workers
	}
	x.once = func(ctx context.Context, o testbed.RunOptions, cfg app.Config) (app.Result, error) {
		result, g, err := r.inGraph(ctx, o, cfg)
		if err == nil {
			x.graph = g
		}
		if x.about().Kind == app.Bandwidth && !x.ofOneClock(result) {
			r.bed.Note("left out: rates of all origins together: ranks without memory in common may be on several " +
				"machines, which have no clock in common")
		}
		return result, err
	}
	return x
}

// resultName names a row: what is not in it is as by default.
func (r *run) resultName(k key) string {
	parts := []string{name, k.test, string(k.form), fmt.Sprintf("bytes=%d", k.bytes),
		fmt.Sprintf("pes=%d", r.bed.Pool.Threads())}
	if r.bed.Pool.Ranks > 1 && k.form != MPI {
		parts = append(parts, fmt.Sprintf("ranks=%d", r.bed.Pool.Ranks))
		if r.window > 0 {
			parts = append(parts, "segments=one-sided")
		}
	}
	return strings.Join(append(parts, k.assigned()...), "/")
}

// labels returns the facts of a row for programs. No key is one of the configuration.
func (r *run) labels(x *row) report.Config {
	list := x.key.labels()
	if x.graph != nil {
		for _, s := range append(r.bed.Pool.RankSettings(), r.segments()...) {
			list = list.With("row-"+s.Key, s.Value)
		}
	}
	s := x.times()
	return list.With(
		"iterations", x.iterations(), "warm-up-iterations", x.latest.Warmup, "slices", len(x.sliced),
		"slice-iterations", bench.Summarize(x.sliced).Median, "slice-min-ns", s.Min, "slice-p50-ns", s.Median,
		"slice-p99-ns", s.P99)
}

// iterations returns those of a sample, in the mean.
func (x *row) iterations() int { return x.repetitions / x.kept }

// times describes the time of an iteration over slices of all samples, ns. All samples count alike, however many slices
// they have: of MPI's, one that was taken while a line was slow has a fifth of the others'.
func (x *row) times() bench.Summary { return bench.Summarize(slices.Concat(x.samples...)) }

// typical returns the median time: a sample that was disturbed does not show in it.
func (x *row) typical() float64 { return x.times().Median }

// medians returns the median time of each sample.
func (x *row) medians() []float64 {
	all := make([]float64, len(x.samples))
	for k, s := range x.samples {
		all[k] = bench.Summarize(s).Median
	}
	return all
}

// rate returns the bytes of a message by a time, ns, in MB/s (2^20 bytes).
func (x *row) rate(ns float64) float64 { return float64(x.bytes) / (1 << 20) / ns * 1e9 }

// ordered returns the rows of a class by test, then as they were measured: by size.
func (r *run) ordered(c class) []*row {
	names := app.TestNames()
	rows := slices.DeleteFunc(slices.Clone(r.rows), func(x *row) bool { return classOf(x.about()) != c })
	slices.SortStableFunc(rows, func(a, b *row) int {
		return cmp.Compare(slices.Index(names, a.test), slices.Index(names, b.test))
	})
	return rows
}
