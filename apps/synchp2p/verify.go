package synchp2p

import (
	"fmt"
	"time"

	"ocr/apps/trial"
	"ocr/datablock"
)

// An outcome is the result of a run, flat, so that a block can carry it.
type outcome struct {
	elapsed int64   // ns, of the timed timesteps
	corner  float64 // A(N-1,M-1)
	points  int     // of the grid that were compared
	wrong   int     // 1 if one of them was wrong, the first at row and column
	row     int
	column  int
	got     float64
	want    float64
}

var outcomeView = datablock.NewView[outcome]()

// compare compares every point after the last timestep, strip by strip, with its value in closed form: verification
// does not trust what it verifies. A sweep makes A(i,j) = A(i,0) + A(0,j) - A(0,0), and before the last one A(0,0) is
// minus the corner that the one before has left. So a wrong corner of any timestep shows too.
func (o *outcome) compare(rows, columns, timesteps int, strip func(rank int) []float64) {
	first := border(corner(rows, columns, timesteps-1))
	for rank, column := 0, 0; column < columns; rank++ {
		points := strip(rank)
		width := len(points) / rows
		for row := range rows {
			for j, got := range points[row*width:][:width] {
				o.points++
				if want := first.value(row, column+j); got != want && o.wrong == 0 {
					o.wrong, o.row, o.column, o.got, o.want = 1, row, column+j, got, want
				}
			}
		}
		o.corner = points[len(points)-1]
		column += width
	}
}

// A border determines all points of the grid after a timestep: it is minus A(0,0), the corner after the one before. Row
// 0 and column 0 are 0, 1, 2 and so on behind that.
type border float64

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
		Checksum:       o.corner,
	}
	points := c.GridRows() * c.GridColumns()
	switch {
	case o.wrong != 0:
		where := fmt.Sprintf("after timestep %d: A(%d,%d)", c.Timesteps, o.row, o.column)
		return r, trial.Wrong(appName, where, o.got, o.want)
	case o.points != points:
		return r, trial.Wrong(appName, "points compared", o.points, points)
	}
	return r, nil
}
