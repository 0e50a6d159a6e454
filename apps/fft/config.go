package fft

import (
	"math/bits"

	"ocr/apps/trial"
)

const appName = "fft"

// Config describes a transform and how it is cut into EDTs. Validate must accept a Config before anything else
// is called on it.
type Config struct {
	Points int `flag:"points" short:"n" usage:"points to transform, a power of two"`
	Cutoff int `flag:"cutoff" usage:"points of a block, a power of two: such a part is transformed by one EDT"`
}

// Defaults returns a transform of 2^20 points.
func Defaults() Config { return Config{Points: 1 << 20, Cutoff: 1 << 14} }

// Bounds of parameters.
const (
	maxPoints = 1 << 26 // a form takes five times 16 bytes a point
	maxChunks = 1 << 16
)

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run.
func (c Config) Validate() error {
	return trial.First(appName,
		trial.Refuse(!isPower(c.Points) || c.Points > maxPoints, "points", c.Points, "a power of two, 1 to 67108864"),
		trial.Refuse(!isPower(c.Cutoff), "cutoff", c.Cutoff, "a power of two"),
		trial.Refuse(c.chunks() > maxChunks, "cutoff", c.Cutoff,
			"a power of two that cuts the points into 65536 parts at most"),
	)
}

func isPower(n int) bool { return n > 0 && bits.OnesCount(uint(n)) == 1 }

// chunk returns the points of a block.
func (c Config) chunk() int { return min(c.Cutoff, c.Points) }

// chunks returns the number of blocks.
func (c Config) chunks() int { return c.Points / max(1, c.chunk()) }
