package c2c

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	app "ocr/apps/c2c"
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/cbaseline"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/matrix"
	"ocr/runtime"
)

// A row is a result: the trials of a form of a test on a pair of processors.
type row struct {
	pair matrix.Pair
	form app.Form
	cfg  app.Config // of a trial; before calibration, the requested one
	once app.Runner

	baseline   *cbaseline.Program // of form c
	calibrated bool
	graph      runtime.Report // of the latest run, if the form is a graph
	latest     app.Result

	// The fields below are about kept trials. Kept trial t, from 0, used memory line t % lines.
	kept, doubted int
	doubts        []string // of the first trial that has any
	placements    []string // processors of the ends: each different answer once
}

func (x *row) isGraph() bool { return x.form == app.Polled || x.form == app.EDT }

// name returns the name of the result in a form. In test dual each end has a memory line of its own: layout=separate.
func (x *row) name(form app.Form) string {
	layout, length := "same", ""
	if x.cfg.Test == app.Dual {
		layout = "separate"
	}
	if x.cfg.Test.HasLength() {
		length = fmt.Sprintf("/length=%d", x.cfg.Length)
	}
	return fmt.Sprintf("%s/%s/%s/width=%d/layout=%s%s/cpus=%d,%d", Name, x.cfg.Test, form, x.cfg.Width, layout, length,
		x.pair.From, x.pair.To)
}

// runner returns the function that runs a trial. It runs a trial again if other processes spoilt it.
func (x *row) runner(bed *testbed.Bed) app.Runner {
	cpus := [2]int{x.pair.From, x.pair.To}
	switch x.form {
	case C:
		return app.Again(func(ctx context.Context, cfg app.Config) (app.Result, error) {
			return x.baseline.Trial(ctx, cpus, cfg)
		})
	case app.Goroutines: // the loops of form Polled without the runtime
		return app.Again(func(_ context.Context, cfg app.Config) (result app.Result, err error) {
			testbed.Uncollected(func() { result, err = app.RunGoroutines(cfg, cpus) })
			return result, err
		})
	}
	return app.Again(app.InGraph(func(ctx context.Context, main edt.Func) (err error) {
		pool := testbed.NewPair(x.pair.From, x.pair.To)
		testbed.Uncollected(func() { err = bed.RunOn(ctx, pool, main, &x.graph, Name) })
		return err
	}))
}

// trial runs a trial. Before the first, it runs a few that find the number of transfers.
func (x *row) trial(ctx context.Context) (err error) {
	if !x.calibrated {
		cfg, err := app.Calibrate(ctx, x.cfg, x.once)
		if err != nil {
			return err
		}
		x.cfg, x.calibrated = cfg, true
	}
	cfg := x.cfg
	cfg.Line = x.kept % lines
	x.latest, err = x.once(ctx, cfg)
	return err
}

// experiment makes the row a form of an experiment, whose samples are trials. If the machine is too busy for a trial,
// or a form without this runtime fails, the row takes no more trials, the other rows go on, and ended gets the reason.
// Wrong results, all other failures, and any failure in an observed run end the measurement.
func (x *row) experiment(bed *testbed.Bed, ended func(*row, error)) testbed.Form {
	var f testbed.Form
	f.Name = x.name(x.form)
	if x.isGraph() {
		f.Graph = &x.graph
	}
	f.Once = func(ctx context.Context) (time.Duration, error) {
		err := x.trial(ctx)
		var wrong *trial.VerifyError
		busy := errors.Is(err, app.ErrNoMeeting) || errors.Is(err, app.ErrTooSlow)
		if err != nil && ctx.Err() == nil && !bed.Observing && !errors.As(err, &wrong) && (busy || !x.isGraph()) {
			ended(x, err)
			err = bench.ErrOver
		}
		return x.latest.Ends[0].Elapsed, err
	}
	f.Figures = func(time.Duration, int) []bench.Value {
		x.see(x.latest)
		return figures(x.latest)
	}
	return f
}

// see records a kept trial.
func (x *row) see(r app.Result) {
	x.kept++
	at := strings.NewReplacer("-1", "?").Replace(fmt.Sprintf("%d,%d", r.Ends[0].CPU[1], r.Ends[1].CPU[1]))
	if !slices.Contains(x.placements, at) {
		x.placements = append(x.placements, at)
	}
	if doubts := r.Doubts(); len(doubts) > 0 {
		x.doubted++
		if x.doubted == 1 {
			x.doubts = doubts
		}
	}
}

const (
	timeUnit        = "ns/oneway" // of a transfer, by A's clock
	tripUnit        = "ns/roundtrip"
	preemptionsUnit = "preemptions"
)

// rateUnit returns the unit of the rate at which the payload arrives.
func rateUnit(t app.Test) string {
	if t.HasLength() {
		return "Gbit/s"
	}
	return "Mbit/s"
}

// figures returns the metrics of a trial. The first is the time that tables show; the last is how often the threads of
// both ends lost their processors.
func figures(r app.Result) []bench.Value {
	rate := r.Rate()
	if !r.Config.Test.HasLength() {
		rate *= 1000
	}
	return []bench.Value{
		{Unit: timeUnit, Value: r.OneWay(0)}, {Unit: tripUnit, Value: r.RoundTrip(0)},
		{Unit: rateUnit(r.Config.Test), Value: rate},
		{Unit: preemptionsUnit, Value: float64(r.Ends[0].Preemptions + r.Ends[1].Preemptions)},
	}
}
