package fft

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/harness/trialtest"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plan has transforms of a point, of one chunk, of the shortest chunks, and of many.
var plan = trialtest.Plan[Config, *App]{
	New:   New,
	Spoil: func(a *App) { clear(a.spectrum) },
	Valid: []Config{Defaults()},
	Forms: []Config{
		{1, 1}, {2, 1}, {2, 2}, {2, 4}, {4, 1}, {4, 2}, {8, 8}, {8, 2}, {64, 1}, {256, 32}, {1 << 12, 1 << 6},
		{1 << 14, 1 << 12},
	},
	Checked:    []Config{{256, 32}},
	Incomplete: []Config{{64, 1}},
	Ranks:      []Config{{1 << 10, 1 << 6}},
	Refused: map[string]Config{
		"fft: --points 0: must be a power of two, 1 to 67108864":                                {0, 1},
		"fft: --points -8: must be a power of two, 1 to 67108864":                               {-8, 1},
		"fft: --points 1000: must be a power of two, 1 to 67108864":                             {1000, 8},
		"fft: --points 134217728: must be a power of two, 1 to 67108864":                        {1 << 27, 1 << 20},
		"fft: --cutoff 0: must be a power of two":                                               {8, 0},
		"fft: --cutoff 12: must be a power of two":                                              {8, 12},
		"fft: --cutoff 8: must be a power of two that cuts the points into 65536 parts at most": {1 << 20, 8},
	},
}

func TestApp(t *testing.T) { plan.Test(t) }

func (c Config) String() string { return fmt.Sprintf("%d points by %d", c.Points, c.Cutoff) }

// Main, whole and deliver; a leaf a chunk; a split for each part of more chunks; the butterflies.
func TestEDTs(t *testing.T) {
	for _, cfg := range plan.Forms {
		var report runtime.Report
		if err := runtime.Run(t.Context(), New(cfg).Main(), runtime.Workers(2), runtime.Into(&report)); err != nil {
			t.Fatal(err)
		}
		chunks := uint64(cfg.chunks())
		levels := uint64(math.Log2(float64(chunks)))
		if want := 3 + chunks + chunks - 1 + levels*chunks/2; report.Counters.EDTRun != want {
			t.Errorf("%v: %d EDTs, want %d", cfg, report.Counters.EDTRun, want)
		}
	}
}

// A transform that is worked out by hand.
func TestSpectrum(t *testing.T) {
	app := New(Config{Points: 4, Cutoff: 1})
	copy(app.input, []complex128{1, 2i, -3, 4})
	for _, f := range trialtest.AllForms(app) {
		if err := f.Run(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		for k, want := range []complex128{2 + 2i, 6 + 4i, -6 - 2i, 2 - 4i} {
			if got := app.Spectrum(k); !near(got, want, 4, 4) {
				t.Errorf("%s: frequency %d: %v, want %v", f.Name, k, got, want)
			}
		}
	}
}

func TestVerifyFindsWrongSpectra(t *testing.T) {
	for _, points := range []int{1 << 8, 1 << 12} {
		app := New(Config{Points: points, Cutoff: 16})
		for name, spoil := range map[string]func(){
			"a value":  func() { app.spectrum[points/3] += 1e-9 },
			"an order": func() { app.spectrum[1], app.spectrum[2] = app.spectrum[2], app.spectrum[1] },
			"nothing":  func() { copy(app.spectrum, app.input) },
			// The inverse cannot see this: it has the same roots.
			"roots": func() { app.roots = make([]complex128, points); app.serial(t.Context(), 1) },
		} {
			if err := app.serial(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			spoil()
			var wrong *trial.VerifyError
			if err := app.Verify(); !errors.As(err, &wrong) {
				t.Errorf("%d points, spoiled %s: error %v", points, name, err)
			}
			app.roots = twiddles(points)
		}
	}
}

func TestSabotaged(t *testing.T) {
	for _, points := range []int{1 << 8, 1 << 12} {
		app := New(Config{Points: points, Cutoff: 16})
		slightly := func(v complex128) complex128 { return v * (1 + 1e-6) }
		trialtest.Sabotaged(t, app, slightly, func() (all []*complex128) {
			for k := 0; k < points; k += 1 + points/500 {
				all = append(all, &app.spectrum[k])
			}
			return all
		})
	}
}

func TestAnySchedule(t *testing.T) {
	for _, cfg := range []Config{{2, 1}, {4, 1}, {16, 4}} {
		edttest.Explore(t, func(trial *edttest.Trial) edt.Func {
			app := New(cfg)
			trial.Check(app.Verify)
			trial.Same("spectrum", func() any { return app.spectrum })
			return app.Main()
		}, edttest.NoLeaks(), edttest.MaxSchedules(600))
	}
}

// On every level each worker gets as many butterflies as the others.
func TestWorkIsDealtOut(t *testing.T) {
	const chunks, places = 16, 4
	for _, ranks := range []int{1, 2, 4} {
		for count := chunks; count > 1; count /= 2 {
			var dealt [places]int
			for first := 0; first < chunks; first += count {
				p := part{First: first, Count: count, All: chunks}
				for n := range count / 2 {
					if count > p.run(ranks) {
						dealt[p.together(n, places, ranks)]++
					} else {
						dealt[p.home(first+2*n, places)]++
					}
				}
			}
			for worker, n := range dealt {
				if n != chunks/2/places {
					t.Errorf("%d ranks, parts of %d chunks: worker %d has %d butterflies of %d", ranks, count, worker, n, chunks/2)
				}
			}
		}
	}
}
