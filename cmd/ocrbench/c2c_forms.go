package main

import (
	"context"
	"slices"

	c2capp "ocr/apps/c2c"
	"ocr/internal/cbaseline"
	"ocr/internal/harness"
	"ocr/runtime"
)

// inGraph runs a trial on a pool of two workers, one on each processor of the pair.
func (x *c2cSide) inGraph(ctx context.Context, o harness.RunOptions, cfg c2capp.Config) (c2capp.Result, error) {
	if err := cfg.Validate(); err != nil {
		return c2capp.Result{}, err
	}
	cpus := []int{x.pair.From, x.pair.To}
	pool := harness.Pool{Workers: len(cpus), CPUs: slices.Compact(cpus), Bind: runtime.BindListed}
	if cfg.Form == c2capp.Parked {
		o = o.With(runtime.Spin(0))
	}
	app := c2capp.New(cfg)
	var err error
	uncollected(func() { x.told, err = pool.Run(ctx, app.Main(), o, c2cName) })
	if err != nil {
		return c2capp.Result{}, err
	}
	return app.Result()
}

// inGoroutines runs a trial of the loops of form Polled without the runtime.
func (x *c2cSide) inGoroutines(_ context.Context, cfg c2capp.Config) (result c2capp.Result, err error) {
	uncollected(func() { result, err = c2capp.RunGoroutines(cfg, [2]int{x.pair.From, x.pair.To}) })
	return result, err
}

// inC returns what runs a trial of the baseline in C. Where only A sends payload,
// the program counts A's transfers alone.
func inC(p *cbaseline.Process) func(context.Context, c2capp.Config) (c2capp.Result, error) {
	return func(ctx context.Context, cfg c2capp.Config) (c2capp.Result, error) {
		request := cbaseline.Request{
			Test: cbaseline.Test(cfg.Test), Width: cfg.Width, Layout: cbaseline.Layout(cfg.Layout), Length: cfg.Length,
			Line: cfg.Line, Warmup: cfg.Warmup, Transfers: cfg.Transfers, Capacity: cfg.Blocks,
		}
		if cfg.Test == c2capp.Flow || cfg.Test == c2capp.Blocked {
			request.Warmup, request.Transfers = request.Warmup/2, request.Transfers/2
		}
		answer, err := p.Trial(ctx, request)
		switch {
		case err != nil && ctx.Err() == nil && !spoilt(err):
			return c2capp.Result{}, &deadProgram{err}
		case err != nil:
			return c2capp.Result{}, err
		}
		if answer.Wrong != 0 {
			return c2capp.Result{}, cfg.WrongElements(uint64(answer.Wrong))
		}
		result := c2capp.Result{Config: cfg, Transfers: cfg.Transfers}
		for k, side := range []cbaseline.Side{answer.A, answer.B} {
			result.Ends[k] = c2capp.End{Elapsed: side.Elapsed, CPU: side.CPUs, Preemptions: int64(side.Preemptions)}
		}
		return result, nil
	}
}
