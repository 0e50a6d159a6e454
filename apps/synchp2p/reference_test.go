package synchp2p

import (
	"context"
	"errors"
	"testing"

	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

type reference struct {
	name string
	run  func(context.Context, Config) (Result, error)
}

var references = []reference{{"serial", Serial}, {"goroutines", Goroutines}}

func TestReferences(t *testing.T) {
	for _, ref := range references {
		t.Run(ref.name, func(t *testing.T) {
			eachShape(func(cfg Config) {
				r, err := ref.run(t.Context(), cfg)
				checkResult(t, cfg, r, err)
			})
			cfg := Defaults()
			cfg.Columns = 53
			r, err := ref.run(t.Context(), cfg)
			checkResult(t, cfg, r, err)
			if r.Elapsed <= 0 || r.MFlops() <= 0 || r.NsPerEDT() <= 0 {
				t.Errorf("elapsed %v, %v Mflop/s, %v ns per EDT", r.Elapsed, r.MFlops(), r.NsPerEDT())
			}
		})
	}
}

// countdown is a context that is cancelled when it was asked a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestReferencesCancelled(t *testing.T) {
	cfg := Defaults()
	for _, ref := range references {
		for _, after := range []int{0, 1, 7, 99} {
			_, err := ref.run(&countdown{t.Context(), after}, cfg)
			testrun.Is(t, err, context.Canceled, "%s cancelled after %d timesteps: error", ref.name, after)
		}
		if _, err := ref.run(&countdown{t.Context(), 100}, cfg); err != nil {
			t.Errorf("%s looks at ctx more than once a timestep: %v", ref.name, err)
		}
	}
}

func TestReferencesRefuseBadConfig(t *testing.T) {
	for _, ref := range references {
		var bad *trial.ConfigError
		if _, err := ref.run(t.Context(), Config{}); !errors.As(err, &bad) {
			t.Errorf("%s of the zero Config: %v, want a *trial.ConfigError", ref.name, err)
		}
	}
}
