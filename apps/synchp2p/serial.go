package synchp2p

import (
	"context"

	"ocr/apps/trial"
)

// Serial solves the problem in a plain loop over the whole grid on the calling
// goroutine: the form that all others are compared with. P, K, B and W only give the
// grid its size. ctx is looked at between timesteps.
func Serial(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(0); err != nil {
		return Result{}, err
	}
	rows, columns := c.GridRows(), c.GridColumns()
	grid := make([]float64, rows*columns)
	initStrip(grid, columns, 0)
	edge := make([]float64, rows)
	o := outcome{corners: newCornerLog(c)}
	var start int64
	for t := range c.Timesteps {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if t <= 1 {
			start = trial.Now()
		}
		if t > 0 {
			grid[0] = -o.corners.last
		}
		sweepFirst(grid, columns, 0, edge)
		o.corners.note(edge[rows-1])
	}
	o.elapsed = trial.Now() - start
	whole := c
	whole.Ranks, whole.Columns = 1, columns
	whole.checkGrid(&o, func(int) []float64 { return grid })
	return c.finish(o)
}
