package c2c

import (
	"context"

	app "ocr/apps/c2c"
	"ocr/edt"
	"ocr/internal/measure/cbaseline"
	"ocr/internal/measure/testbed"
	"ocr/runtime"
)

// runner returns what carries out a trial, with these options if the form is a graph.
func (x *side) runner(o testbed.RunOptions) app.Runner {
	switch x.form {
	case C:
		return func(ctx context.Context, cfg app.Config) (app.Result, error) {
			return cbaseline.Trial(ctx, x.pair.From, x.pair.To, x.longest(cbaseline.Limit), cfg)
		}
	case app.Goroutines:
		return x.inGoroutines
	case app.Parked:
		o = o.With(runtime.Spin(0))
	}
	return app.InGraph(func(ctx context.Context, main edt.Func) (err error) {
		testbed.Uncollected(func() {
			x.graph, err = x.pool().On(x.pair.From, x.pair.To).Run(ctx, main, o, Name)
		})
		return err
	})
}

// pool returns what a graph runs on.
func (x *side) pool() *testbed.Pool {
	if x.apart {
		return x.processes
	}
	return testbed.NewPair(1)
}

// inGoroutines carries out a trial by the loops of form Polled without the runtime.
func (x *side) inGoroutines(_ context.Context, cfg app.Config) (result app.Result, err error) {
	testbed.Uncollected(func() { result, err = app.RunGoroutines(cfg, [2]int{x.pair.From, x.pair.To}) })
	return result, err
}
