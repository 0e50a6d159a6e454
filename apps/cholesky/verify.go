package cholesky

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"ocr/apps/trial"
)

// bound is the largest scaled residual of a right factor, as in HPL.
const bound = 16

// Verify compares the latest run's factor, bit for bit, with that of the serial form, which it computes the first
// time: all forms do the same updates of a tile in the same order.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	if a.want == nil {
		serial := &App{cfg: a.cfg, input: a.input, factor: a.cfg.newMatrix()}
		if err := cmp.Or(serial.serial(context.Background(), 1), serial.sound()); err != nil {
			return err
		}
		a.want = serial.factor
	}
	for i := range a.cfg.Size {
		for j := range i + 1 {
			got, want := *a.cfg.at(a.factor, i, j), *a.cfg.at(a.want, i, j)
			if math.Float64bits(got) != math.Float64bits(want) {
				return trial.Wrong(appName, fmt.Sprintf("L(%d,%d)", i, j), got, want)
			}
		}
	}
	return nil
}

// sound computes the residual of the factor by random vectors x: |A*x - L*(L^T*x)| in units of |A| * |x| * n *
// epsilon, in the largest norm. A wrong tile makes it far larger than [bound].
func (a *App) sound() error {
	random := rand.New(rand.NewPCG(3, 4))
	for k := range 3 {
		x := make([]float64, a.cfg.Size)
		for i := range x {
			x[i] = 2*random.Float64() - 1
		}
		if r := a.residual(x); !(r <= bound) {
			where := fmt.Sprintf("the scaled residual of A - L*L^T by random vector %d", k+1)
			return trial.Wrong(appName, where, r, fmt.Sprintf("at most %d", bound))
		}
	}
	return nil
}

// residual compares the two products element by element as the matrices are written, without the kernels.
func (a *App) residual(x []float64) float64 {
	c, n := a.cfg, a.cfg.Size
	want, y, got := make([]float64, n), make([]float64, n), make([]float64, n)
	norm, longest := make([]float64, n), 0.0
	for i := range n {
		for j := range i + 1 {
			v, l := *c.at(a.input, i, j), *c.at(a.factor, i, j)
			want[i] += v * x[j]
			norm[i] += math.Abs(v)
			if i != j {
				want[j] += v * x[i]
				norm[j] += math.Abs(v)
			}
			y[j] += l * x[i]
		}
		longest = max(longest, math.Abs(x[i]))
	}
	worst, largest := 0.0, 0.0
	for i := range n {
		for j := range i + 1 {
			got[i] += *c.at(a.factor, i, j) * y[j]
		}
		worst, largest = max(worst, math.Abs(got[i]-want[i])), max(largest, norm[i])
	}
	return worst / (largest * longest * float64(n) * 0x1p-53)
}
