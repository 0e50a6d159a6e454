package smithwaterman

import (
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

// An App is two strings to align: a [trial.App].
type App struct {
	trial.Clock
	cfg  Config
	a, b []border // a has the rows of the table, b the columns
	got  outcome  // of the latest run
	want *outcome // what verification has computed
}

var _ trial.App = (*App)(nil)

// New returns an App for a Config that [Config.Validate] has accepted, with its strings.
func New(cfg Config) *App {
	app := &App{cfg: cfg}
	app.a, app.b = cfg.newStrings()
	return app
}

// Work returns how many scores the table has.
func (a *App) Work() (amount float64, unit string) {
	return float64(a.cfg.Length) * float64(a.cfg.Length), "cells"
}

// Main returns the main EDT: it puts the strings into blocks, and makes the graph and an EDT that takes the result.
func (a *App) Main() edt.Func {
	a.Clock = trial.Clock{}
	return task.Main(func(c *edt.Ctx) {
		var columns []setup
		below := task.Block[strip]{}
		for k := range a.cfg.perSide() {
			from, n := k*a.cfg.Tile, a.cfg.size(k)
			own, links, borders := task.MakeHeaded[links, border](c, n)
			copy(borders, a.b[from:])
			columns = append(columns, setup{own, links})
		}
		for k := a.cfg.perSide() - 1; k >= 0; k-- {
			from, n := k*a.cfg.Tile, a.cfg.size(k)
			s, head, borders := task.MakeHeaded[passing, border](c, n)
			head.Row, head.Below = int32(k), below
			copy(borders, a.a[from:])
			s.Release(c)
			below = s
		}
		a.Begin()
		result := buildGraph(c, a.cfg, columns, below)
		trial.Take(c, &a.Clock, result, func(got []outcome) { a.got = got[0] })
	})
}

// Result describes the result of the latest run: the best score, and where the alignment that has it ends.
func (a *App) Result() string { return a.got.String() }
