package cholesky

import (
	"slices"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

// An App is a matrix to factor: a [trial.App].
type App struct {
	trial.Clock
	cfg    Config
	input  matrix
	factor matrix // of the latest run
	want   matrix // what verification has computed
}

var _ trial.App = (*App)(nil)

// New returns an App for a Config that [Config.Validate] has accepted, with its matrix.
func New(cfg Config) *App { return &App{cfg: cfg, input: cfg.newInput(), factor: cfg.newMatrix()} }

// Work returns the floating-point operations of a factorisation, n^3/3.
func (a *App) Work() (amount float64, unit string) {
	n := float64(a.cfg.Size)
	return n * n * n / 3, "flop"
}

// Main returns the main EDT: it puts the matrix into blocks, each where the tasks on it are, makes the graph, and has
// the factor brought back.
func (a *App) Main() edt.Func {
	a.Clock = trial.Clock{}
	return task.Main(func(c *edt.Ctx) {
		var places []edt.Affinity
		for i := range a.input {
			for range i + 1 {
				places = append(places, c.Place(a.cfg.placeOf(i, c.Places())))
			}
		}
		at := func(k int) edt.Affinity { return places[k] }
		trial.Scatter(c, slices.Concat(a.input...), at, func(c *edt.Ctx, tiles []task.Block[float64]) {
			a.Begin()
			factor, used := buildGraph(c, a.cfg, tiles)
			trial.Gather(c, "cholesky.deliver", &a.Clock, factor, slices.Concat(a.factor...), at, used...)
		})
	})
}
