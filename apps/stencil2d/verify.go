package stencil2d

import (
	"cmp"
	"fmt"
	"slices"

	"ocr/apps/trial"
)

// Verify compares the result of the latest run, bit for bit, with that of plain loops over the whole grid, which it
// runs at its first call.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	want := a.want()
	return cmp.Or(
		trial.SameBits(appName, a.got.residuals, want.residuals, func(step int) string {
			return fmt.Sprintf("the residual of step %d", step+1)
		}),
		trial.SameBits(appName, a.got.grid, want.grid, func(at int) string {
			return fmt.Sprintf("row %d, column %d", at/a.cfg.stride()-1, at%a.cfg.stride()-1)
		}))
}

// literal computes all steps by the formula as it is written, without the kernel: verification does not trust what it
// verifies. Only the order in which it adds up a residual is that of the tiles.
func (a *App) literal() result {
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
	return result{from, residuals}
}
