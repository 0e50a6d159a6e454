package edttest_test

import (
	"testing"

	"ocr/apps/synchp2p"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
)

// The project's model app does not depend on the schedule. It has more phases than ranks, for which a pool of one
// buffer for each rank would not be enough.
func TestSynchP2P(t *testing.T) {
	for _, form := range []struct {
		channels bool
		clone    synchp2p.CloneForm
	}{
		{false, synchp2p.CloneNew}, {false, synchp2p.CloneAgain}, {true, synchp2p.CloneNew}, {true, synchp2p.CloneAgain},
	} {
		for _, opts := range [][]edttest.Option{{edttest.Workers(2)}, {edttest.Workers(3)},
			{edttest.Pruned()}} {
			cfg := synchp2p.Config{
				Ranks: 2, ColumnsPerRank: 2, RowsPerBlock: 2, Phases: 3, Timesteps: 2,
				Place: synchp2p.PlaceNone, Channels: form.channels, Clone: form.clone,
			}
			r := edttest.Explore(t, func(trial *edttest.Trial) edt.Func {
				app := synchp2p.New(cfg)
				trial.Check(func() error {
					_, err := app.Result()
					return err
				})
				return app.Main()
			}, append(opts, edttest.NoLeaks(), edttest.MaxSchedules(testrun.Sized(500, 500, 20_000)))...)
			if r.Schedules < 10 {
				t.Errorf("%v: %v", form, r)
			}
		}
	}
}
