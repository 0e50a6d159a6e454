package c2c

import (
	"cmp"
	"slices"
	"strings"

	app "ocr/apps/c2c"
	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
)

// row is a result: the trials of a form of a test on a pair of processors.
type row struct {
	key
	once app.Runner
	cfg  app.Config // of a trial; what was asked for, until it is calibrated
	budget

	graph  testbed.GraphRun // the latest, if the form is a graph
	latest app.Result
	seen

	// Set once it was measured:
	class  topo.Class
	series bench.Series
}

// seen is what the trials that were kept report beside their times. Trial t used place t % lines.
type seen struct {
	kept       int
	placements []string // where the ends were found: every different answer once
	doubted    int      // trials with doubts
	doubts     []string // of the first of them
}

func (r *row) median(unit string) float64 { return r.series.Metrics.Summary(unit).Median }

// samples are the time of a transfer by A's clock, in each trial.
func (r *row) samples() []float64 { return r.series.Metrics.Samples(timeUnit) }

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

func (r *row) placement() string { return strings.Join(r.placements, " ") }

// labels returns the facts of a row for programs.
func (r *row) labels() report.Config {
	return report.Settings(
		"test", string(r.test), "form", string(r.form), "width", r.width, "layout", r.layout(),
		"length", r.length, "cpu-a", r.pair.From, "cpu-b", r.pair.To, "class", r.class.String(),
		"transfers", r.cfg.Transfers, "warmup-transfers", r.cfg.Warmup, "placement", r.placement(),
		"doubted", r.doubted)
}

// tableOf returns the rows of a test and width by pair and length.
func (r *run) tableOf(test app.Test, width int) []*row {
	var rows []*row
	for _, row := range r.rows {
		if row.test == test && row.width == width {
			rows = append(rows, row)
		}
	}
	turn := map[matrix.Pair]int{}
	for i, p := range r.pairs {
		turn[p] = i
	}
	slices.SortStableFunc(rows, func(a, b *row) int {
		return cmp.Or(
			cmp.Compare(turn[a.pair], turn[b.pair]),
			cmp.Compare(a.length, b.length))
	})
	return rows
}
