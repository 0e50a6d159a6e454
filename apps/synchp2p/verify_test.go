package synchp2p

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

// withKernel runs f with another kernel in place of sweepRows.
func withKernel(kernel func([]float64, int, int, []float64), f func()) {
	sweepBlock = kernel
	defer func() { sweepBlock = sweepRows }()
	f()
}

// A wrong sum in the last row spoils all points computed from it; a wrong point from which none is computed spoils only
// itself.
func TestBrokenKernels(t *testing.T) {
	for where, broken := range map[string]func(a []float64, stride, width int, edge []float64){
		"after timestep 100: A(0,0)": func(_ []float64, _, _ int, edge []float64) { edge[len(edge)-1]++ },
		"after timestep 100: A(1,2)": func(a []float64, stride, width int, edge []float64) {
			if width > 2 && len(edge) > 2 {
				a[stride+1]++
			}
		},
	} {
		kernel := func(a []float64, stride, width int, edge []float64) {
			sweepRows(a, stride, width, edge)
			broken(a, stride, width, edge)
		}
		for name, run := range everyForm(t) {
			withKernel(kernel, func() {
				r, err := run(Defaults())
				var wrong *trial.VerifyError
				if !errors.As(err, &wrong) || wrong.Where != where || wrong.Got == wrong.Want || r.TimedTimesteps != 99 {
					t.Errorf("%s: %+v, error %v, want a *trial.VerifyError %s", name, r, err, where)
				}
			})
		}
	}
}

// literalGrid computes the grid after the last timestep by the formula as it is written.
func literalGrid(rows, columns, timesteps int) []float64 {
	grid := make([]float64, rows*columns)
	initStrip(grid, columns, 0)
	for t := range timesteps {
		if t > 0 {
			grid[0] = -grid[len(grid)-1]
		}
		for i := 1; i < rows; i++ {
			for j := 1; j < columns; j++ {
				grid[i*columns+j] = grid[(i-1)*columns+j] + grid[i*columns+j-1] - grid[(i-1)*columns+j-1]
			}
		}
	}
	return grid
}

// Verification compares each point of a grid with its closed form: it accepts a right grid, and names one wrong point,
// wherever it is.
func TestEveryPointIsCompared(t *testing.T) {
	for _, cfg := range []Config{
		{Strips: 1, ColumnsPerStrip: 1, RowsPerBlock: 1, Phases: 1, Timesteps: 1},
		{Strips: 1, ColumnsPerStrip: 1, RowsPerBlock: 2, Phases: 3, Timesteps: 4},
		{Strips: 2, ColumnsPerStrip: 1, RowsPerBlock: 1, Phases: 1, Timesteps: 2},
		{Strips: 3, Columns: 11, RowsPerBlock: 2, Phases: 3, Timesteps: 1},
		{Strips: 3, Columns: 11, RowsPerBlock: 2, Phases: 3, Timesteps: 7},
	} {
		rows, columns := cfg.GridRows(), cfg.GridColumns()
		grid := literalGrid(rows, columns, cfg.Timesteps)
		compare := func() error {
			var strips [][]float64
			for k := range cfg.Strips {
				var strip []float64
				for row := range rows {
					strip = append(strip, grid[row*columns+cfg.FirstColumn(k):][:cfg.Width(k)]...)
				}
				strips = append(strips, strip)
			}
			_, err := cfg.finish(1, strips)
			return err
		}
		testrun.OK(t, compare(), "%v: a right grid", cfg)
		for at, right := range grid {
			grid[at] += 1e-6
			where := fmt.Sprintf("after timestep %d: A(%d,%d)", cfg.Timesteps, at/columns, at%columns)
			testrun.Equal(t, trial.Wrong(appName, where, grid[at], right).Error(), fmt.Sprint(compare()), "%v", cfg)
			grid[at] = right
		}
	}
}

// The first timestep is not timed, unless it is the only one: the test makes it slow, and looks for its time in
// Elapsed.
func TestFirstTimestepIsNotTimed(t *testing.T) {
	const delay = 50 * time.Millisecond
	for name, run := range everyForm(t) {
		for _, timesteps := range []int{1, 2, 3} {
			var slow sync.Once
			slowFirst := func(a []float64, stride, width int, edge []float64) {
				slow.Do(func() { time.Sleep(delay) })
				sweepRows(a, stride, width, edge)
			}
			withKernel(slowFirst, func() {
				cfg := Defaults()
				cfg.Timesteps = timesteps
				begin := time.Now()
				r, err := run(cfg)
				whole := time.Since(begin)
				testrun.OK(t, err, "%s", name)
				if timesteps == 1 && r.Elapsed < delay || timesteps > 1 && r.Elapsed > whole-delay {
					t.Errorf("%s, %d timesteps: elapsed %v of %v with a first timestep of %v", name, timesteps,
						r.Elapsed, whole, delay)
				}
			})
		}
	}
}

// TestAllIsCompared: a result is wrong if a strip is missing.
func TestAllIsCompared(t *testing.T) {
	cfg := Config{Strips: 2, ColumnsPerStrip: 1, RowsPerBlock: 1, Phases: 1, Timesteps: 1}
	_, err := cfg.finish(1, [][]float64{{0, 1}})
	testrun.Equal(t, "synch_p2p: wrong result: columns compared: got 1, expected 2", fmt.Sprint(err), "error")
}
