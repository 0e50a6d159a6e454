package stencil2d

import (
	"fmt"

	"ocr/apps/trial"
)

const appName = "stencil2d"

// Config describes a grid, and how it is cut into tiles.
type Config struct {
	Size  int    `flag:"size" short:"n" usage:"rows and columns of the grid, without its border"`
	Tile  int    `flag:"tile" short:"t" usage:"rows and columns of a tile"`
	Steps int    `flag:"steps" usage:"steps"`
	Seed  uint64 `flag:"seed" usage:"seed of the values that the grid begins with"`
}

// Defaults returns a grid of 1000 x 1000 points, in 16 tiles of 250 x 250, for 100 steps.
func Defaults() Config { return Config{Size: 1000, Tile: 250, Steps: 100, Seed: 1} }

// Bounds of a Config. The largest grid takes 3 GiB, input, tiles and results together, and
// a step of it a tenth of a second.
const (
	maxSize    = 8_000
	maxPerSide = 64
	maxSteps   = 10_000
)

// Fit returns c with the tile, unless that is given, no larger than the grid.
func (c Config) Fit(given func(flag string) bool) Config {
	if !given("tile") {
		c.Tile = min(c.Tile, c.Size)
	}
	return c
}

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run.
func (c Config) Validate() error {
	least := max(1, (c.Size+maxPerSide-1)/maxPerSide)
	return trial.First(appName,
		trial.Range("size", c.Size, 1, maxSize),
		trial.Refuse(c.Tile < least || c.Tile > c.Size, "tile", c.Tile,
			fmt.Sprintf("%d..%d: no more than the grid has, and at most %d tiles a side", least, c.Size, maxPerSide)),
		trial.Range("steps", c.Steps, 1, maxSteps))
}

// perSide returns how many tiles there are in a row or column of tiles, and tiles how many in all.
func (c Config) perSide() int { return (c.Size + c.Tile - 1) / c.Tile }
func (c Config) tiles() int   { return c.perSide() * c.perSide() }

// stride is how many points a row of the grid has with its border.
func (c Config) stride() int { return c.Size + 2 }

// area returns where in the grid, which has a border, a tile lies: its first point and its extent. The last
// tiles of a row or column of tiles may have less than the others.
func (c Config) area(tile int) (first int, e extent) {
	row, column := tile/c.perSide()*c.Tile, tile%c.perSide()*c.Tile
	e = extent{int32(min(c.Tile, c.Size-row)), int32(min(c.Tile, c.Size-column))}
	return row*c.stride() + column, e
}

// place returns where a tile is among the tiles.
func (c Config) place(tile int) place {
	return place{int32(tile / c.perSide()), int32(tile % c.perSide())}
}

// neighbour returns the tile beside a side of a tile, if there is one.
func (c Config) neighbour(tile, side int) (other int, ok bool) {
	n := c.perSide()
	switch row, column := tile/n, tile%n; side {
	case above:
		return tile - n, row > 0
	case below:
		return tile + n, row < n-1
	case left:
		return tile - 1, column > 0
	default:
		return tile + 1, column < n-1
	}
}
