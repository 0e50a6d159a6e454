package cg

import (
	"fmt"
	"math"
	"slices"

	"ocr/apps/trial"
)

// The problem is HPCG's: the points of a grid are coupled with their 26 neighbours, by -1, and with themselves by 26.
// The right-hand side is such that the solution is 1 everywhere.

// rightHandSide returns, for each point, 26 less the number of its neighbours.
func (c Config) rightHandSide() []float64 {
	b := make([]float64, c.Size*plane(c.Size))
	c.each(func(z, y, x, at int) {
		b[at] = float64(27 - c.along(z)*c.along(y)*c.along(x))
	})
	return b
}

// each calls f with every point, and where it lies in a vector.
func (c Config) each(f func(z, y, x, at int)) {
	for z := range c.Size {
		for y := range c.Size {
			for x := range c.Size {
				f(z, y, x, z*plane(c.Size)+(y+1)*(c.Size+2)+x+1)
			}
		}
	}
}

// along returns how many of a point and its two neighbours along an edge there are.
func (c Config) along(at int) int { return min(at+1, c.Size-1) - max(at-1, 0) + 1 }

// multiply returns A*v: each point by the formula, without the kernel's running sums. Only the order in which the cube
// around a point is added up is the kernel's.
func (c Config) multiply(v []float64) []float64 {
	product, row := make([]float64, len(v)), c.Size+2
	value := func(z, at int) float64 {
		if z < 0 || z >= c.Size {
			return 0 // as the border is
		}
		return v[at]
	}
	c.each(func(z, _, _, at int) {
		column := func(at int) float64 {
			return value(z-1, at-plane(c.Size)) + v[at] + value(z+1, at+plane(c.Size))
		}
		face := func(at int) float64 { return column(at-row) + column(at) + column(at+row) }
		product[at] = float64(27*v[at]) - (face(at-1) + face(at) + face(at+1))
	})
	return product
}

// dot returns v*w. It adds up planes, slabs, and then all, or slabs and then all.
func (c Config) dot(v, w []float64, planes bool) (total float64) {
	for slab := range c.slabs() {
		part, from := 0.0, slab*c.Planes*plane(c.Size)
		to := from + c.planes(slab)*plane(c.Size)
		step := to - from
		if planes {
			step = plane(c.Size)
		}
		for ; from < to; from += step {
			sum := 0.0
			for at := from; at < from+step; at++ {
				sum += float64(v[at] * w[at])
			}
			part += sum
		}
		total += part
	}
	return total
}

// A solution is what a run leaves behind.
type solution struct {
	x       []float64
	scalars scalars
}

// literal does the method on whole vectors, as it is written in books, without the kernel: verification does not trust
// what it verifies. Only the order in which sums are added up is that of planes and slabs, so that the bits are the
// same.
func (c Config) literal(b []float64) *solution {
	x, r, p, k := make([]float64, len(b)), slices.Clone(b), make([]float64, len(b)), c.scalars()
	for k.residual(c.dot(r, r, false)); !k.Done; k.residual(c.dot(r, r, false)) {
		for at := range p {
			p[at] = r[at] + float64(k.Beta*p[at])
		}
		q := c.multiply(p)
		k.curvature(c.dot(p, q, true))
		for at := range x {
			x[at] += float64(k.Alpha * p[at])
			r[at] -= float64(k.Alpha * q[at])
		}
	}
	return &solution{x, k}
}

// Verify compares the result of the latest run, bit for bit, with that of the literal method, which it runs the first
// time and looks at as well.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	if a.want == nil {
		want := a.cfg.literal(a.b)
		if err := a.cfg.sound(a.b, want); err != nil {
			return err
		}
		a.want = want
	}
	got, want := a.scalars, a.want.scalars
	if got.Iterations != want.Iterations {
		return trial.Wrong(appName, "iterations", got.Iterations, want.Iterations)
	}
	if math.Float64bits(got.RR) != math.Float64bits(want.RR) {
		return trial.Wrong(appName, fmt.Sprintf("the residual after %d iterations", got.Iterations),
			math.Sqrt(got.RR), math.Sqrt(want.RR))
	}
	for at, x := range a.want.x {
		if math.Float64bits(a.x[at]) != math.Float64bits(x) {
			in, size := at%plane(a.cfg.Size), a.cfg.Size+2
			where := fmt.Sprintf("plane %d, row %d, column %d", at/plane(a.cfg.Size), in/size-1, in%size-1)
			return trial.Wrong(appName, where, a.x[at], x)
		}
	}
	return nil
}

// sound reports what is wrong with the result of the literal method: its residual must be b - A*x, which must be small
// enough if the method has ended early. And the error, in the norm of A, must be as small as conjugate gradients make
// it in that number of iterations: 2*q^k of the first one, q = (sqrt(c)-1) / (sqrt(c)+1), with the condition number c
// of the matrix.
func (c Config) sound(b []float64, s *solution) error {
	k := s.scalars
	if k.Iterations < c.Iterations && !(k.RR <= k.bound()) {
		where := fmt.Sprintf("iterations, with the residual at %.3g of the first", math.Sqrt(k.RR/k.First))
		return trial.Wrong(appName, where, k.Iterations, c.Iterations)
	}
	product := c.multiply(s.x)
	wrong := make([]float64, len(s.x))
	square, first := 0.0, 0.0
	c.each(func(_, _, _, at int) {
		r := b[at] - product[at]
		square, first = square+r*r, first+b[at]*b[at]
		wrong[at] = 1 - s.x[at]
	})
	const rounding = 1e-10 // of the first residual, or error
	if got, want := math.Sqrt(k.RR), math.Sqrt(square); !(math.Abs(got-want) <= rounding*math.Sqrt(first)) {
		return trial.Wrong(appName, fmt.Sprintf("the residual after %d iterations", k.Iterations), got, want)
	}
	reached, bound := math.Sqrt(c.energy(wrong)/c.energyOfOnes()), 2*math.Pow(c.rate(), float64(k.Iterations))
	if !(reached <= bound+rounding) {
		where := fmt.Sprintf("the error after %d iterations, of the first", k.Iterations)
		return trial.Wrong(appName, where, reached, fmt.Sprintf("at most %g", bound))
	}
	return nil
}

// energy returns v*A*v.
func (c Config) energy(v []float64) (sum float64) {
	for at, w := range c.multiply(v) {
		sum += v[at] * w
	}
	return sum
}

// energyOfOnes is the energy of the first error, which is 1 everywhere.
func (c Config) energyOfOnes() (sum float64) {
	for _, v := range c.rightHandSide() {
		sum += v
	}
	return sum
}

// rate returns q. The eigenvalues of A are 27 less a product of three eigenvalues of the sum along an edge of a
// point and its neighbours, which are 1 + 2*cos(j*pi/(n+1)).
func (c Config) rate() float64 {
	large := 1 + 2*math.Cos(math.Pi/float64(c.Size+1))
	small := 1 + 2*math.Cos(float64(c.Size)*math.Pi/float64(c.Size+1))
	condition := (27 - min(large*large*small, small*small*small)) / (27 - large*large*large)
	return (math.Sqrt(condition) - 1) / (math.Sqrt(condition) + 1)
}
