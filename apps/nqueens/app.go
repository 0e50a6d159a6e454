package nqueens

import (
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

// An App is a board to place queens on: a [trial.App].
type App struct {
	trial.Clock
	cfg  Config
	ways uint64 // that the latest run has counted
}

var _ trial.App = (*App)(nil)

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App { return &App{cfg: cfg} }

// Work returns in how many ways the queens can be placed.
func (a *App) Work() (amount float64, unit string) { return float64(known[a.cfg.N]), "solutions" }

// Main returns the main EDT: it makes the graph, and an EDT that takes the sum out.
func (a *App) Main() edt.Func {
	a.Clock = trial.Clock{}
	return task.Main(func(c *edt.Ctx) {
		a.Begin()
		sum := task.Once[uint64](c)
		trial.Take(c, &a.Clock, sum, func(ways []uint64) { a.ways = ways[0] })
		buildGraph(c, a.cfg.empty(), sum)
	})
}
