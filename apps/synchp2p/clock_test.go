package synchp2p

import (
	goruntime "runtime"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// A run over two processes is timed by one clock: that of the other may be another machine's.
func TestOneClock(t *testing.T) {
	if goruntime.GOOS != "linux" {
		t.Skip("several ranks need Linux")
	}
	t.Setenv(otherClock, "1")
	job, err := runtime.StartJob(2)
	testrun.OK(t, err)
	defer func() {
		if err := job.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, form := range formsOverRanks {
		for _, place := range placements {
			cfg := form.in(Defaults())
			cfg.Place, cfg.Timesteps, cfg.CheckGrid = place, 3, true
			app := New(cfg)
			began := time.Now()
			err := runtime.Run(t.Context(), app.Main(), job.Option(), runtime.Workers(1), runtime.LeakReport())
			testrun.OK(t, err)
			if r, err := app.Result(); err != nil || r.Elapsed <= 0 || r.Elapsed > time.Since(began) {
				t.Errorf("%v: %v, error %v", cfg, r.Elapsed, err)
			}
		}
	}
}
