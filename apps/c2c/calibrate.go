package c2c

import (
	"context"
	"errors"
	"math"
	"time"

	"ocr/edt"
)

// A Runner runs one trial.
type Runner func(ctx context.Context, cfg Config) (Result, error)

// InGraph returns a Runner of the forms that are graphs. run runs a main EDT on two workers; the first is end A.
//
//	once := c2c.Again(c2c.InGraph(func(ctx context.Context, main edt.Func) error {
//		return runtime.Run(ctx, main, runtime.Workers(2), runtime.CPUs(pair), runtime.Bind(runtime.BindListed))
//	}))
//	cfg, err := c2c.Calibrate(ctx, cfg, once)   // finds the transfers of a trial
//	result, err := once(ctx, cfg)
func InGraph(run func(ctx context.Context, main edt.Func) error) Runner {
	return func(ctx context.Context, cfg Config) (Result, error) {
		if err := cfg.Validate(); err != nil {
			return Result{}, err
		}
		app := New(cfg)
		if err := run(ctx, app.Main()); err != nil {
			return Result{}, err
		}
		return app.Result()
	}
}

// Again returns a Runner that runs a trial again, up to three times, after [ErrNoMeeting] and [ErrTooSlow], which mean
// that the machine was busy with other work. Each time it doubles the time limit and divides the warm-up by four.
// [Result.Retried] has the error.
func Again(run Runner) Runner {
	return func(ctx context.Context, cfg Config) (Result, error) {
		var retried error
		for again := 0; ; again++ {
			r, err := run(ctx, cfg)
			r.Retried = retried
			spoilt := errors.Is(err, ErrNoMeeting) || errors.Is(err, ErrTooSlow)
			if again == 3 || ctx.Err() != nil || !spoilt {
				return r, err
			}
			retried = err
			cfg.Limit, cfg.Warmup = 2*cfg.Limit, max(2, cfg.Warmup/8*2)
		}
	}
}

const (
	longestTrial   = 8 * time.Millisecond // Go's scheduler interrupts a thread every 10 ms
	leastTransfers = 20                   // of a trial, however long they take
	firstTransfers = 200                  // of the first trial of a calibration
	calibrations   = 3
)

// Calibrate runs a few trials, and computes how many transfers take 8 ms. It returns cfg with this number as Transfers
// and Warmup, where they are 0. Transfers is at most that of [Defaults]; Warmup is not, so the warm-up lasts 8 ms: Go's
// monitor thread wakes every 70 us until it has been idle for some 5 ms.
func Calibrate(ctx context.Context, cfg Config, run Runner) (Config, error) {
	quickest := math.Inf(1) // ns of a transfer
	fitted := cfg.fit(firstTransfers)
	for range calibrations {
		r, err := run(ctx, fitted)
		if ctx.Err() != nil {
			return fitted, context.Cause(ctx)
		}
		if err != nil {
			return fitted, err
		}
		// The minimum counts: a disturbed trial does not predict the next.
		quickest = min(quickest, r.OneWay(0))
		fitted = cfg.fit(int(float64(longestTrial.Nanoseconds()) / quickest))
	}
	if cfg.Transfers != 0 {
		fitted.Transfers = cfg.Transfers
	}
	return fitted, nil
}

// fit returns c with n transfers, at least leastTransfers and at most c.Transfers, or those of [Defaults] if
// c.Transfers is 0. If Warmup is 0, n is the warm-up too. Both numbers are rounded to even.
func (c Config) fit(n int) Config {
	n = max(n, leastTransfers) / 2 * 2
	most := c.Transfers
	if most == 0 {
		most = Defaults().Transfers
	}
	c.Transfers = min(most, n)
	c.Warmup = (c.Warmup + 1) / 2 * 2
	if c.Warmup == 0 {
		c.Warmup = min(n, MaxTransfers)
	}
	return c
}
