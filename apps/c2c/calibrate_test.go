package c2c_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"ocr/apps/c2c"
	"ocr/internal/proof/testrun"
)

// taking returns a Runner whose trials take these ns a transfer in turn; the last one repeats.
func taking(ns ...float64) c2c.Runner {
	return func(_ context.Context, cfg c2c.Config) (c2c.Result, error) {
		r := c2c.Result{Config: cfg}
		for k := range r.Ends {
			r.Ends[k].Elapsed = time.Duration(ns[0] * float64(cfg.Transfers))
		}
		if len(ns) > 1 {
			ns = ns[1:]
		}
		return r, nil
	}
}

func TestCalibrate(t *testing.T) {
	for _, c := range []struct {
		name                    string
		form                    c2c.Form
		run                     c2c.Runner
		askTransfers, askWarm   int
		wantTransfers, wantWarm int
	}{
		{"fits", c2c.Polled, taking(100), 0, 0, 20000, 80000},
		{"slow", c2c.EDT, taking(1000), 0, 0, 8000, 8000},
		{"even", c2c.EDT, taking(3331), 0, 0, 2400, 2400},
		{"very slow", c2c.Polled, taking(20_000), 0, 0, 400, 400},
		{"never less", c2c.Polled, taking(4e6), 0, 0, 20, 20},
		{"disturbed at first", c2c.Polled, taking(50_000, 100), 0, 0, 20000, 80000},
		{"disturbed at last", c2c.Polled, taking(100, 100, 50_000), 0, 0, 20000, 80000},
		{"a warm-up that was asked for", c2c.Polled, taking(4e6), 0, 1000, 20, 1000},
		{"few that were asked for", c2c.Polled, taking(4e6), 6, 1, 6, 2},
		{"many that were asked for", c2c.EDT, taking(1000), 2_000_000, 0, 2_000_000, 8000},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := c2c.Defaults()
			cfg.Form, cfg.Transfers, cfg.Warmup = c.form, c.askTransfers, c.askWarm
			var longest int
			got, err := c2c.Calibrate(t.Context(), cfg, func(ctx context.Context, cfg c2c.Config) (c2c.Result, error) {
				longest = max(longest, cfg.Transfers)
				return c.run(ctx, cfg)
			})
			if err != nil || got.Transfers != c.wantTransfers || got.Warmup != c.wantWarm {
				t.Errorf("%d transfers after %d, %v; want %d after %d", got.Transfers, got.Warmup, err, c.wantTransfers,
					c.wantWarm)
			}
			if longest > c2c.Defaults().Transfers*4 {
				t.Errorf("a trial that is dropped had %d transfers", longest)
			}
		})
	}
}

func TestCalibrationEnds(t *testing.T) {
	fails := func(context.Context, c2c.Config) (c2c.Result, error) { return c2c.Result{}, c2c.ErrNoMeeting }
	_, err := c2c.Calibrate(t.Context(), c2c.Defaults(), fails)
	testrun.Is(t, err, c2c.ErrNoMeeting, "that of the trial")
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	_, err = c2c.Calibrate(ctx, c2c.Defaults(), taking(100))
	testrun.Is(t, err, stop, "the cause")
}

// failing makes the first n trials fail.
func failing(n int, err error, run c2c.Runner) c2c.Runner {
	return func(ctx context.Context, cfg c2c.Config) (c2c.Result, error) {
		if n--; n >= 0 {
			return c2c.Result{}, err
		}
		return run(ctx, cfg)
	}
}

// TestAgain: Again repeats only trials that the machine has spoilt, and not for ever.
func TestAgain(t *testing.T) {
	other := errors.New("no more threads")
	for _, c := range []struct {
		fails int
		err   error
		ends  bool
	}{
		{0, c2c.ErrTooSlow, true}, {1, c2c.ErrNoMeeting, true}, {3, c2c.ErrTooSlow, true}, {4, c2c.ErrTooSlow, false},
		{1, other, false},
	} {
		var last c2c.Config
		run := failing(c.fails, c.err, taking(100))
		cfg := c2c.Defaults()
		r, err := c2c.Again(func(ctx context.Context, cfg c2c.Config) (c2c.Result, error) {
			last = cfg
			return run(ctx, cfg)
		})(t.Context(), cfg)
		if c.ends && (last.Limit != cfg.Limit<<c.fails ||
			last.Warmup > max(2, cfg.Warmup>>(2*c.fails)) || last.Validate() != nil) {
			t.Errorf("%d times %v: then a limit of %v and a warm-up of %d", c.fails, c.err, last.Limit, last.Warmup)
		}
		if (err == nil) != c.ends || err != nil && !errors.Is(err, c.err) {
			t.Errorf("%d times %v: %v", c.fails, c.err, err)
		}
		if !c.ends {
			continue
		}
		doubted := slices.ContainsFunc(r.Doubts(),
			func(doubt string) bool { return strings.HasSuffix(doubt, "was taken again: "+c.err.Error()) })
		if doubted != (c.fails > 0) {
			t.Errorf("%d times %v: doubts %q", c.fails, c.err, r.Doubts())
		}
	}
}
