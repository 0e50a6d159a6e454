package pgas

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// runTest runs one Config on the worker pool, and checks that no object is left.
func runTest(t testing.TB, cfg Config) (Result, error) {
	t.Helper()
	cfg.Done = t.Context().Done()
	testrun.OK(t, cfg.Validate(), "%s", name(cfg))
	var report runtime.Report
	app := New(cfg)
	err := runtime.Run(t.Context(), app.Main(), runtime.Workers(cfg.PEs), runtime.Into(&report), runtime.LeakReport())
	testrun.OK(t, err, "%s", name(cfg))
	testrun.Equal(t, 0, len(report.Leaks), "%s: leaks %v", name(cfg), report.Leaks)
	return app.Result()
}

func name(c Config) string {
	return fmt.Sprintf("%s/%s/%s/pes=%d/bytes=%d/stride=%d", c.Test, c.Form, c.Sync, c.PEs, c.Bytes, c.Stride)
}

// each calls f for every test in all its forms with these sizes, where they are valid.
func each(pes int, sizes []int, f func(Config)) {
	for _, test := range tests {
		syncs := test.Syncs
		if len(syncs) == 0 {
			syncs = []Sync{Pairwise}
		}
		for _, form := range []Form{Direct, EDT} {
			for _, sync := range syncs {
				for k, bytes := range sizes {
					cfg := Defaults(test.Name)
					cfg.Form, cfg.PEs, cfg.Sync, cfg.Bytes, cfg.Iterations = form, pes, sync, bytes, 21
					if cfg.Stride = 1 + k%3; cfg.Validate() == nil {
						f(cfg)
					}
				}
			}
		}
	}
}

// Every test is verified in all its forms: on one PE, on powers of two and other numbers, and on shared processors.
func TestEveryTest(t *testing.T) {
	for pes, sizes := range testrun.Sized(
		map[int][]int{1: {8}, 2: {8, 1000, 20_000}, 4: {256}, 6: {40}},
		map[int][]int{1: {8}, 2: {8, 256, 1000, 20_000}, 3: {264}, 4: {8, 256, 4096}, 8: {40}},
		map[int][]int{1: {8, 1000}, 2: {1, 4, 8, 40, 256, 260, 1000, 4096, 20_000}, 3: {8, 264}, 4: {8, 256, 4096},
			5: {20_000}, 8: {8, 40, 4096}},
	) {
		each(pes, sizes, func(cfg Config) {
			r, err := runTest(t, cfg)
			timed := pes
			if !Lookup(cfg.Test).Everyone {
				timed = pes / 2
			}
			if err != nil || !r.Verified || r.Checked < pes*cfg.Bytes || len(r.Elapsed) != timed || r.Mean() <= 0 {
				t.Errorf("%s: error %v, verified %v, %d bytes, times %v", name(cfg), err, r.Verified, r.Checked, r.Elapsed)
			}
		})
	}
}

// Verification finds a wrong byte where a message or a sum has arrived, and beside it, in the last PE's segment; it
// finds none if checks are off.
func TestVerificationFinds(t *testing.T) {
	const pes = 2
	each(pes, []int{64}, func(cfg Config) {
		if cfg.Test == "putget" || cfg.Test == "randomput" || !Lookup(cfg.Test).Everyone && Lookup(cfg.Test).Gets {
			return // the last PE gets nothing there, or not at that place
		}
		for fault, at := range map[Fault]int{LostByte: 0, LostGuard: -1} {
			cfg.Fault, cfg.NoVerify = fault, false
			r, err := runTest(t, cfg)
			p := newPlan(cfg)
			where := fmt.Sprintf("%s/%s, 64 bytes: PE 1, offset %d", cfg.Test, cfg.Form, p.dest+guard+at)
			var wrong *trial.VerifyError
			if !errors.As(err, &wrong) || wrong.Where != where || wrong.Got == wrong.Want || r.Verified {
				t.Errorf("%s, fault %q: error %v, verified %v", name(cfg), fault, err, r.Verified)
			}
			cfg.NoVerify = true
			if r, err = runTest(t, cfg); err != nil || r.Verified {
				t.Errorf("%s, not verified: error %v", name(cfg), err)
			}
		}
	})
}

// The description by which a segment is verified is exact: in a segment as it must be, each byte that changes is found.
func TestVerify(t *testing.T) {
	const iterations = 30
	each(4, []int{40}, func(cfg Config) {
		p := newPlan(cfg)
		segment := make([]byte, p.bytes)
		if p.prepare(segment, 1); p.test.Kind == Reduction {
			p.expectSum(segment[p.dest:], iterations)
		} else {
			p.expectTransfers(segment[p.dest:], 1, iterations)
		}
		if checked, err := p.verify(segment, 1, iterations); err != nil || checked != p.bytes-p.dest {
			t.Fatalf("%s: %d bytes, error %v", name(cfg), checked, err)
		}
		for at := p.dest; at < p.bytes; at += max(1, (p.bytes-p.dest)/(1<<20/(p.bytes-p.dest)+4)) {
			segment[at] ^= 0x40
			if _, err := p.verify(segment, 1, iterations); err == nil {
				t.Fatalf("%s: the change at %d is not found", name(cfg), at-p.dest)
			}
			segment[at] ^= 0x40
		}
	})
}

// A transfer that is left out is found, as what should arrive differs from what was there, also when draws repeat.
func TestLostTransfersShow(t *testing.T) {
	each(2, []int{64}, func(cfg Config) {
		p := newPlan(cfg)
		if p.test.Kind == Reduction {
			return
		}
		draws := p.drawAll(0)
		for i := range 20 {
			old, new := p.transfer(0, i, draws), p.transfer(0, i+p.depth(), draws)
			if old.dst != new.dst || old.to != new.to {
				t.Fatalf("%s: message %d goes to %v, its successor to %v", name(cfg), i, old, new)
			}
			a, b := make([]byte, 64), make([]byte, 64)
			pattern(a, old.from, old.src)
			pattern(b, new.from, new.src)
			if firstDifference(a, b) < 0 && (!p.test.Random || !p.test.Gets) {
				t.Fatalf("%s: message %d is as its successor", name(cfg), i)
			}
		}
	})
}

// Draws are multiples of 8 in the segment, of puts in the origin's own region; another seed has others.
func TestDraws(t *testing.T) {
	for _, test := range []string{"randomput", "randomget"} {
		cfg := Defaults(test)
		cfg.PEs, cfg.Bytes = 3, 1000
		p := newPlan(cfg)
		var targets [3]int
		for pe := range cfg.PEs {
			base := 0
			if !p.test.Gets {
				base = p.dest + guard + pe*p.region
			}
			for _, d := range p.drawAll(pe) {
				targets[d.pe]++
				if d.pe == pe || d.at < base || d.at+cfg.Bytes > base+p.region || d.at%8 != 0 {
					t.Fatalf("%s: PE %d draws %+v", test, pe, d)
				}
			}
		}
		cfg.Seed = 2
		if a, b := p.drawAll(0), newPlan(cfg).drawAll(0); a[0] == b[0] && a[1] == b[1] {
			t.Errorf("%s: seeds 1 and 2 draw the same", test)
		}
		if targets[0] == 0 || targets[1] == 0 || targets[2] == 0 {
			t.Errorf("%s: PEs are drawn %v times", test, targets)
		}
	}
}

// No EDT of the edt form may run after its PE has ended. The search postpones one EDT at a time until no other can run.
func TestSchedules(t *testing.T) {
	schedules := testrun.Sized(20, 30, 10_000)
	each(4, []int{64}, func(cfg Config) {
		if cfg.Iterations = 1; cfg.Form == Direct {
			return
		}
		edttest.Explore(t, func(trial *edttest.Trial) edt.Func {
			app := New(cfg)
			trial.Check(func() error {
				_, err := app.Result()
				return err
			})
			return app.Main()
		}, edttest.Workers(cfg.PEs), edttest.NoLeaks(), edttest.Seeds(0), edttest.MaxSchedules(schedules))
	})
}

// A cancelled run ends, wherever its PEs are, and is incomplete.
func TestCancelled(t *testing.T) {
	for _, test := range []string{"putbw", "putput", "reduce", "randomget"} {
		for _, form := range []Form{Direct, EDT} {
			cfg := Defaults(test)
			cfg.Form, cfg.Iterations = form, MaxIterations/2
			ctx, cancel := context.WithCancel(t.Context())
			cfg.Done = ctx.Done()
			app := New(cfg)
			time.AfterFunc(20*time.Millisecond, cancel)
			err := runtime.Run(ctx, app.Main(), runtime.Workers(2))
			if _, incomplete := app.Result(); err != nil && !errors.Is(err, context.Canceled) ||
				!errors.Is(incomplete, trial.ErrIncomplete) {
				t.Errorf("%s: run %v, result %v", name(cfg), err, incomplete)
			}
			cancel()
		}
	}
}

// Figures of a result are those of the seed's formulas, over all PEs that call. A slice counts its own iterations.
func TestFigures(t *testing.T) {
	cfg := Defaults("putbw")
	cfg.Bytes, cfg.Iterations = 1e6, 10
	r := Result{Config: cfg}
	r.add([]int64{0, 4e8, 8e8, 1e9}, 4)
	r.add([]int64{1e9, 3e9}, 10)
	testrun.Same(t, [2]float64{1.5e8, 15}, [2]float64{r.MeanNs(), r.MBPerSecond()}, "ns, MB/s")
	testrun.Same(t, "[1e+08 1e+08 1e+08 2e+08]", fmt.Sprint(r.Slices), "slices")
}

// The end of a slice takes as long as several short operations: they are not alone in a slice of the direct form.
func TestSlices(t *testing.T) {
	for _, c := range []struct {
		form                    Form
		bytes, iterations, want int
	}{
		{Direct, 8, 100, 100}, {Direct, 8, 1001, 1001}, {Direct, 8, 2500, 1250},
		{Direct, 8, 1e6, 1e4}, {Direct, 1 << 20, 100, 1},
		{Direct, 64 << 10, 100, 5}, {EDT, 8, 100, 1}, {EDT, 8, 101, 2},
	} {
		cfg := Defaults("putbw")
		cfg.Form, cfg.Bytes, cfg.Iterations = c.form, c.bytes, c.iterations
		testrun.Equal(t, c.want, newPlan(cfg).slice(), "%+v: iterations of a slice", c)
	}
}

// A run that does not begin has no result, not that of the run before.
func TestNotBegun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	app := New(Defaults("putbw"))
	testrun.OK(t, runtime.Run(t.Context(), app.Main(), runtime.Workers(2)))
	testrun.Is(t, runtime.Run(ctx, app.Main(), runtime.Workers(2)), context.Canceled)
	_, err := app.Result()
	testrun.Is(t, err, trial.ErrIncomplete, "Result")
}
