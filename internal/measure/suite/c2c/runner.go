package c2c

import (
	"context"

	app "ocr/apps/c2c"
	"ocr/edt"
	"ocr/internal/measure/cbaseline"
	"ocr/internal/measure/testbed"
)

// runner returns what carries out a trial, with these options if the form is a graph.
func (x *row) runner(o testbed.RunOptions) app.Runner {
	switch x.form {
	case C:
		return func(ctx context.Context, cfg app.Config) (app.Result, error) {
			return cbaseline.Trial(ctx, x.pair.From, x.pair.To, x.longest(cbaseline.Limit), cfg)
		}
	case app.Goroutines: // the loops of form Polled without the runtime
		return func(_ context.Context, cfg app.Config) (result app.Result, err error) {
			testbed.Uncollected(func() { result, err = app.RunGoroutines(cfg, [2]int{x.pair.From, x.pair.To}) })
			return result, err
		}
	}
	return app.InGraph(func(ctx context.Context, main edt.Func) (err error) {
		pool := testbed.NewPair(x.pair.From, x.pair.To)
		testbed.Uncollected(func() { x.graph, err = pool.Run(ctx, main, o, Name) })
		return err
	})
}
