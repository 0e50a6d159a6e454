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

// An outcome is the result of a run, flat, so that a block can carry it.
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

// wholeGrid is the most points that are compared without [Config.CheckGrid]: 1 GiB of them, a quarter of a second.
const wholeGrid = 1 << 27

// comparesGrid reports whether every point is compared after the run.
func (c Config) comparesGrid() bool {
	return c.CheckGrid || trial.Mul(uint64(c.GridRows()), uint64(c.GridColumns())) <= wholeGrid
}

// PointsCompared returns how many points of the grid a run compares, beside the corner of every timestep: all or none.
func (c Config) PointsCompared() int {
	if !c.comparesGrid() {
		return 0
	}
	return c.GridRows() * c.GridColumns()
}

// checked compares the whole grid as well, if the Config does that.
func (c Config) checked(o outcome, strip func(rank int) []float64) outcome {
	if c.comparesGrid() {
		o.compare(c.GridRows(), c.GridColumns(), c.Timesteps, strip)
	}
	return o
}

// compare compares every point, strip by strip, with its value in closed form: verification does not trust what it
// verifies. A sweep makes A(i,j) = A(i,0) + A(0,j) - A(0,0), and before the last one A(0,0) is minus the corner that
// the one before has left.
func (o *outcome) compare(rows, columns, timesteps int, strip func(rank int) []float64) {
	first := newBorder(rows, columns, timesteps)
	for rank, column := 0, 0; column < columns; rank++ {
		points := strip(rank)
		width := len(points) / rows
		for row := range rows {
			for j, got := range points[row*width:][:width] {
				o.points++
				if want := first.value(row, column+j); got != want {
					o.wrong, o.row, o.column, o.got, o.want = 1, row, column+j, got, want
					return
				}
			}
		}
		column += width
	}
}

// A border determines all points of the grid after the last timestep: it is minus A(0,0). Row 0 and column 0 are
// 0, 1, 2 and so on behind that.
type border float64

func newBorder(rows, columns, timesteps int) border {
	switch {
	case timesteps == 1:
		return 0
	case columns == 1: // no sweep changes anything
		return border(rows - 1)
	}
	return border(timesteps-1) * border(rows+columns-2)
}

// value returns A(row,column).
func (b border) value(row, column int) float64 {
	switch at := float64(row + column); {
	case row == 0 && column == 0:
		return -float64(b)
	case row == 0 || column == 0:
		return at
	default:
		return at + float64(b)
	}
}

// finish makes a form's Result. The error is a *trial.VerifyError: a value is wrong, or was not compared.
func (c Config) finish(o outcome) (Result, error) {
	r := Result{
		Config:         c,
		Elapsed:        time.Duration(o.elapsed),
		TimedTimesteps: max(c.Timesteps-1, 1),
		Checksum:       o.corners.last,
	}
	points := c.PointsCompared()
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
