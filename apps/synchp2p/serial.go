package synchp2p

import (
	"context"

	"ocr/apps/trial"
)

// Serial solves the problem in a plain loop over the whole grid on the calling goroutine: the form that all others are
// compared with. P, K, B and W only give the grid its size. It checks ctx between timesteps.
func Serial(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(0); err != nil {
		return Result{}, err
	}
	rows, columns := c.GridRows(), c.GridColumns()
	grid, edge := make([]float64, rows*columns), make([]float64, rows)
	initStrip(grid, columns, 0)
	o, err := c.repeat(ctx, grid, func() float64 {
		sweepFirst(grid, columns, 0, edge)
		return edge[rows-1]
	})
	if err != nil {
		return Result{}, err
	}
	o.compare(rows, columns, c.Timesteps, func(int) []float64 { return grid })
	return c.finish(o)
}

// repeat does all timesteps. timestep does one and returns the corner, which goes into the first point of rank 0's
// strip for the next one.
func (c Config) repeat(ctx context.Context, strip []float64, timestep func() (corner float64)) (o outcome, err error) {
	start, corner := int64(0), 0.0
	for t := range c.Timesteps {
		if err := ctx.Err(); err != nil {
			return o, err
		}
		if t <= 1 {
			start = trial.Now()
		}
		if t > 0 {
			strip[0] = -corner
		}
		corner = timestep()
	}
	o.elapsed = trial.Now() - start
	return o, nil
}
