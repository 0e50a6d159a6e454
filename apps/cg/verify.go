package cg

import (
	"fmt"
	"math"
	"slices"

	"ocr/apps/trial"
)

// Verify compares the result of the latest run, bit for bit, with that of the literal method, which it runs and checks
// at its first call.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	want, err := a.want()
	if err != nil {
		return err
	}
	switch got, want := a.got.numbers, want.numbers; {
	case got.Iterations != want.Iterations:
		return trial.Wrong(appName, "iterations", got.Iterations, want.Iterations)
	case math.Float64bits(got.RR) != math.Float64bits(want.RR):
		return trial.Wrong(appName, "the square of the residual", got.RR, want.RR)
	}
	return trial.SameBits(appName, a.got.x, want.x, func(at int) string {
		row := a.cfg.Size + 2
		return fmt.Sprintf("plane %d, row %d, column %d", at/row/row-1, at/row%row-1, at%row-1)
	})
}

// literal runs the method on whole vectors, as textbooks write it, without the kernel: verification does not trust what
// it verifies. But it adds up slab by slab, so that the bits are the same.
func (c Config) literal(b []float64) *solution {
	x, r, p, beta, k := make([]float64, len(b)), slices.Clone(b), make([]float64, len(b)), 0.0, 0
	rr := c.dot(r, r)
	for least := c.enough(rr); k < c.Iterations && rr > least; k++ {
		for at := range p {
			p[at] = r[at] + float64(beta*p[at])
		}
		q, before := c.multiply(p), rr
		alpha := rr / c.dot(p, q)
		for at := range x {
			x[at] += float64(alpha * p[at])
			r[at] -= float64(alpha * q[at])
		}
		rr = c.dot(r, r)
		beta = rr / before
	}
	return &solution{x, numbers{RR: rr, Iterations: k}}
}

// sound returns the result of the literal method, or what is wrong with it: its residual must be b - A*x, and the
// energy norm of its error e, the root of e*A*e, at most the bound of theory (Saad, Iterative Methods, 6.11.3).
func (c Config) sound(b []float64, s *solution) (*solution, error) {
	e, k := c.ones(), s.numbers.Iterations
	first := math.Sqrt(c.dot(e, b)) // norm of the error of the first guess, 0
	for at := range e {
		e[at] -= s.x[at]
	}
	r := c.multiply(e) // b = A*1
	got, want := math.Sqrt(s.numbers.RR), math.Sqrt(c.dot(r, r))
	if rounding := 1e-10 * math.Sqrt(c.dot(b, b)); !(math.Abs(got-want) <= rounding) {
		return nil, trial.Wrong(appName, fmt.Sprintf("the residual after %d iterations", k), got, want)
	}
	norm, most := math.Sqrt(c.dot(e, r)), 2*math.Pow(c.rate(), float64(k))*first
	if !(norm <= most+1e-10*first) {
		where := fmt.Sprintf("the error's energy norm after %d iterations", k)
		return nil, trial.Wrong(appName, where, norm, fmt.Sprintf("at most %v", most))
	}
	return s, nil
}

// rate returns the factor by which each iteration at least reduces the error: (q-1)/(q+1), where q is the root of the
// condition of A. A's eigenvalues are 27 less products of three factors 1 + 2*cos(i*pi/(n+1)).
func (c Config) rate() float64 {
	cos := 2 * math.Cos(math.Pi/float64(c.Size+1))
	high, low := 1+cos, 1-cos
	q := math.Sqrt((27 - min(high*high*low, low*low*low)) / (27 - high*high*high))
	return (q - 1) / (q + 1)
}

func (c Config) dot(v, w []float64) (total float64) {
	for slab := range c.slabs() {
		part, w := 0.0, c.of(w, slab)
		for at, x := range c.of(v, slab) {
			part += float64(x * w[at])
		}
		total += part
	}
	return total
}

// multiply returns A*v: each point by the formula, without the kernel's running sums. Only the order in which the cube
// around a point is added up is the kernel's.
func (c Config) multiply(v []float64) []float64 {
	product, size, row := make([]float64, len(v)), plane(c.Size), c.Size+2
	column := func(at int) float64 { return v[at-size] + v[at] + v[at+size] }
	face := func(at int) float64 { return column(at-row) + column(at) + column(at+row) }
	for at, inside := range c.ones() {
		if inside != 0 {
			product[at] = float64(27*v[at]) - (face(at-1) + face(at) + face(at+1))
		}
	}
	return product
}

// ones returns a vector with 1 at each point, and 0 in the border around all points.
func (c Config) ones() []float64 {
	row := c.Size + 2
	v, inside := make([]float64, row*row*row), func(k int) bool { return k > 0 && k <= c.Size }
	for at := range v {
		if inside(at/row/row) && inside(at/row%row) && inside(at%row) {
			v[at] = 1
		}
	}
	return v
}
