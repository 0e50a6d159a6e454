package pgas

import (
	"context"

	"ocr/apps/c2c"
	app "ocr/apps/pgas"
	"ocr/edt"
	"ocr/internal/harness"
	"ocr/internal/sys"
)

// handOffLines is how many places in memory hand-offs use in turn.
const handOffLines = 20

// handOffs returns what runs a trial of the core-to-core suite between two lines, each end
// polling the other's, and reports it as iterations of a round trip: as many as fit the
// time that a sample may take, and a few at least.
func (r *run) handOffs() func(context.Context, harness.RunOptions, app.Config) (app.Result, error) {
	cfg := c2c.Defaults()
	cfg.Test, cfg.Form, cfg.Layout, cfg.Transfers = c2c.Dual, c2c.Polled, c2c.Separate, 0
	cfg.System = c2c.System{Sight: func() c2c.Sight { return c2c.Sight{CPU: sys.CurrentCPU()} }, Yield: sys.Yield}
	pool := harness.NewPair(r.pair.From, r.pair.To)
	var k c2c.Calibration
	trial := 0
	return func(ctx context.Context, o harness.RunOptions, asked app.Config) (app.Result, error) {
		once := c2c.Again(c2c.InGraph(func(ctx context.Context, main edt.Func) (err error) {
			harness.Uncollected(func() { _, err = pool.Run(ctx, main, o, name) })
			return err
		}))
		if trial == 0 {
			var err error
			if k, err = c2c.Calibrate(ctx, cfg, once); err != nil {
				return app.Result{}, err
			}
		}
		cfg := k.Within(asked.MaxTime)
		cfg.Line = trial % handOffLines
		trial++
		t, err := once(ctx, cfg)
		iterations, elapsed := t.Transfers/2, t.Ends[0].Elapsed
		return app.Result{
			Iterations: iterations, Warmup: cfg.Warmup / 2,
			Origins: []app.Timing{{Partner: 1, End: elapsed, Marks: []app.Mark{{Iterations: iterations, At: elapsed}}}},
		}, err
	}
}
