package c2c_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/c2c"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// small returns a trial that takes a moment only.
func small(test c2c.Test, form c2c.Form) c2c.Config {
	cfg := c2c.Defaults()
	cfg.Test, cfg.Form = test, form
	cfg.Transfers, cfg.Warmup = 600, 10 // past the wrap of 1-byte elements
	if test.HasLength() {
		cfg.Length = 33
	}
	cfg.Limit = time.Hour
	return cfg
}

func run(t testing.TB, cfg c2c.Config, opts ...runtime.Option) (c2c.Result, error) {
	t.Helper()
	testrun.OK(t, cfg.Validate())
	if cfg.Form == c2c.Goroutines {
		return c2c.RunGoroutines(cfg, pair(t))
	}
	var report runtime.Report
	opts = append([]runtime.Option{runtime.Workers(2), runtime.LeakReport(), runtime.Into(&report)}, opts...)
	app := c2c.New(cfg)
	if err := runtime.Run(context.Background(), app.Main(), opts...); err != nil {
		return c2c.Result{}, err
	}
	testrun.Equal(t, 0, len(report.Leaks), "leaks %v", report.Leaks)
	return app.Result()
}

func TestEveryTest(t *testing.T) {
	for _, test := range c2c.Tests() {
		for _, form := range c2c.Forms() {
			for _, width := range c2c.Widths() {
				t.Run(fmt.Sprintf("%s/%s/width=%d", test, form, width), func(t *testing.T) {
					cfg := small(test, form)
					cfg.Width = width
					r, err := run(t, cfg)
					testrun.OK(t, err)
					if r.Ends[0].Elapsed <= 0 || r.Ends[1].Elapsed <= 0 {
						t.Errorf("the ends took %v and %v", r.Ends[0].Elapsed, r.Ends[1].Elapsed)
					}
					if form == c2c.Goroutines {
						checkPlaces(t, r, pair(t))
					}
				})
			}
		}
	}
}

// TestEndsAgree: both ends measure about the same time. A thread that is preempted after its last transfer takes
// longer, so one of up to 100 trials must agree.
func TestEndsAgree(t *testing.T) {
	for _, form := range c2c.Forms() {
		var r c2c.Result
		agree := func() bool { return r.OneWay(0) < 1.4*r.OneWay(1) && r.OneWay(1) < 1.4*r.OneWay(0) }
		for try := 0; try == 0 || try < 100 && !agree(); try++ {
			var err error
			r, err = run(t, small(c2c.Single, form))
			testrun.OK(t, err)
		}
		if !agree() {
			t.Errorf("form %s: a transfer takes %v ns by A's clock, %v by B's", form, r.OneWay(0), r.OneWay(1))
		}
	}
}
