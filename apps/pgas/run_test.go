package pgas

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// runTest runs one Config on the worker pool, and checks that nothing is left.
func runTest(t testing.TB, cfg Config, opts ...runtime.Option) (Result, error) {
	t.Helper()
	cfg.Done = t.Context().Done()
	testrun.OK(t, cfg.Validate(), "%s", name(cfg))
	var report runtime.Report
	app := New(cfg)
	opts = append(opts, runtime.Workers(cfg.PEs), runtime.Into(&report), runtime.LeakReport())
	err := runtime.Run(t.Context(), app.Main(), opts...)
	testrun.OK(t, err, "%s", name(cfg))
	for _, leak := range report.Leaks {
		t.Errorf("%s: leak: %v", name(cfg), leak)
	}
	return app.Result()
}

func name(c Config) string {
	return fmt.Sprintf("%s/%s/%s/pes=%d/bytes=%d/stride=%d", c.Test, c.Form, c.Sync, c.PEs, c.Bytes, c.Stride)
}

// eachConfig calls f for every test in both forms, at small sizes, with some variants of each.
func eachConfig(pes int, f func(Config)) {
	for k, test := range tests {
		for _, form := range []Form{Direct, EDT} {
			cfg := Defaults(test.Name)
			cfg.Form, cfg.PEs, cfg.MaxTime, cfg.Iterations = form, pes, 0, 21
			list := slices.DeleteFunc(variants(test, cfg), func(c Config) bool { return c.Validate() != nil })
			few := testrun.Sized(2, 3, 12)
			if pes == 8 {
				few = testrun.Sized(1, 2, 12)
			}
			step := max(1, len(list)/few)
			for i := (k + pes) % step; i < len(list); i += step {
				f(list[i])
			}
		}
	}
}

// synced lists the ways to synchronise in a test, if it does.
func synced(test Test, cfg Config) []Config {
	if len(test.Uses.Syncs) == 0 {
		return []Config{cfg}
	}
	var list []Config
	for _, cfg.Sync = range test.Uses.Syncs {
		list = append(list, cfg)
	}
	return list
}

// variants lists what a test's own parameters can be.
func variants(test Test, cfg Config) []Config {
	list := synced(test, cfg)
	cross := func(n int, set func(c *Config, k int)) {
		var more []Config
		for _, c := range list {
			for k := range n {
				set(&c, k)
				more = append(more, c)
			}
		}
		list = more
	}
	sizes := []int{4, 8, 40, 1000, 4096}
	if test.Kind == Reduction {
		sizes = []int{8, 256, 264, 20_000}
	}
	cross(len(sizes), func(c *Config, k int) { c.Bytes = sizes[k] })
	if test.Uses.Stride {
		cross(3, func(c *Config, k int) { c.Stride = []int{1, 2, 5}[k] })
	}
	return list
}

func TestEveryTestInBothForms(t *testing.T) {
	for _, pes := range testrun.Sized([]int{2, 8}, []int{2, 8}, []int{2, 4, 8}) {
		t.Run(fmt.Sprintf("pes=%d", pes), func(t *testing.T) {
			eachConfig(pes, func(cfg Config) {
				if pes == 8 && cfg.Bytes > 1000 && !newPlan(cfg).reduces() {
					return
				}
				checkTest(t, cfg)
			})
		})
	}
}

// Every test in the edt form on several ranks, under orders drawn from seeds. A wrong byte is noticed there, too.
func TestOverRanks(t *testing.T) {
	for seed, ranks := range []int{2, 4, 2} {
		workers := 1 + seed/2
		for _, test := range tests {
			cfg := Defaults(test.Name)
			cfg.Form, cfg.PEs, cfg.MaxTime, cfg.Iterations = EDT, ranks*workers, 0, 7
			cfg.Bytes = []int{8, 264, 1000}[seed]
			for _, v := range synced(test, cfg) {
				if v.Validate() == nil {
					overRanks(t, v, uint64(seed), ranks)
				}
			}
		}
	}
}

func overRanks(t *testing.T, cfg Config, seed uint64, ranks int) {
	t.Helper()
	sabotage := seed == 2
	if sabotage {
		cfg.Sabotage = func(segments [][]byte) { segments[1][newPlan(cfg).destAt(0)+cfg.Bytes/2] ^= 0x40 }
	}
	app := New(cfg)
	h := edttest.NewApart(seed, ranks, edt.Config{Workers: cfg.PEs / ranks})
	defer h.Graph.Close()
	testrun.OK(t, h.Run(app.Main()), "%s on %d ranks", name(cfg), ranks)
	for _, leak := range h.Graph.Leaks() {
		t.Errorf("%s on %d ranks: leak: %v", name(cfg), ranks, leak)
	}
	r, err := app.Result()
	var wrong *trial.VerifyError
	switch {
	case sabotage != errors.As(err, &wrong):
		t.Errorf("%s on %d ranks: %v, with a wrong byte: %v", name(cfg), ranks, err, sabotage)
	case !sabotage:
		checkResult(t, cfg, r)
	}
}

// checkTest runs one Config, and checks its result.
func checkTest(t *testing.T, cfg Config) {
	t.Helper()
	r, err := runTest(t, cfg)
	if err != nil {
		t.Errorf("%s: %v", name(cfg), err)
		return
	}
	checkResult(t, cfg, r)
}

// checkResult checks what must hold of every result.
func checkResult(t *testing.T, cfg Config, r Result) {
	t.Helper()
	if r.Iterations != cfg.Iterations || r.Warmup < 10 || !r.Verified || r.Checked == 0 {
		t.Errorf("%s: %d iterations after %d, want %d; verified %v, %d bytes", name(cfg), r.Iterations, r.Warmup,
			cfg.Iterations, r.Verified, r.Checked)
	}
	test, _ := Lookup(cfg.Test)
	origins := cfg.PEs
	if !test.Everyone {
		origins /= 2
	}
	if len(r.Origins) != origins {
		t.Fatalf("%s: %d origins, want %d", name(cfg), len(r.Origins), origins)
	}
	for _, o := range r.Origins {
		last := o.Marks[len(o.Marks)-1]
		if o.End < o.Start || last.Iterations != r.Iterations || last.At != o.End {
			t.Errorf("%s: PE %d: %v to %v, last mark %v", name(cfg), o.PE, o.Start, o.End, last)
		}
		if test.Uses.Pairs && (o.Partner != cfg.Partner(o.PE) || !test.Everyone && o.PE > o.Partner) {
			t.Errorf("%s: PE %d of pair with %d", name(cfg), o.PE, o.Partner)
		}
	}
}

// Each form of each test notices when one byte at one PE's destination is wrong.
func TestVerificationCatches(t *testing.T) {
	for _, pes := range testrun.Sized([]int{4}, []int{4}, []int{2, 4}) {
		eachConfig(pes, func(cfg Config) {
			cfg.Sabotage = func(segments [][]byte) { segments[pes-1][newPlan(cfg).destAt(0)+cfg.Bytes/2] ^= 0x40 }
			_, err := runTest(t, cfg)
			var wrong *trial.VerifyError
			if !errors.As(err, &wrong) {
				t.Errorf("%s: error %v, want a trial.VerifyError", name(cfg), err)
				return
			}
			if !strings.HasPrefix(wrong.Where, fmt.Sprintf("%s/%s, ", cfg.Test, cfg.Form)) || wrong.Got == wrong.Want {
				t.Errorf("%s: %v", name(cfg), wrong)
			}
		})
	}
}

func TestMaxTimeDecidesIterations(t *testing.T) {
	for _, form := range []Form{Direct, EDT} {
		for _, test := range []string{"putput", "putbw", "reduceinplace"} {
			cfg := Defaults(test)
			cfg.Form, cfg.Sync, cfg.Bytes, cfg.MaxTime = form, Pairwise, 64, 20*time.Millisecond
			opts := inWorkTime(t, &cfg, func() time.Duration { return time.Microsecond })
			r, err := runTest(t, cfg, opts...)
			if err != nil || r.Iterations < 10 || r.Iterations > 20_000 {
				t.Errorf("%s: %d iterations, each takes a microsecond or more, error %v", name(cfg), r.Iterations, err)
			}
			cfg.Iterations = 7
			if r, err = runTest(t, cfg, opts...); err != nil || r.Iterations != 7 {
				t.Errorf("%s: %d iterations, want 7, error %v", name(cfg), r.Iterations, err)
			}
			cfg.Iterations = 1 << 39
			if r, err = runTest(t, cfg, opts...); err != nil || r.Iterations > 40_000 {
				t.Errorf("%s: %d iterations in %v, error %v", name(cfg), r.Iterations, cfg.MaxTime, err)
			}
		}
	}
}

func TestOnePE(t *testing.T) {
	for _, test := range []string{"reduce", "reduceinplace", "randomput", "randomget"} {
		for _, form := range []Form{Direct, EDT} {
			cfg := Defaults(test)
			cfg.Form, cfg.PEs, cfg.Bytes, cfg.MaxTime, cfg.Iterations = form, 1, 512, 0, 50
			checkTest(t, cfg)
		}
	}
}

// A cancelled run ends, though its PEs are in loops and waits, and has no result. In
// the direct form the PEs may be quicker than the run to see it.
func TestCancelledRunEnds(t *testing.T) {
	for _, form := range []Form{Direct, EDT} {
		for _, test := range []string{"putput", "putbw", "reduce"} {
			ctx, cancel := context.WithCancel(t.Context())
			cfg := Defaults(test)
			cfg.Form, cfg.Bytes, cfg.MaxTime, cfg.Iterations = form, 64, 0, 1<<38
			cfg.Done = ctx.Done()
			app := New(cfg)
			time.AfterFunc(5*time.Millisecond, cancel)
			err := runtime.Run(ctx, app.Main(), runtime.Workers(2))
			if !errors.Is(err, context.Canceled) && (err != nil || form == EDT) {
				t.Errorf("%s: Run: %v", name(cfg), err)
			}
			if _, err := app.Result(); !errors.Is(err, trial.ErrIncomplete) {
				t.Errorf("%s: Result: %v, want trial.ErrIncomplete", name(cfg), err)
			}
		}
	}
}
