package smithwaterman

import (
	"fmt"

	"ocr/apps/trial"
)

const appName = "smithwaterman"

// Config describes two strings, and how the table of their scores is cut.
type Config struct {
	Length int     `flag:"length" short:"n" usage:"letters of each string"`
	Tile   int     `flag:"tile" short:"t" usage:"rows and columns of a tile"`
	Differ float64 `flag:"differ" usage:"share of letters in which the similar parts of the strings differ"`
	Seed   uint64  `flag:"seed" usage:"seed of the strings"`
}

// Defaults returns two strings of 10 000 letters, in 2500 tiles of 200 x 200.
func Defaults() Config { return Config{Length: 10_000, Tile: 200, Differ: 0.1, Seed: 1} }

// Bounds of a Config. The longest strings take four minutes serially; as many rows of tiles
// as are allowed are four million tiles.
const (
	maxLength  = 400_000
	maxPerSide = 2_000
)

// Fit returns c with the tile, unless that is given, no larger than the strings.
func (c Config) Fit(given func(flag string) bool) Config {
	if !given("tile") {
		c.Tile = min(c.Tile, c.Length)
	}
	return c
}

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run.
func (c Config) Validate() error {
	least := max(1, (c.Length+maxPerSide-1)/maxPerSide)
	return trial.First(appName,
		trial.Range("length", c.Length, 1, maxLength),
		trial.Refuse(c.Tile < least || c.Tile > c.Length, "tile", c.Tile,
			fmt.Sprintf("%d..%d: no more than the strings have, and at most %d tiles a side", least, c.Length, maxPerSide)),
		trial.Refuse(!(c.Differ >= 0 && c.Differ <= 1), "differ", c.Differ, "0..1"))
}

// perSide returns how many tiles there are in a row or column of tiles.
func (c Config) perSide() int { return (c.Length + c.Tile - 1) / c.Tile }

// size returns the rows of row k of tiles, and the columns of column k: the last may have less than the others.
func (c Config) size(k int) int { return min(c.Tile, c.Length-k*c.Tile) }
