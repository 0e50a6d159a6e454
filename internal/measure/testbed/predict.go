package testbed

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
	"ocr/internal/watch/predict"
	"ocr/observe"
	"ocr/runtime"
)

// A Prediction asks for predicted times in place of measured ones, see package predict.
type Prediction struct {
	Workers []int    // one after the other
	Costs   []string // given by the user, as wake=5us; the others are measured
}

// predictedRuns is how often each number of workers is predicted.
const predictedRuns = 3

// A predicting is one run that is predicted.
type predicting struct {
	predict.Config
	predict.Result
}

// run runs a graph on the pretended workers. The app's clock is the virtual one.
func (p *predicting) run(ctx context.Context, main edt.Func, argv []string) (GraphRun, error) {
	h := predict.New(p.Config)
	defer h.Graph.Close()
	defer trial.Virtual(h.Now)()
	err := h.Run(ctx, main, argv...)
	p.Result = h.Result
	return GraphRun{Counters: runtime.Counters{Counters: h.Graph.Counters()}}, err
}

// A predictedRow is a line of the table of predictions.
type predictedRow struct {
	form    string
	workers int
	bench.Series
}

// predict predicts the task graphs of an experiment.
func (b *Bed) predict(ctx context.Context, e *Experiment) (*report.Document, error) {
	costs := observe.MeasureCosts()
	for _, item := range b.Predict.Costs {
		if err := costs.Set(item); err != nil {
			return nil, err // it was accepted before
		}
	}
	var rows []predictedRow
	var names []string
	err := b.During(nil, func() error {
		for _, f := range e.Forms {
			names = append(names, strings.Split(f.Name, "/")[1])
			if f.Graph == nil {
				continue
			}
			of, err := b.predictForm(ctx, f, costs)
			if rows = append(rows, of...); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		return nil
	})
	if err == nil && len(rows) == 0 {
		return nil, notAGraph("predict", names)
	}
	b.Note("predicted, not measured: each EDT ran once on one thread; memory bandwidth and caches that workers share, "+
		"two threads of one core, contention, turns at blocks in mode EW and the garbage collector beside many workers "+
		"are not in it",
		"ms/run is the app's timed part; work, overhead, idle, T1/W and Tinf are of the whole run")
	settings := append(e.Settings, b.Settings()...).With("predict", strings.Trim(fmt.Sprint(b.Predict.Workers), "[]"),
		"costs", costs.String())
	d := b.Document(About{App: e.App, Settings: settings})
	d.Partial = err != nil
	for _, r := range rows {
		d.Add(r.Side, r.Series)
	}
	d.Text = &report.Text{Sections: []report.Section{{Table: predictedTable(rows)}}}
	return d, err
}

// predictForm predicts one graph, on one worker first: that run also says how long EDTs take.
func (b *Bed) predictForm(ctx context.Context, f Form, costs predict.Costs) (rows []predictedRow, err error) {
	known := predict.Known{}
	one := 0.
	for k, workers := range append([]int{1}, b.Predict.Workers...) {
		name := strings.Replace(f.Name, b.Pool.InNames(), fmt.Sprintf("workers=%d", workers), 1) + predictedName
		row := predictedRow{strings.Split(name, "/")[1], workers, bench.Series{Side: name}}
		for n := range predictedRuns {
			b.Tell(bench.Progress{Side: name, Done: n, Total: predictedRuns})
			values, err := predictOnce(ctx, f, predict.Config{Workers: workers, Costs: costs, Known: known})
			if err != nil {
				return rows, err
			}
			row.add(values, one)
		}
		if k == 0 {
			one = row.Metrics.Summary(msRun).Median
			continue
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// predictedName ends the name of each prediction, so that it is never taken for the measurement of the same name: for a
// point of its curve, or for one of its two sides.
const predictedName = "/predicted=yes"

// msRun is the unit of the time of a run's timed part.
const msRun = "ms/run"

// predictOnce predicts one run, and its span by another one.
func predictOnce(ctx context.Context, f Form, cfg predict.Config) ([]bench.Value, error) {
	run := predicting{Config: cfg}
	elapsed, err := f.Once(ctx, RunOptions{predicting: &run})
	if err != nil {
		return nil, err
	}
	span := predicting{Config: cfg}
	span.Endless, span.Costs = true, predict.Free()
	if _, err := f.Once(ctx, RunOptions{predicting: &span}); err != nil {
		return nil, err
	}
	ms := func(d time.Duration) float64 { return d.Seconds() * 1e3 }
	return []bench.Value{
		{Unit: msRun, Value: ms(elapsed)}, {Unit: "whole-ms", Value: ms(run.Time)},
		{Unit: "T1/W-ms", Value: ms(run.Work) / float64(cfg.Workers)}, {Unit: "Tinf-ms", Value: ms(span.Time)},
		{Unit: "work-ms", Value: ms(run.Work)}, {Unit: "overhead-ms", Value: ms(run.Overhead)},
		{Unit: "idle-ms", Value: ms(run.Idle)}, {Unit: "steals", Value: float64(run.Steals)},
		{Unit: "parks", Value: float64(run.Parks)}, {Unit: "hand-offs", Value: float64(run.Sends)},
	}, nil
}

// add adds a sample; one is the time on one worker, 0 if it is not known yet.
func (r *predictedRow) add(values []bench.Value, one float64) {
	if one > 0 {
		values = slices.Insert(values, 1, bench.Value{Unit: "speedup", Value: one / values[0].Value})
	}
	for k, v := range values {
		if k == len(r.Metrics) {
			r.Metrics = append(r.Metrics, bench.Metric{Unit: v.Unit})
		}
		r.Metrics[k].Samples = append(r.Metrics[k].Samples, v.Value)
	}
	r.Runs = append(r.Runs, 1)
}

// predictedTable has the least value of each figure, and the range of the time.
func predictedTable(rows []predictedRow) report.Table {
	type row = predictedRow
	columns := []report.Column[row]{
		report.Words("form", func(r row) string { return r.form }),
		report.Cells("W", func(r row) string { return fmt.Sprint(r.workers) }),
	}
	for k := range append(rows, row{})[0].Metrics {
		of := func(r row) bench.Summary { return bench.Summarize(r.Metrics[k].Samples) }
		unit := rows[0].Metrics[k].Unit
		columns = append(columns, report.Cells(unit, func(r row) string {
			if unit == "speedup" { // of the least time
				return report.Short(of(r).Max)
			}
			return report.Short(of(r).Min)
		}))
		if unit == msRun {
			columns = append(columns, report.Cells("to", func(r row) string { return report.Short(of(r).Max) }))
		}
	}
	return report.Tabulate(rows, columns)
}
