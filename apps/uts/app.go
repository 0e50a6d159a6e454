package uts

import (
	"sync"

	"ocr/apps/trial"
)

// An App searches one tree. It is a [trial.App].
type App struct {
	trial.Clock
	cfg      Config
	found    Counts
	expected func() Counts
}

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App {
	return &App{cfg: cfg, expected: sync.OnceValue(cfg.count)}
}

// Forms returns the forms without EDTs.
func (a *App) Forms() []trial.Form {
	return []trial.Form{
		{Name: trial.Serial, Run: a.serial},
		{Name: trial.Naive, Run: a.naive},
		{Name: trial.Pooled, Run: a.pooled},
	}
}

// Found is what the latest run has counted.
func (a *App) Found() Counts { return a.found }

// Work returns how many nodes the tree has.
func (a *App) Work() (amount float64, unit string) { return float64(a.found.Nodes), "nodes" }
