package cholesky

import (
	"fmt"

	"ocr/apps/trial"
)

const appName = "cholesky"

// Config describes a problem and how it is cut into tasks.
type Config struct {
	Size int `flag:"size" short:"n" usage:"rows and columns of the matrix"`
	Tile int `flag:"tile" short:"t" usage:"rows and columns of a tile"`
}

// Defaults returns a matrix of 2000 x 2000 in tiles of 100 x 100, which is 1540 tasks.
func Defaults() Config { return Config{Size: 2000, Tile: 100} }

// Bounds of a Config. The largest matrix takes 4 GiB as input, tiles, result and what that is compared
// with, and some hours; as many tiles as are allowed a side make 1.4 million EDTs at once.
const (
	maxSize    = 16_384
	maxPerSide = 200
)

// Fit returns c with the tile, unless that is given, no larger than the matrix.
func (c Config) Fit(given func(flag string) bool) Config {
	if !given("tile") {
		c.Tile = min(c.Tile, c.Size)
	}
	return c
}

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run.
func (c Config) Validate() error {
	err := trial.First(appName,
		trial.Range("size", c.Size, 1, maxSize), trial.Range("tile", c.Tile, 1, max(c.Size, 1)))
	if err != nil {
		return err
	}
	return trial.First(appName, trial.Refuse(c.perSide() > maxPerSide, "tile", c.Tile,
		fmt.Sprintf("%d..%d: at most %d tiles a side", (c.Size+maxPerSide-1)/maxPerSide, c.Size, maxPerSide)))
}

// perSide returns how many tiles there are in a row or column of the matrix.
func (c Config) perSide() int { return (c.Size + c.Tile - 1) / c.Tile }

// rows returns how many rows the tiles of a row of tiles have, and columns those of a column of
// tiles: the last may have less than the others.
func (c Config) rows(tileRow int) int { return min(c.Tile, c.Size-tileRow*c.Tile) }
