package synchp2p

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"ocr/apps/trial"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
)

// withKernel runs f with another kernel in place of sweepRows.
func withKernel(kernel func([]float64, int, int, []float64), f func()) {
	sweepBlock = kernel
	defer func() { sweepBlock = sweepRows }()
	f()
}

// everyForm returns the four forms of the program.
func everyForm(t *testing.T) map[string]func(Config) (Result, error) {
	forms := map[string]func(Config) (Result, error){
		"serial":     func(c Config) (Result, error) { return Serial(t.Context(), c) },
		"goroutines": func(c Config) (Result, error) { return Goroutines(t.Context(), c) },
	}
	for _, form := range graphForms {
		forms["edt, "+form.String()] = func(c Config) (Result, error) {
			c = form.in(c)
			app := New(c)
			if err := edttest.Run(1, 2, app.Main()); err != nil {
				t.Errorf("%v: %v", c, err)
			}
			return app.Result()
		}
	}
	return forms
}

// A wrong sum in the last row shows in all that follows from it; a wrong point that no other is computed from only
// there.
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

// literalGrid is the grid after the last timestep, by the formula as it is written.
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

// Each point of a grid is compared with what the formula comes to: a right grid passes, and one wrong point is named,
// wherever it is.
func TestEveryPointIsCompared(t *testing.T) {
	for _, cfg := range []Config{
		{Ranks: 1, ColumnsPerRank: 1, RowsPerBlock: 1, Phases: 1, Timesteps: 1},
		{Ranks: 1, ColumnsPerRank: 1, RowsPerBlock: 2, Phases: 3, Timesteps: 4},
		{Ranks: 2, ColumnsPerRank: 1, RowsPerBlock: 1, Phases: 1, Timesteps: 2},
		{Ranks: 3, Columns: 11, RowsPerBlock: 2, Phases: 3, Timesteps: 1},
		{Ranks: 3, Columns: 11, RowsPerBlock: 2, Phases: 3, Timesteps: 7},
	} {
		rows, columns := cfg.GridRows(), cfg.GridColumns()
		grid := literalGrid(rows, columns, cfg.Timesteps)
		compare := func() (o outcome) {
			o.compare(rows, columns, cfg.Timesteps, func(rank int) (strip []float64) {
				for row := range rows {
					strip = append(strip, grid[row*columns+cfg.FirstColumn(rank):][:cfg.Width(rank)]...)
				}
				return strip
			})
			return o
		}
		if o := compare(); o.wrong != 0 || o.points != rows*columns {
			t.Errorf("%v: a right grid: %+v", cfg, o)
		}
		for at, right := range grid {
			grid[at] += 1e-6
			o := compare()
			if o.wrong != 1 || o.row != at/columns || o.column != at%columns || o.got != grid[at] || o.want != right {
				t.Errorf("%v: A(%d,%d) is wrong: %+v", cfg, at/columns, at%columns, o)
			}
			grid[at] = right
		}
	}
}

// The first timestep is not timed, unless it is the only one: if it takes long, so much of the whole run is not.
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

// TestAllIsCompared holds that a run is wrong if a point was not compared.
func TestAllIsCompared(t *testing.T) {
	cfg := Defaults()
	const want = "synch_p2p: wrong result: points compared: got 1249, expected 1250"
	_, err := cfg.finish(outcome{points: 25*50 - 1})
	testrun.Equal(t, want, fmt.Sprint(err), "error")
	_, err = cfg.finish(outcome{points: 25 * 50})
	testrun.OK(t, err)
}
