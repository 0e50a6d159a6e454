package c2c

import (
	"context"
	"errors"
	"fmt"

	app "ocr/apps/c2c"
	"ocr/edt"
	"ocr/internal/cbaseline"
	"ocr/internal/harness"
	"ocr/internal/sys"
	"ocr/runtime"
)

// system is the operating system as trials see it.
var system = app.System{
	Sight: func() app.Sight {
		_, forced := sys.ContextSwitches()
		return app.Sight{CPU: sys.CurrentCPU(), Preemptions: forced}
	},
	Yield: sys.Yield,
	Pin:   sys.Pin,
}

// runner returns what carries out a trial: in c, if the form is C, and with these options,
// if it is a graph.
func (x *side) runner(o harness.RunOptions, c *cbaseline.Process) app.Runner {
	switch x.form {
	case C:
		return inC(c)
	case app.Goroutines:
		return x.inGoroutines
	case app.Parked:
		o = o.With(runtime.Spin(0))
	}
	return app.InGraph(func(ctx context.Context, main edt.Func) (err error) {
		harness.Uncollected(func() {
			x.graph, err = harness.NewPair(x.pair.From, x.pair.To).Run(ctx, main, o, Name)
		})
		return err
	})
}

// inGoroutines carries out a trial by the loops of form Polled without the runtime.
func (x *side) inGoroutines(_ context.Context, cfg app.Config) (result app.Result, err error) {
	harness.Uncollected(func() { result, err = app.RunGoroutines(cfg, [2]int{x.pair.From, x.pair.To}) })
	return result, err
}

// A deadProgram says that the C program has ended, and with it its form.
type deadProgram struct{ error }

func (e *deadProgram) Unwrap() error { return e.error }

// inC returns what carries out a trial of the baseline in C. If only A sends payload, the
// program counts A's transfers alone.
func inC(p *cbaseline.Process) app.Runner {
	return func(ctx context.Context, cfg app.Config) (app.Result, error) {
		request := cbaseline.Request{
			Test: cbaseline.Test(cfg.Test), Width: cfg.Width, Layout: cbaseline.Layout(cfg.Layout), Length: cfg.Length,
			Line: cfg.Line, Warmup: cfg.Warmup, Transfers: cfg.Transfers, Capacity: cfg.Blocks,
		}
		if cfg.Test == app.Flow || cfg.Test == app.Blocked {
			request.Warmup, request.Transfers = request.Warmup/2, request.Transfers/2
		}
		answer, err := p.Trial(ctx, request)
		switch {
		case errors.Is(err, cbaseline.ErrTimeout):
			return app.Result{}, fmt.Errorf("%w: %w", app.ErrNothing, err)
		case err != nil && ctx.Err() == nil:
			return app.Result{}, &deadProgram{err}
		case err != nil:
			return app.Result{}, err
		case answer.Wrong != 0:
			return app.Result{}, cfg.WrongElements(uint64(answer.Wrong))
		}
		result := app.Result{Config: cfg, Transfers: cfg.Transfers}
		for k, end := range []cbaseline.Side{answer.A, answer.B} {
			result.Ends[k] = app.End{Elapsed: end.Elapsed, CPU: end.CPUs, Preemptions: int64(end.Preemptions)}
		}
		return result, nil
	}
}
