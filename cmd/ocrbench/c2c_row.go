package main

import (
	"cmp"
	"slices"
	"strings"

	c2capp "ocr/apps/c2c"
	"ocr/internal/bench"
	"ocr/internal/matrix"
	"ocr/internal/report"
	"ocr/internal/topo"
)

// c2cRow is a result: the trials of one form.
type c2cRow struct {
	c2cKey
	c2cSeen
	class     topo.Class
	transfers int // of a trial
	warmup    int // transfers before those
	lines     int // places in memory that trials took in turn
	series    bench.Series
}

// c2cKey tells rows apart.
type c2cKey struct {
	c2cGroup
	form c2capp.Form
}

// add makes a row of what was measured, and keeps what the runtime told of the
// latest trial.
func (r *c2cRun) add(x *c2cSide, series bench.Series) {
	row := &c2cRow{
		c2cKey: c2cKey{x.c2cGroup, x.form}, c2cSeen: x.c2cSeen,
		class:     r.machine.Topology.Distance(x.pair.From, x.pair.To),
		transfers: x.fitted.Transfers, warmup: x.fitted.Warmup, lines: x.lines, series: series,
	}
	r.rows = append(r.rows, row)
	r.find[row.c2cKey] = row
	for _, warning := range x.told.Warnings {
		r.note(warning)
	}
	if r.placement == nil {
		r.placement = x.told.Placement
	}
	if r.counters == nil && ofEDTs(x.form) {
		r.counters = x.told.Counters.Map()
	}
}

// metric returns the samples of a unit.
func (row *c2cRow) metric(unit string) []float64 {
	for _, m := range row.series.Metrics {
		if m.Unit == unit {
			return m.Samples
		}
	}
	return nil
}

// times returns the time of a transfer, or of a block, by A's clock.
func (row *c2cRow) times() []float64 { return row.metric(timeUnit(row.test)) }

func (row *c2cRow) median(unit string) float64 { return bench.Summarize(row.metric(unit)).Median }

// time returns the median of times.
func (row *c2cRow) time() float64 { return row.median(timeUnit(row.test)) }

// total returns the sum of a unit over all trials, negative where one does not know it.
func (row *c2cRow) total(unit string) (sum float64) {
	for _, v := range row.metric(unit) {
		if v < 0 {
			return v
		}
		sum += v
	}
	return sum
}

// lineRange returns the least and the greatest median of the places in memory that
// trials used, and how many there were.
func (row *c2cRow) lineRange() (least, greatest float64, used int) {
	byLine := make([][]float64, min(row.lines, row.kept))
	for t, v := range row.times() {
		byLine[t%row.lines] = append(byLine[t%row.lines], v)
	}
	var medians []float64
	for _, times := range byLine {
		medians = append(medians, bench.Summarize(times).Median)
	}
	return slices.Min(medians), slices.Max(medians), len(medians)
}

func (row *c2cRow) placement() string { return strings.Join(row.placements, " ") }

func (row *c2cRow) labels() report.Config {
	least, greatest, used := row.lineRange()
	return report.Config{
		{Key: "test", Value: string(row.test)}, {Key: "form", Value: string(row.form)},
		{Key: "width", Value: row.width}, {Key: "layout", Value: string(row.layout)}, {Key: "length", Value: row.length},
		{Key: "cpu-a", Value: row.pair.From}, {Key: "cpu-b", Value: row.pair.To}, {Key: "class", Value: row.class.String()},
		{Key: "transfers", Value: row.transfers}, {Key: "warmup-transfers", Value: row.warmup}, {Key: "placement", Value: row.placement()},
		{Key: "line-count", Value: used}, {Key: "line-low", Value: least}, {Key: "line-high", Value: greatest},
		{Key: "doubted", Value: row.doubted},
	}
}

// tableOf returns the rows of a test and width by pair, length and layout.
func (r *c2cRun) tableOf(test c2capp.Test, width int) []*c2cRow {
	var rows []*c2cRow
	for _, row := range r.rows {
		if row.test == test && row.width == width {
			rows = append(rows, row)
		}
	}
	turn := map[matrix.Pair]int{}
	for i, pair := range r.pairs {
		turn[pair.Pair] = i
	}
	slices.SortStableFunc(rows, func(a, b *c2cRow) int {
		return cmp.Or(
			cmp.Compare(turn[a.pair], turn[b.pair]),
			cmp.Compare(a.length, b.length),
			cmp.Compare(a.layout, b.layout))
	})
	return rows
}
