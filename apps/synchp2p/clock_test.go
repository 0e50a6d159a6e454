//go:build mpi

package synchp2p

import (
	"testing"
	"time"

	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank/mpi"
	"ocr/runtime"
)

// One process times a run over two: the clock of the other process may be another machine's.
func TestOneClock(t *testing.T) {
	if !mpi.Launched() {
		testrun.AsRanks(t, 2)
		return
	}
	if mpi.IsChild() {
		now = func() int64 { return trial.Now() + int64(time.Hour) }
	}
	pool, err := runtime.New(runtime.Ranks(2), runtime.Workers(1))
	testrun.OK(t, err)
	defer func() { testrun.OK(t, pool.Close()) }()
	for _, form := range formsOverRanks {
		for _, place := range placements {
			cfg := form.in(Defaults())
			cfg.Place, cfg.Timesteps = place, 3
			app := New(cfg)
			began := time.Now()
			err := pool.Run(t.Context(), app.Main())
			testrun.OK(t, err)
			if r, err := app.Result(); err != nil || r.Elapsed <= 0 || r.Elapsed > time.Since(began) {
				t.Errorf("%v: %v, error %v", cfg, r.Elapsed, err)
			}
		}
	}
}
