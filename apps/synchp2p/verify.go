package synchp2p

import (
	"fmt"
	"time"

	"ocr/apps/trial"
	"ocr/datablock"
)

// A cornerLog compares the corner of each timestep with its closed form. It is flat: rank 0 keeps one in its private
// block.
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

// An outcome is what a run leaves behind. It is flat, so that a block can carry it.
type outcome struct {
	elapsed int64 // ns, of the timed timesteps
	corners cornerLog
	points  int // of the grid that were compared; they end with the first wrong one
	wrong   int // 1 if that was wrong: at row and column
	row     int
	column  int
	got     float64
	want    float64
}

var outcomeView = datablock.NewView[outcome]()

// checked compares the whole grid as well, if the Config asks for that.
func (c Config) checked(o outcome, strip func(rank int) []float64) outcome {
	if c.CheckGrid {
		o.compare(c.GridRows(), c.GridColumns(), c.Timesteps, strip)
	}
	return o
}

// compare compares every point, strip by strip, with the grid that the formula gives as it is written, without the
// kernel: verification does not trust what it verifies.
func (o *outcome) compare(rows, columns, timesteps int, strip func(rank int) []float64) {
	grid := literalGrid(rows, columns, timesteps)
	for rank, first := 0, 0; first < columns; rank++ {
		points := strip(rank)
		width := len(points) / rows
		for k, got := range points {
			row, column := k/width, first+k%width
			o.points++
			if want := grid[row*columns+column]; got != want {
				o.wrong, o.row, o.column, o.got, o.want = 1, row, column, got, want
				return
			}
		}
		first += width
	}
}

// literalGrid is the grid after the last timestep.
func literalGrid(rows, columns, timesteps int) []float64 {
	grid := make([]float64, rows*columns)
	initStrip(grid, columns, 0)
	for t := range timesteps {
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

// finish makes a form's Result. The error is a *trial.VerifyError: a value is wrong, or was not compared.
func (c Config) finish(o outcome) (Result, error) {
	r := Result{
		Config:         c,
		Elapsed:        time.Duration(o.elapsed),
		TimedTimesteps: max(c.Timesteps-1, 1),
		Checksum:       o.corners.last,
	}
	points := 0
	if c.CheckGrid {
		points = c.GridRows() * c.GridColumns()
	}
	switch t := o.corners.badTimestep; {
	case t != 0:
		return r, wrong(t, c.GridRows()-1, c.GridColumns()-1, o.corners.bad, c.CornerAfter(t))
	case o.wrong != 0:
		return r, wrong(c.Timesteps, o.row, o.column, o.got, o.want)
	case o.corners.checked != c.Timesteps:
		return r, trial.Wrong(appName, "corners compared", o.corners.checked, c.Timesteps)
	case o.points != points:
		return r, trial.Wrong(appName, "points compared", o.points, points)
	}
	return r, nil
}

// wrong is a value that differs after a timestep, counted from 1.
func wrong(timestep, row, column int, got, want float64) error {
	return trial.Wrong(appName, fmt.Sprintf("after timestep %d: A(%d,%d)", timestep, row, column), got, want)
}
