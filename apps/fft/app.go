package fft

import (
	"math/rand/v2"

	"ocr/apps/trial"
)

// An App transforms the same points again and again. It is a [trial.App].
type App struct {
	trial.Clock
	cfg      Config
	input    []complex128
	roots    []complex128
	spectrum []complex128
}

// New returns an App for a Config that [Config.Validate] has accepted. The points are drawn from the square
// around 0, always the same.
func New(cfg Config) *App {
	n := cfg.Points
	a := &App{cfg: cfg, input: make([]complex128, n), roots: twiddles(n), spectrum: make([]complex128, 0, n)}
	draw := rand.New(rand.NewPCG(1, uint64(n)))
	for k := range a.input {
		a.input[k] = complex(2*draw.Float64()-1, 2*draw.Float64()-1)
	}
	return a
}

// Spectrum returns frequency k of the latest run's result.
func (a *App) Spectrum(k int) complex128 { return a.spectrum[reversed(k, a.cfg.Points)] }

// Work returns how many points there are.
func (a *App) Work() (amount float64, unit string) { return float64(a.cfg.Points), "points" }
