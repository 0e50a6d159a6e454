package cg

import (
	"fmt"

	"ocr/apps/trial"
	"ocr/edt"
)

const appName = "cg"

// Config describes a problem and how it is cut into slabs.
type Config struct {
	Size       int     `flag:"size" short:"n" usage:"points of the grid along each of its three edges"`
	Planes     int     `flag:"planes" usage:"planes of the grid in a slab, the unit of work"`
	Iterations int     `flag:"iterations" usage:"iterations at most"`
	Tolerance  float64 `flag:"tolerance" usage:"end when the residual is this part of the first one; 0: all iterations"`
}

// Defaults returns a grid of 64 x 64 x 64 points in 8 slabs, and the 50 iterations that HPCG does.
func Defaults() Config { return Config{Size: 64, Planes: 8, Iterations: 50} }

// Bounds of a Config. The largest grid takes 3 GiB; the most iterations of it take some days.
const (
	maxSize       = 384
	maxIterations = 100_000
)

// Fit returns c with the planes of a slab, unless those are given, no more than the grid has.
func (c Config) Fit(given func(flag string) bool) Config {
	if !given("planes") {
		c.Planes = min(c.Planes, c.Size)
	}
	return c
}

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run.
func (c Config) Validate() error {
	return trial.First(appName,
		trial.Range("size", c.Size, 1, maxSize),
		trial.Range("planes", c.Planes, 1, c.Size),
		trial.Range("iterations", c.Iterations, 1, maxIterations),
		trial.Refuse(!(c.Tolerance >= 0 && c.Tolerance < 1), "tolerance", fmt.Sprint(c.Tolerance),
			"0 or more, and less than 1"))
}

// slabs returns into how many slabs the grid is cut.
func (c Config) slabs() int { return (c.Size + c.Planes - 1) / c.Planes }

// at returns the place of a slab: neighbours have one, or the next.
func (c Config) at(x *edt.Ctx, slab int) edt.Affinity { return x.Place(slab * x.Places() / c.slabs()) }

// planes returns how many planes a slab has: the last may have less than the others.
func (c Config) planes(slab int) int { return min(c.Planes, c.Size-slab*c.Planes) }

// plane is the number of elements of a plane: with a border of zeros, so that every point has 26 neighbours.
func plane(n int) int { return (n + 2) * (n + 2) }
