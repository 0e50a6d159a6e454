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

// Found is what the latest run has counted.
func (a *App) Found() Counts { return a.found }

// Work returns how many nodes the tree has.
func (a *App) Work() (amount float64, unit string) { return float64(a.found.Nodes), "nodes" }
