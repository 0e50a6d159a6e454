package stencil2d

import (
	"fmt"
	"math"
	"slices"

	"ocr/apps/trial"
)

// Verify compares the result of the latest run, bit for bit, with that of plain loops over the whole grid, which it
// runs at its first call.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	if a.want == nil {
		a.want = a.literal()
	}
	if got, want := len(a.got.residuals), a.cfg.Steps; got != want {
		return trial.Wrong(appName, "steps", got, want)
	}
	for step, want := range a.want.residuals {
		if got := a.got.residuals[step]; math.Float64bits(got) != math.Float64bits(want) {
			return trial.Wrong(appName, fmt.Sprintf("the residual of step %d", step+1), got, want)
		}
	}
	for row := range a.cfg.Size {
		for column := range a.cfg.Size {
			at := (row+1)*a.cfg.stride() + column + 1
			if got, want := a.got.grid[at], a.want.grid[at]; math.Float64bits(got) != math.Float64bits(want) {
				return trial.Wrong(appName, fmt.Sprintf("row %d, column %d", row, column), got, want)
			}
		}
	}
	return nil
}

// literal computes all steps by the formula as it is written, without the kernel: verification does not trust what it
// verifies. Only the order in which it adds up a residual is that of the tiles.
func (a *App) literal() *result {
	stride, tiles := a.cfg.stride(), a.cfg.tiles()
	from, to := slices.Clone(a.input), slices.Clone(a.input)
	residuals := make([]float64, a.cfg.Steps)
	for step := range residuals {
		parts := make([]float64, tiles)
		for row := range a.cfg.Size {
			for column := range a.cfg.Size {
				at := (row+1)*stride + column + 1
				to[at] = 0.25 * ((from[at-stride] + from[at+stride]) + (from[at-1] + from[at+1]))
				change := to[at] - from[at]
				tile := row/a.cfg.Tile*a.cfg.perSide() + column/a.cfg.Tile
				parts[tile] += float64(change * change)
			}
		}
		for _, part := range parts {
			residuals[step] += part
		}
		from, to = to, from
	}
	return &result{from, residuals}
}
