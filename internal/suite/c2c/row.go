package c2c

import (
	"cmp"
	"slices"
	"strings"

	app "ocr/apps/c2c"
	"ocr/internal/bench"
	"ocr/internal/matrix"
	"ocr/internal/report"
	"ocr/internal/topo"
)

// row is a result: the trials of one form.
type row struct {
	key
	seen
	spentUp   bool // its trials have taken the time that they may
	class     topo.Class
	transfers int // of a trial
	warmup    int // transfers before those
	series    bench.Series
}

func (r *row) median(unit string) float64 { return r.series.Metrics.Summary(unit).Median }

// samples are the time of a transfer, or of a block, by A's clock, in each trial.
func (r *row) samples() []float64 { return r.series.Metrics.Samples(timeUnit(r.test)) }

func (r *row) times() bench.Summary { return bench.Summarize(r.samples()) }

func (r *row) time() float64 { return r.times().Median }

// total returns the sum of a unit over all trials, negative if one does not know it.
func (r *row) total(unit string) (sum float64) {
	for _, v := range r.series.Metrics.Samples(unit) {
		if v < 0 {
			return v
		}
		sum += v
	}
	return sum
}

// lineRange returns the least and the greatest median of the places in memory that trials
// used, and how many there were.
func (r *row) lineRange() (least, greatest float64, used int) {
	byLine := make([][]float64, min(lines, r.kept))
	for t, v := range r.samples() {
		byLine[t%lines] = append(byLine[t%lines], v)
	}
	var medians []float64
	for _, times := range byLine {
		medians = append(medians, bench.Summarize(times).Median)
	}
	return slices.Min(medians), slices.Max(medians), len(medians)
}

func (r *row) placement() string { return strings.Join(r.placements, " ") }

// labels returns the facts of a row for programs. The key ranks is one of the configuration.
func (r *row) labels() report.Config {
	least, greatest, used := r.lineRange()
	labels := report.Config{
		{Key: "test", Value: string(r.test)}, {Key: "form", Value: string(r.form)},
		{Key: "width", Value: r.width}, {Key: "layout", Value: string(r.layout)}, {Key: "length", Value: r.length},
		{Key: "cpu-a", Value: r.pair.From}, {Key: "cpu-b", Value: r.pair.To}, {Key: "class", Value: r.class.String()},
		{Key: "transfers", Value: r.transfers}, {Key: "warmup-transfers", Value: r.warmup}, {Key: "placement", Value: r.placement()},
		{Key: "line-count", Value: used}, {Key: "line-low", Value: least}, {Key: "line-high", Value: greatest},
		{Key: "doubted", Value: r.doubted},
	}
	if r.apart {
		labels = append(labels, report.Setting{Key: "row-ranks", Value: 2})
	}
	return labels
}

// tableOf returns the rows of a test and width by pair, length and layout.
func (r *run) tableOf(test app.Test, width int) []*row {
	var rows []*row
	for _, row := range r.rows {
		if row.test == test && row.width == width {
			rows = append(rows, row)
		}
	}
	turn := map[matrix.Pair]int{}
	for i, p := range r.pairs {
		turn[p.Pair] = i
	}
	slices.SortStableFunc(rows, func(a, b *row) int {
		return cmp.Or(
			cmp.Compare(turn[a.pair], turn[b.pair]),
			cmp.Compare(a.length, b.length),
			cmp.Compare(a.layout, b.layout))
	})
	return rows
}
