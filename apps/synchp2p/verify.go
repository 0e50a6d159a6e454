package synchp2p

import (
	"fmt"
	"time"

	"ocr/apps/trial"
)

// A cornerLog compares the corner of each timestep with its closed form. It holds
// no pointers: rank 0 keeps one in its private block.
type cornerLog struct {
	expected, step float64 // the next corner, and by how much it grows
	last           float64 // the last corner seen
	checked        int     // timesteps compared
	badTimestep    int     // the first with a wrong corner, counted from 1
	bad            float64 // and that corner
}

func newCornerLog(c Config) cornerLog {
	return cornerLog{expected: c.CornerAfter(1), step: c.CornerAfter(2) - c.CornerAfter(1)}
}

// note takes the corner of the next timestep.
func (l *cornerLog) note(corner float64) {
	l.checked++
	l.last = corner
	if corner != l.expected && l.badTimestep == 0 {
		l.badTimestep, l.bad = l.checked, corner
	}
	l.expected += l.step
}

// finish makes a form's Result, and checks it: the corners, and the grid if there
// is one to check. The error is a *trial.VerifyError.
func (c Config) finish(elapsed time.Duration, corners cornerLog, grid []float64) (Result, error) {
	r := Result{
		Config:         c,
		Elapsed:        elapsed,
		Corner:         corners.last,
		Expected:       c.CornerAfter(c.Timesteps),
		CornersChecked: corners.checked,
	}
	r.TimedTimesteps, r.FirstTimed = c.clock()
	if t := corners.badTimestep; t != 0 {
		return r, c.wrong(t, c.GridRows()-1, c.GridColumns()-1, corners.bad, c.CornerAfter(t))
	}
	if grid != nil {
		if err := c.compareGrid(grid); err != nil {
			return r, err
		}
		r.GridChecked = true
	}
	r.Verified = true
	return r, nil
}

// wrong is a value that differs after a timestep, counted from 1.
func (c Config) wrong(timestep, row, column int, got, want float64) error {
	return trial.Wrong(appName, fmt.Sprintf("after timestep %d: A(%d,%d)", timestep, row, column), got, want)
}

// compareGrid compares a gathered grid, point by point, with the grid that the
// literal formula gives after the last timestep.
func (c Config) compareGrid(grid []float64) error {
	columns := c.GridColumns()
	want := literalGrid(c)
	for k := range want {
		if grid[k] != want[k] {
			return c.wrong(c.Timesteps, k/columns, k%columns, grid[k], want[k])
		}
	}
	return nil
}

// literalGrid sweeps the whole grid by the formula as it is written, without the
// kernel: verification does not trust what it verifies.
func literalGrid(c Config) []float64 {
	rows, columns := c.GridRows(), c.GridColumns()
	grid := make([]float64, rows*columns)
	initStrip(grid, columns, 0)
	for t := range c.Timesteps {
		if t > 0 {
			grid[0] = -grid[len(grid)-1]
		}
		for i := 1; i < rows; i++ {
			above, row := grid[(i-1)*columns:i*columns], grid[i*columns:(i+1)*columns]
			for j := 1; j < columns; j++ {
				row[j] = above[j] + row[j-1] - above[j-1]
			}
		}
	}
	return grid
}

// gather copies a rank's strip to its place in the whole grid.
func (c Config) gather(grid, strip []float64, rank int) {
	width, first, columns := c.Width(rank), c.FirstColumn(rank), c.GridColumns()
	for i := range c.GridRows() {
		copy(grid[i*columns+first:], strip[i*width:(i+1)*width])
	}
}

// newGrid returns the memory that strips are gathered in, nil if the grid is not
// checked.
func (c Config) newGrid() []float64 {
	if !c.CheckGrid {
		return nil
	}
	return make([]float64, c.GridRows()*c.GridColumns())
}
