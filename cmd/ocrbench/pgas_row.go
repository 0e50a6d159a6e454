package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	pgasapp "ocr/apps/pgas"
	"ocr/internal/bench"
	"ocr/internal/harness"
	"ocr/internal/report"
)

// pgasRow is a result: the samples of one form.
type pgasRow struct {
	pgasKey
	pgasKept
	iterations, warmup int // of a sample, in the mean
	origins            int
	fits               string            // the cache level that what is touched fits
	cut                bool              // --max-time was reached before all samples were taken
	short              bool              // samples last less than half of what --max-time leaves room for
	graph              *harness.GraphRun // of a run; nil where it was none
}

// add makes a row of what was measured.
func (r *pgasRun) add(x *pgasSide) {
	b := x.budget
	row := &pgasRow{
		pgasKey: x.pgasKey, pgasKept: x.pgasKept, iterations: x.repetitions / x.kept, warmup: x.latest.Warmup,
		origins: len(x.latest.Origins), fits: r.fits(x.pgasKey), graph: x.graph,
		cut:   x.kept < r.sampling.Samples && x.spentUp(false),
		short: x.test != baseC2C && b.roomy() && 2*bench.Summarize(x.lasted).Median < float64(b.sample),
	}
	r.rows = append(r.rows, row)
	r.find[row.pgasKey] = row
}

// median returns the median of a unit over samples, 0 where a row does not have it.
func (row *pgasRow) median(unit string) float64 {
	for _, m := range row.series.Metrics {
		if m.Unit == unit {
			return bench.Summarize(m.Samples).Median
		}
	}
	return 0
}

// typical returns the median time of an iteration over slices of all samples, ns: what a
// sample that was disturbed does not show in.
func (row *pgasRow) typical() float64 { return bench.Summarize(row.slices).Median }

// typicalRate returns the bytes of a message by typical, in MB/s.
func (row *pgasRow) typicalRate() float64 { return rateOf(row.bytes, row.typical()) }

// rateOf returns MB/s (2^20 bytes) of transfers that take so many ns each.
func rateOf(bytes int, ns float64) float64 { return float64(bytes) / (1 << 20) / ns * 1e9 }

// mean returns the mean of a unit over samples.
func (row *pgasRow) mean(unit string) float64 {
	for _, m := range row.series.Metrics {
		if m.Unit == unit {
			return bench.Summarize(m.Samples).Mean
		}
	}
	return 0
}

// mode returns the word of --mode.
func (v pgasVariant) mode() string {
	if v.stream {
		return modeStream
	}
	return modeHot
}

// completes returns the word of --completion. Both are one in the edt form.
func (k pgasKey) completes() string {
	if k.form == pgasapp.EDT {
		return "either"
	}
	return string(k.completion)
}

// settings returns what differs from the suite's settings.
func (v pgasVariant) settings() report.Config {
	plain := plainVariant(v.test, v.bytes)
	var list report.Config
	add := func(key string, value any, differs bool) {
		if differs {
			list = append(list, report.Setting{Key: key, Value: value})
		}
	}
	add("sync", string(v.sync), v.sync != plain.sync)
	add("window", v.window, v.window != plain.window)
	add("completion", string(v.completion), v.completion != plain.completion)
	add("mode", v.mode(), v.stream)
	add("stride", v.stride, v.stride != plain.stride)
	add("strided", string(v.strided), v.strided != plain.strided)
	add("type", v.element.String(), v.element != plain.element)
	add("beside", v.beside, v.beside != "")
	return list
}

// spelled tells a row in a line of text.
func (k pgasKey) spelled() string {
	words := []string{k.test, string(k.form)}
	if k.bytes > 0 {
		words = append(words, formatBytes(k.bytes))
	}
	for _, s := range k.settings() {
		words = append(words, s.Key+"="+fmt.Sprint(s.Value))
	}
	return strings.Join(words, " ")
}

// labels returns the facts of a row for programs. Only settings that the test has are
// among them.
func (row *pgasRow) labels() report.Config {
	t := row.suiteTest()
	u := t.Uses
	list := report.Config{{Key: "test", Value: t.Name}, {Key: "form", Value: string(row.form)}, {Key: "op", Value: operation(t)}}
	add := func(has bool, key string, value any) {
		if has {
			list = append(list, report.Setting{Key: key, Value: value})
		}
	}
	add(u.Bytes, "bytes", row.bytes)
	add(len(u.Syncs) > 0, "sync", string(row.sync))
	add(u.Window, "window", row.window)
	add(u.Window, "completion", row.completes())
	add(u.Stream, "mode", row.mode())
	add(u.Stride, "stride", row.stride)
	add(u.Stride, "strided", string(row.strided))
	add(u.Type, "type", row.element.String())
	add(row.beside != "", "beside", row.beside)
	add(row.fits != "", "fits", row.fits)
	s := bench.Summarize(row.slices)
	return append(list,
		report.Setting{Key: "iterations", Value: row.iterations}, report.Setting{Key: "warm-up-iterations", Value: row.warmup},
		report.Setting{Key: "slices", Value: s.N}, report.Setting{Key: "slice-iterations", Value: bench.Summarize(row.sliced).Median},
		report.Setting{Key: "slice-min-ns", Value: s.Min},
		report.Setting{Key: "slice-p50-ns", Value: s.P50}, report.Setting{Key: "slice-p99-ns", Value: s.P99})
}

// operation names what ns/op is the time of.
func operation(t pgasapp.Test) string {
	switch {
	case t.RoundTrip:
		return "round trip"
	case t.Kind == pgasapp.Reduction:
		return "reduction"
	case t.Name == "sync":
		return "synchronisation"
	}
	return "transfer"
}

// ordered returns the rows of a class by test, then as they were measured: by size.
func (r *pgasRun) ordered(class pgasClass) []*pgasRow {
	names := append(pgasTestNames(), baseC2C)
	rows := slices.DeleteFunc(slices.Clone(r.rows), func(row *pgasRow) bool { return classOf(row.suiteTest()) != class })
	slices.SortStableFunc(rows, func(a, b *pgasRow) int {
		return cmp.Compare(slices.Index(names, a.test), slices.Index(names, b.test))
	})
	return rows
}
