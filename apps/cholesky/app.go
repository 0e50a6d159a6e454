package cholesky

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
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

// Main returns the main EDT: it puts the matrix into blocks, and makes the graph and an EDT that
// takes the factor out.
func (a *App) Main() edt.Func {
	a.Clock = trial.Clock{}
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		var tiles []task.Block[float64]
		for _, row := range a.input {
			for _, tile := range row {
				block, elements := task.Make[float64](c, len(tile))
				copy(elements, tile)
				block.Release(c)
				tiles = append(tiles, block)
			}
		}
		a.Begin()
		factor, used := buildGraph(c, a.cfg, tiles)
		trial.Collect(c, "cholesky.deliver", &a.Clock, append(trial.Blocks(nil, factor...), used...), a.deliver)
		return guid.Null
	}
}

// deliver takes the factor out of its blocks.
func (a *App) deliver(_ *edt.Ctx, in edt.Args) {
	for i, row := range a.factor {
		for j, tile := range row {
			copy(tile, datablock.Slice[float64](in.Dep(i*(i+1)/2+j)))
		}
	}
}
