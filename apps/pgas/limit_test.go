package pgas

import (
	"math/rand/v2"
	"testing"
	"time"

	"ocr/runtime"
)

// Whenever the time is over, and however far the PEs are, all of them stop after the same number of
// iterations.
func TestLimitIsTheSameForAll(t *testing.T) {
	cfg := Defaults("putbw")
	cfg.Window = 4
	p := newPlan(cfg)
	random := rand.New(rand.NewPCG(3, 4))
	stopped := 0
	for range 2000 {
		const n, pes = 1000, 4
		var l limit
		l.begin(time.Hour)
		var done [pes]int
		var ended [pes]bool
		for turn, left := 0, pes; left > 0; turn++ {
			if turn == 30 {
				l.over.Store(1)
			}
			pe := random.IntN(pes)
			if ended[pe] {
				continue
			}
			next := l.extend(p, done[pe], n, true)
			if next == done[pe] {
				ended[pe] = true
				left--
			}
			done[pe] = next
		}
		if done != [pes]int{done[0], done[0], done[0], done[0]} || done[0] < 1 || done[0]%4 != 0 {
			t.Fatalf("ended after %v iterations", done)
		}
		if done[0] < n {
			stopped++
		}
	}
	if stopped < 1000 {
		t.Errorf("%d of 2000 were stopped", stopped)
	}
}

// A timed part that takes longer than the calibration says is cut, and what
// was executed is reported and verified.
func TestMaxTimeCutsTheTimedPart(t *testing.T) {
	for _, test := range []string{"putbw", "putput", "putbibw"} {
		for _, given := range []int{1500, 3000} {
			cfg := Defaults(test)
			cfg.Bytes, cfg.MaxTime, cfg.Iterations = 8, 5*time.Millisecond, given
			cfg.Wait, cfg.Done = systemWaiter, t.Context().Done()
			var app *App
			opts := inWorkTime(t, &cfg, func() time.Duration {
				if app.limit != nil && app.limit.over.Load() != 0 {
					return 20 * time.Microsecond // in the timed part
				}
				return time.Microsecond
			})
			app = New(cfg)
			if err := runtime.Run(t.Context(), app.Main(), append(opts, runtime.Workers(2))...); err != nil {
				t.Fatal(err)
			}
			r, err := app.Result()
			if planned := app.tallies[0].planned; err != nil || !r.Verified || r.Iterations >= planned || r.Iterations == 0 {
				t.Errorf("%s: %d iterations of %d, error %v", name(cfg), r.Iterations, planned, err)
			}
		}
	}
}
