package pgas

import (
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
)

// TestSchedules: no EDT of the edt form may come so late that its PE has ended. The search postpones one EDT at a time
// until nothing else can run.
func TestSchedules(t *testing.T) {
	for _, test := range tests {
		cfg := Defaults(test.Name)
		cfg.Form, cfg.PEs, cfg.MaxTime, cfg.Iterations = EDT, 4, 0, 1
		cfg.Bytes = 64
		for _, cfg := range synced(test, cfg) {
			if cfg.Validate() == nil {
				explore(t, cfg)
			}
		}
	}
}

func explore(t *testing.T, cfg Config) {
	t.Helper()
	schedules := testrun.Sized(20, 30, 10_000)
	edttest.Explore(t, func(trial *edttest.Trial) edt.Func {
		app := New(cfg)
		trial.Check(func() error {
			_, err := app.Result()
			return err
		})
		return app.Main()
	}, edttest.Workers(cfg.PEs), edttest.NoLeaks(), edttest.Seeds(0), edttest.MaxSchedules(schedules))
}
