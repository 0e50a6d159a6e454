package nqueens

import (
	"fmt"

	"ocr/apps/trial"
)

const appName = "nqueens"

// Config describes a board and how the search is cut into tasks.
type Config struct {
	N      int `flag:"n" short:"n" usage:"queens, and rows and columns of the board"`
	Cutoff int `flag:"cutoff" usage:"queens with which a board is left to one task"`
}

// Defaults returns 13 queens: 73 712 ways, by 1 030 tasks with three queens each.
func Defaults() Config { return Config{N: 13, Cutoff: 3} }

// Bounds of a Config. 18 queens take some minutes serially.
const (
	maxN     = 18
	maxTasks = 1 << 22
)

// Fit returns c with the cut-off, unless that is given, at most the queens.
func (c Config) Fit(given func(flag string) bool) Config {
	if !given("cutoff") {
		c.Cutoff = min(c.Cutoff, c.N)
	}
	return c
}

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run.
func (c Config) Validate() error {
	if err := trial.First(appName, trial.Range("n", c.N, 1, maxN), trial.Range("cutoff", c.Cutoff, 0, c.N)); err != nil {
		return err
	}
	most, tasks := 0, 1
	for most < c.N && tasks*(c.N-most) <= maxTasks {
		tasks *= c.N - most
		most++
	}
	allowed := fmt.Sprintf("0..%d, for at most %d tasks", most, maxTasks)
	return trial.First(appName, trial.Refuse(c.Cutoff > most, "cutoff", c.Cutoff, allowed))
}

// empty returns the board without queens.
func (c Config) empty() board { return board{N: uint8(c.N), Left: uint8(c.Cutoff)} }
