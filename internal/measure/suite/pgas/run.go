package pgas

import (
	"context"
	"slices"
	"time"

	app "ocr/apps/pgas"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

type run struct {
	bed      *testbed.Bed
	cfg      Config
	programs *peers.Set
}

// Run measures the keys of a Config. If ctx is cancelled it returns the results so far with the error; if a transfer is
// wrong the document has no results. A [*trial.ConfigError] means that no test has run.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	r := &run{bed: bed, cfg: cfg, programs: peers.NewSet(bed.Announce)}
	defer r.programs.Close()
	keys, err := r.layOut()
	if err != nil {
		return nil, err
	}
	e := &testbed.Experiment{App: name, Settings: cfg.settings(bed.Pool), OneRun: true}
	if i := slices.IndexFunc(keys, func(k key) bool { return k.form == app.EDT }); i >= 0 {
		e.Counted = keys[i].resultName(bed.Pool)
	}
	window := 0 // bytes of a rank's window, where PEs of other ranks reach its segments
	for _, k := range keys {
		if bed.Pool.Ranks > 1 {
			window = max(window, app.New(r.config(k)).WindowBytes(bed.Pool.Workers))
		}
		e.Forms = append(e.Forms, r.form(k))
	}
	bed.Options = append(bed.Options, runtime.Window(window))
	if cfg.Peers {
		beside, err := r.mpiForms(ctx, keys)
		if err != nil {
			return nil, err
		}
		for _, k := range beside {
			keys, e.Forms = append(keys, k.key), append(e.Forms, k.Form)
		}
		bed.Aside(r.programs.Notes()...)
	}
	if slices.ContainsFunc(keys, key.unread) {
		bed.Aside("no PE reads what puts bring it, but for flags: small messages stay in the cache of the PE that puts")
	}
	d, err := bed.Measure(ctx, e)
	if d != nil {
		t := tables{d: d, pool: bed.Pool, keys: keys}
		d.Baseline, d.Text, d.Meaning = "", t.text(), t.meaning()
	}
	return d, err
}

// form returns the form that measures a key by the app. The first sample finds how many iterations fill the sample
// time; the later ones take as many.
func (r *run) form(k key) testbed.Form {
	f := testbed.Form{Graph: new(runtime.Report)}
	f.Name = k.resultName(r.bed.Pool)
	cfg, fitted := r.config(k), r.cfg.Iterations > 0
	var last app.Result
	once := func(ctx context.Context) (took time.Duration, err error) {
		cfg.Done = ctx.Done()
		a := app.New(cfg)
		testbed.Uncollected(func() { err = r.bed.RunGraph(ctx, a.Main(), f.Graph, name) })
		if err == nil {
			last, err = a.Result()
		}
		return last.Mean(), err
	}
	f.Once = func(ctx context.Context) (time.Duration, error) {
		if !fitted && !r.bed.Observing {
			fitted = true
			err := fit(&cfg.Iterations, r.bed.SampleTime, func() (time.Duration, error) { return once(ctx) })
			if err != nil {
				return 0, err
			}
		}
		return once(ctx)
	}
	f.Figures = func(time.Duration, int) []bench.Value { return figures(last) }
	return f
}

// fit sets n to the number of iterations that take about the time of a sample.
func fit(n *int, sample time.Duration, once func() (time.Duration, error)) error {
	for *n = 10; ; {
		took, err := once()
		if err != nil {
			return err
		}
		fits := float64(*n) * float64(sample) / float64(max(took, 1))
		done := took >= sample/2
		if *n = int(max(1, min(fits, 16*float64(*n), app.MaxIterations))); done {
			return nil
		}
	}
}

// figures returns the metrics of a sample. The first is the time of an iteration, the median over slices of the timed
// part: it does not show that a PE has lost its processor for a while. A bandwidth test has rates too, in 10^6 bytes as
// OSU's: MB/s and all-MB/s of older files are in 2^20 bytes, and are not compared with these.
func figures(r app.Result) []bench.Value {
	ns := bench.Summarize(r.Slices).Median
	all := []bench.Value{{Unit: "ns/op", Value: ns}, {Unit: "mean-ns/op", Value: r.MeanNs()}}
	if app.Lookup(r.Config.Test).Kind != app.Bandwidth {
		return all
	}
	all = append(all, bench.Value{Unit: "pe-MB/s", Value: float64(r.Config.Bytes) / 1e6 / max(ns, 1e-3) * 1e9})
	if len(r.Elapsed) > 1 {
		all = append(all, bench.Value{Unit: "sum-MB/s", Value: r.MBPerSecond()})
	}
	return all
}
