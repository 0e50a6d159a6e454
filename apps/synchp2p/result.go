package synchp2p

import (
	"fmt"
	"time"

	"ocr/apps/trial"
)

// A Result is the result of one run of one form.
type Result struct {
	Config Config

	// Elapsed is the time of the timed timesteps together, TimedTimesteps of them. The first timestep warms up and is not
	// timed, unless T is 1.
	Elapsed        time.Duration
	TimedTimesteps int

	// Checksum is A(N-1,M-1) after the last timestep.
	Checksum float64
}

// MFlops returns the rate by the Parallel Research Kernels' formula, in millions of floating-point operations a
// second; 0 if no time was measured.
func (r Result) MFlops() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return r.Config.Flops() * float64(r.TimedTimesteps) / r.Elapsed.Seconds() / 1e6
}

// NsPerEDT returns the time of a timed timestep divided by its P*W sweep EDTs, in nanoseconds of wall time.
func (r Result) NsPerEDT() float64 {
	edts := float64(r.Config.Strips) * float64(r.Config.Phases) * float64(max(r.TimedTimesteps, 1))
	return float64(r.Elapsed.Nanoseconds()) / edts
}

// finish makes the Result of a form that took elapsed nanoseconds. It compares every point of the strips, from left to
// right, with its value in closed form, which no form computes. The error is a [*trial.VerifyError]: the first value
// that is wrong, or a wrong number of columns.
func (c Config) finish(elapsed int64, strips [][]float64) (Result, error) {
	last := strips[len(strips)-1]
	r := Result{c, time.Duration(elapsed), max(c.Timesteps-1, 1), last[len(last)-1]}
	rows, column, before := c.GridRows(), 0, c.CornerAfter(c.Timesteps-1)
	for _, strip := range strips {
		width := len(strip) / rows
		for row := range rows {
			for j, got := range strip[row*width:][:width] {
				if want := value(row, column+j, before); got != want {
					where := fmt.Sprintf("after timestep %d: A(%d,%d)", c.Timesteps, row, column+j)
					return r, trial.Wrong(appName, where, got, want)
				}
			}
		}
		column += width
	}
	if column != c.GridColumns() {
		return r, trial.Wrong(appName, "columns compared", column, c.GridColumns())
	}
	return r, nil
}

// value returns A(row,column) after a timestep. A sweep makes A(i,j) = A(i,0) + A(0,j) - A(0,0), and A(0,0) is minus
// corner, the corner after the timestep before. So a wrong corner of any timestep shows in the last grid.
func value(row, column int, corner float64) float64 {
	switch at := float64(row + column); {
	case row == 0 && column == 0:
		return 0 - corner
	case row == 0 || column == 0:
		return at
	default:
		return at + corner
	}
}
