package c2c_test

import (
	"errors"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ocr/apps/c2c"
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func processors(t testing.TB) []int {
	t.Helper()
	allowed, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("the processors that may be used are not known: %v", err)
	}
	return allowed
}

func pair(t testing.TB) [2]int {
	t.Helper()
	allowed := processors(t)
	if len(allowed) < 2 {
		t.Skipf("one processor only: %v", allowed)
	}
	return [2]int{allowed[0], allowed[1]}
}

func checkPlaces(t *testing.T, r c2c.Result, cpus [2]int) {
	t.Helper()
	for side, e := range r.Ends {
		if want := [2]int{cpus[side], cpus[side]}; e.CPU != want {
			t.Errorf("%s: end %d was on %v before and after, want %v", r.Config.Form, side, e.CPU, want)
		}
	}
	if d := r.Doubts(); len(d) != 0 {
		t.Errorf("%s: doubts: %q", r.Config.Form, d)
	}
}

// TestPlaces: each end is on its worker's processor, in both orders.
func TestPlaces(t *testing.T) {
	cpus := pair(t)
	for _, order := range [][2]int{cpus, {cpus[1], cpus[0]}} {
		for _, cfg := range []c2c.Config{small(c2c.Dual, c2c.Polled), small(c2c.Dual, c2c.EDT), small(c2c.Array, c2c.EDT)} {
			r, err := run(t, cfg, runtime.CPUs(order[:]), runtime.Bind(runtime.BindListed))
			testrun.OK(t, err)
			checkPlaces(t, r, order)
		}
	}
}

// TestOneProcessor: with both ends on one processor every form ends, and reports that its figures are no transfers
// between processors.
func TestOneProcessor(t *testing.T) {
	cpu := processors(t)[0]
	flagged := func(r c2c.Result, err error) {
		t.Helper()
		testrun.OK(t, err)
		testrun.Contains(t, strings.Join(r.Doubts(), "\n"), "both ends ran on processor")
	}
	for _, form := range []c2c.Form{c2c.Polled, c2c.EDT} {
		flagged(run(t, small(c2c.Dual, form), runtime.CPUs([]int{cpu})))
	}
	flagged(c2c.RunGoroutines(small(c2c.Dual, c2c.Goroutines), [2]int{cpu, cpu}))
}

// TestLimit: a trial that is too slow, in its timed part or before, ends at both ends without figures.
func TestLimit(t *testing.T) {
	cpu := processors(t)[0]
	for _, transfers := range [][2]int{{2, c2c.MaxTransfers}, {c2c.MaxTransfers, 2}} {
		cfg := small(c2c.Dual, c2c.Polled)
		cfg.Warmup, cfg.Transfers, cfg.Limit = transfers[0], transfers[1], 100*time.Millisecond
		_, err := run(t, cfg, runtime.CPUs([]int{cpu}))
		testrun.Is(t, err, c2c.ErrTooSlow, "a warm-up and transfers of %v", transfers)
	}
}

// TestNoMeeting: two ends that cannot run at once give up.
func TestNoMeeting(t *testing.T) {
	cfg := small(c2c.Single, c2c.Polled)
	cfg.Limit = 20 * time.Millisecond
	_, err := run(t, cfg, runtime.Workers(1))
	testrun.Is(t, err, c2c.ErrNoMeeting, "one worker for two polling EDTs")
}

// TestCollections: the collector stops the polling ends and lets them go on.
func TestCollections(t *testing.T) {
	var collected atomic.Int64
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !stop.Load() {
			goruntime.GC()
			collected.Add(1)
		}
	}()
	for tries := 0; tries < 100 && collected.Load() < 20; tries++ {
		for _, test := range c2c.Tests() {
			cfg := small(test, c2c.Polled)
			cfg.Transfers = 40_000
			if _, err := run(t, cfg); err != nil {
				t.Error(err)
			}
		}
	}
	if stop.Store(true); collected.Load() == 0 {
		t.Error("nothing was collected while ends polled")
	}
	<-done
}

// TestEndedEarly: a run that is ended early has no result, not that of the run before.
func TestEndedEarly(t *testing.T) {
	app := c2c.New(small(c2c.Single, c2c.EDT))
	main := app.Main()
	testrun.OK(t, runtime.Run(t.Context(), main, runtime.Workers(2)))
	testrun.OK(t, runtime.Run(t.Context(), func(c *edt.Ctx, in edt.Args) guid.GUID {
		defer c.Shutdown() // an end cannot run yet: this EDT has its worker
		return main(c, in)
	}, runtime.Workers(2)))
	_, err := app.Result()
	testrun.Is(t, err, trial.ErrIncomplete, "result")
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*c2c.Config)
		flag   string
	}{
		{"test", func(c *c2c.Config) { c.Test = "triple" }, "test"},
		{"form", func(c *c2c.Config) { c.Form = "telepathy" }, "forms"},
		{"many transfers", func(c *c2c.Config) { c.Transfers = c2c.MaxTransfers + 2 }, "stim-len"},
		{"width 3", func(c *c2c.Config) { c.Width = 3 }, "width"},
		{"length 0", func(c *c2c.Config) { c.Test, c.Length = c2c.Array, 0 }, "lengths"},
		{"long single", func(c *c2c.Config) { c.Length = 2 }, "lengths"},
		{"odd transfers", func(c *c2c.Config) { c.Transfers = 3 }, "stim-len"},
		{"no transfers", func(c *c2c.Config) { c.Transfers = 0 }, "stim-len"},
		{"no warm-up", func(c *c2c.Config) { c.Warmup = 0 }, "warmup"},
		{"line", func(c *c2c.Config) { c.Line = c2c.Lines }, "lines"},
		{"limit", func(c *c2c.Config) { c.Limit = 0 }, "limit"},
	} {
		cfg := c2c.Defaults()
		testrun.OK(t, cfg.Validate())
		c.change(&cfg)
		err := cfg.Validate()
		var bad *trial.ConfigError
		if !errors.As(err, &bad) || bad.Flag != c.flag || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line about %s", c.name, err, c.flag)
		}
		if _, err := c2c.RunGoroutines(cfg, [2]int{0, 1}); err == nil {
			t.Errorf("%s: RunGoroutines accepts it", c.name)
		}
	}
}

// TestFigures checks the formulas of the seed on made-up times.
func TestFigures(t *testing.T) {
	cfg := c2c.Defaults()
	cfg.Test, cfg.Width, cfg.Length, cfg.Transfers = c2c.Array, 4, 512, 1000
	r := c2c.Result{Config: cfg}
	r.Ends[0].Elapsed, r.Ends[1].Elapsed = 640*time.Microsecond, 700*time.Microsecond
	testrun.Equal(t, [4]float64{640, 700, 1280, 25.6}, [4]float64{r.OneWay(0), r.OneWay(1), r.RoundTrip(0), r.Rate()},
		"ns one way by A and B, and to and fro, and Gbit/s")
}
