package c2c_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/c2c"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// small returns a trial that takes a moment only.
func small(test c2c.Test, form c2c.Form) c2c.Config {
	cfg := c2c.Defaults()
	cfg.Test, cfg.Form = test, form
	cfg.Transfers, cfg.Warmup, cfg.Pause = 600, 10, 0 // past the wrap of 1-byte elements
	if test.HasLength() {
		cfg.Length = 33
	}
	if test == c2c.Dual && form.Tasks() {
		cfg.Layout = c2c.Separate
	}
	cfg.Limit = time.Hour
	return cfg
}

func run(t testing.TB, cfg c2c.Config, opts ...runtime.Option) (c2c.Result, error) {
	t.Helper()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	if cfg.Form == c2c.Goroutines {
		return c2c.RunGoroutines(cfg, pair(t))
	}
	var report runtime.Report
	opts = append([]runtime.Option{runtime.Workers(2), runtime.LeakReport(), runtime.Into(&report)}, opts...)
	app := c2c.New(cfg)
	if err := runtime.Run(context.Background(), app.Main(), opts...); err != nil {
		return c2c.Result{}, err
	}
	if len(report.Leaks) != 0 {
		t.Errorf("leaked: %v", report.Leaks)
	}
	return app.Result()
}

func TestEveryTest(t *testing.T) {
	for _, test := range c2c.Tests() {
		for _, form := range c2c.Forms() {
			if !form.Has(test) {
				continue
			}
			for _, width := range c2c.Widths() {
				for _, layout := range c2c.Layouts() {
					if layout == c2c.Separate && !test.HasLayout() || layout == c2c.Same && test.HasLayout() &&
						form.Tasks() {
						continue
					}
					t.Run(fmt.Sprintf("%s/%s/width=%d/layout=%s", test, form, width, layout), func(t *testing.T) {
						cfg := small(test, form)
						cfg.Width, cfg.Layout = width, layout
						r, err := run(t, cfg)
						if err != nil {
							t.Fatal(err)
						}
						checkResult(t, r)
						if form == c2c.Goroutines {
							checkPlaces(t, r, pair(t))
						}
					})
				}
			}
		}
	}
}

// TestPolls: each transfer of the timed part that an end reads is counted once for each element.
func TestPolls(t *testing.T) {
	for _, test := range []c2c.Test{c2c.Array, c2c.DualArray, c2c.Flow} {
		cfg := small(test, c2c.Polled)
		cfg.CountPolls = true
		r, err := run(t, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for side, elements := range r.Polls {
			if len(elements) != cfg.Length {
				t.Fatalf("%s: end %d has counts of %d elements, want %d", test, side, len(elements), cfg.Length)
			}
			want := uint64(cfg.Transfers / 2)
			if test == c2c.Flow && side == 0 {
				want = 0 // it reads one word
			}
			for i, p := range elements {
				sum, least := uint64(0), uint64(0)
				for bucket, n := range p.Transfers {
					sum += n
					if bucket > 0 {
						least += n << (bucket - 1)
					}
				}
				if sum != want || p.InVain < least || p.Most > p.InVain {
					t.Errorf("%s: end %d, element %d: %+v, want %d transfers", test, side, i, p, want)
				}
			}
		}
	}
	r, err := run(t, small(c2c.Array, c2c.Polled))
	if err != nil || r.Polls[0] != nil || r.Polls[1] != nil {
		t.Errorf("polls are counted unasked: %v, %v", r.Polls, err)
	}
}

func checkResult(t *testing.T, r c2c.Result) {
	t.Helper()
	if r.Cut() || r.Transfers != r.Config.Transfers {
		t.Errorf("%d transfers, want %d", r.Transfers, r.Config.Transfers)
	}
	for k, e := range r.Ends {
		if e.Elapsed <= 0 {
			t.Errorf("end %d took %v", k, e.Elapsed)
		}
	}
}
